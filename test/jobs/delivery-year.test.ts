/**
 * A year of subscriptions on a driven clock: every date of twenty schedules reaches each recipient once, at its minute,
 * and nothing else is sent. Some receivers refuse at first; what they get in the end counts once.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDeliverWorker, type OutgoingMessage } from '../../src/features/deliveries/deliver.ts'
import { createDueDeliveries } from '../../src/features/deliveries/due-deliveries.ts'
import { Runner } from '../../src/jobs/runner.ts'
import type { Schedule } from '../../src/model/subscriptions/subscription.ts'
import { nextDelivery } from '../../src/rules/subscriptions/recurrence.ts'
import type { OpenedSql } from '../../src/stores/contract/open-sql.ts'
import { insertProject, insertSubscription, insertUser } from '../../src/stores/contract/sql-builders.ts'
import { accepted, retry } from '../../src/transports/outcome.ts'
import { testClock } from '../support/clock.ts'
import { quietWatch } from '../support/clock-watch.ts'
import { emptyReport } from '../support/deliveries/empty-report.ts'
import { occurrences } from '../support/deliveries/occurrences.ts'
import { openChosenStores } from '../support/rerun-stores.ts'
import { size } from '../support/size.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Summer time begins on the 8th in New York and on the 29th in Berlin. */
const START = Date.UTC(2026, 1, 20)
const END = START + size(45, 366) * DAY
/** How often the clock is checked between the dates. */
const STEP = size(12, 1) * HOUR
const RECIPIENTS = ['ann@example.com', 'bob@example.com']

const at = (text: string): number => Date.parse(`${text}Z`)
const schedule = (frequency: Schedule['frequency'], start: string, input: Partial<Schedule> = {}): Schedule => ({
  frequency,
  interval: 1,
  byweekday: null,
  bysetpos: null,
  count: null,
  startDate: at(start),
  untilDate: null,
  timezone: 'UTC',
  ...input,
})
const weekdays: Schedule['byweekday'] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']

const SCHEDULES: Schedule[] = [
  schedule('daily', '2026-02-20T09:00'),
  schedule('daily', '2026-02-21T09:00', { interval: 3 }),
  schedule('daily', '2026-02-20T00:00', { byweekday: weekdays }),
  schedule('daily', '2026-02-25T23:59', { count: 7 }),
  schedule('daily', '2026-02-20T06:30', { untilDate: at('2026-03-05T06:30') }),
  // 02:30 in local time: skipped once in spring, there twice in autumn.
  schedule('daily', '2026-02-21T07:30', { timezone: 'America/New_York' }),
  schedule('daily', '2026-02-21T01:30', { timezone: 'Europe/Berlin' }),
  schedule('weekly', '2026-02-21T10:15'),
  schedule('weekly', '2026-02-21T10:15', { interval: 2, byweekday: ['wednesday'] }),
  schedule('weekly', '2026-02-22T08:00', { byweekday: ['monday', 'thursday', 'sunday'] }),
  schedule('weekly', '2026-02-22T08:00', { byweekday: ['monday', 'friday'], bysetpos: -1, timezone: 'Europe/Berlin' }),
  schedule('weekly', '2026-02-23T13:00', { byweekday: ['monday'], timezone: 'America/New_York', count: 5 }),
  schedule('monthly', '2026-02-28T12:00'),
  schedule('monthly', '2026-03-31T12:00'),
  schedule('monthly', '2026-02-21T09:00', { byweekday: ['monday'], bysetpos: 1 }),
  schedule('monthly', '2026-02-21T09:00', { byweekday: weekdays, bysetpos: -1 }),
  schedule('monthly', '2026-02-21T22:00', { interval: 2, byweekday: ['wednesday', 'friday'], bysetpos: 2 }),
  schedule('monthly', '2026-02-21T09:00', { byweekday: ['tuesday'], untilDate: at('2026-04-14T09:00') }),
  schedule('yearly', '2026-03-29T01:30', { timezone: 'Europe/Berlin' }),
  schedule('yearly', '2026-02-21T07:00', { byweekday: ['friday'], bysetpos: 10 }),
]

/** In the large run, a line for each month. */
function progress() {
  let last = ''
  return (moment: number, count: number): void => {
    const month = new Date(moment).toISOString().slice(0, 7)
    if (month !== last && process.env.SOAK !== undefined) console.log(`  … ${month}: ${count} received`)
    last = month
  }
}

let opened: OpenedSql
beforeEach(async () => {
  opened = await openChosenStores()
})
afterEach(() => opened.end())

it(`delivers every date of ${SCHEDULES.length} schedules once, and nothing besides`, {
  timeout: 3_600_000,
}, async () => {
  const { stores } = opened
  const clock = testClock(START)
  const projectId = (await insertProject(stores)).id
  const createdById = (await insertUser(stores)).id
  const expected = new Set<string>()
  const moments = new Set<number>()
  for (const rule of SCHEDULES) {
    const nextDeliveryDate = nextDelivery(rule, START)
    const target = { targetValue: RECIPIENTS.join(','), nextDeliveryDate }
    const { id } = await insertSubscription(stores, { projectId, createdById, ...rule, ...target })
    const dates = occurrences(rule, END).filter((date) => date > START + 15 * MINUTE)
    expect(nextDeliveryDate).toBe(dates[0] ?? expect.anything())
    for (const date of dates) {
      moments.add(Math.ceil(date / MINUTE) * MINUTE)
      for (const recipient of RECIPIENTS) expected.add(`${id} ${new Date(date).toISOString()} ${recipient}`)
    }
  }

  const received = new Map<string, number>()
  const offTime: string[] = []
  let refusals = 0
  const post = async ({ delivery, recipient }: OutgoingMessage) => {
    // One in seven is refused the first time.
    if (recipient.attempts === 1 && ++refusals % 7 === 0) return retry('busy')
    const due = delivery.scheduledAt ?? 0
    const key = `${delivery.subscriptionId} ${new Date(due).toISOString()} ${recipient.recipient}`
    received.set(key, (received.get(key) ?? 0) + 1)
    const lateness = clock.now() - due
    if (lateness < 0 || (recipient.attempts === 1 && lateness >= MINUTE) || delivery.isLate) offTime.push(key)
    return accepted
  }
  const runner = new Runner({
    stores,
    clock,
    watch: quietWatch(stores, clock),
    recurring: [
      {
        name: 'due',
        cron: '* * * * *',
        destructive: false,
        run: async () => {
          await createDueDeliveries({ stores, clock, channels: { problemOf: () => null, mailDomain: 'acme.example' } })
        },
      },
    ],
    workers: [createDeliverWorker({ stores, clock, makeReport: emptyReport, post, canNotify: false })],
    failed: () => {},
    broken: (error) => {
      throw error
    },
    random: () => 0,
  })

  for (let moment = START; moment <= END + HOUR; moment += STEP) moments.add(moment)
  const say = progress()
  for (const moment of [...moments].sort((a, b) => a - b)) {
    for (const now of [moment, moment + 10_000]) {
      clock.set(now)
      await runner.runDue()
    }
    say(moment, received.size)
  }
  await runner.stop()

  const onlyUntilEnd = [...received.keys()].filter((key) => at(key.split(' ')[1]?.slice(0, -1) ?? '') <= END)
  expect(onlyUntilEnd.sort()).toEqual([...expected].sort())
  expect([...received].filter(([, times]) => times !== 1)).toEqual([])
  expect(offTime).toEqual([])
  expect(refusals).toBeGreaterThan(100)
})
