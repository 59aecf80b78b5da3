/**
 * A result whose computation began before an erasure and ended after it: the caller may see it, but it is not cached,
 * and no report made of it is sent to others.
 */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createReportMaker } from '../../../src/features/deliveries/make-report.ts'
import { DAY } from '../../../src/lib/time/time.ts'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson, makeProject } from '../../support/make.ts'
import { withTables } from '../../support/stores/tables.ts'

const EMAIL = 'ann.erased@example.com'

let app: TestApp
let projectId: number
let personId: number
let insightId: number
const base = () => `/api/environments/${projectId}`

beforeEach(async () => {
  app = await makeApp()
  projectId = (await makeProject(app)).id
  personId = (await makePerson(app, { projectId, distinctIds: ['ann'], properties: { email: EMAIL } })).id
  await makeEvents(app, [
    { projectId, event: 'seen', distinctId: 'ann', properties: { typed: EMAIL }, timestamp: app.clock.now() - 3 * DAY },
  ])
  const query = {
    kind: 'TrendsQuery',
    dateRange: { date_from: '-30d' },
    series: [{ kind: 'EventsNode', event: 'seen' }],
    breakdownFilter: { breakdown: 'typed', breakdown_type: 'event' },
  }
  insightId = (await app.call('POST', `${base()}/insights/`, { body: { query } })).json().id
})
afterEach(() => app.end())

const read = (refresh: string) => app.call('GET', `${base()}/insights/${insightId}/`, { query: { refresh } })
const keptTexts = async (): Promise<string> =>
  JSON.stringify(await withTables(app, ({ all }) => all('select * from insight_results')))

/** Lets a result be computed, and holds back the transaction that would cache it until `meanwhile` has happened. */
async function during(meanwhile: () => Promise<unknown>): Promise<void> {
  const { transaction } = app.stores
  let computed = () => {}
  const isComputed = new Promise<void>((resolve) => {
    computed = resolve
  })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  app.stores.transaction = async (work) => {
    app.stores.transaction = transaction
    computed()
    await released
    return transaction(work)
  }
  const asked = read('blocking')
  await isComputed
  await meanwhile()
  release()
  expect((await asked).body).toContain(EMAIL)
}

const ERASURES: [string, () => Promise<unknown>][] = [
  ['a person', () => app.call('DELETE', `${base()}/persons/${personId}/`)],
  ['many persons', () => app.call('POST', `${base()}/persons/bulk_delete/`, { body: { ids: [personId] } })],
]

it.each(ERASURES)('is not kept when %s was deleted meanwhile', async (_, erase) => {
  await during(erase)
  expect(await keptTexts()).not.toContain(EMAIL)
  expect((await read('force_cache')).json()).toMatchObject({ result: null, is_cached: false })
})

it('is not kept when events were deleted meanwhile', async () => {
  await app.call('DELETE', `${base()}/persons/${personId}/`, { query: { delete_events: 'true' } })
  await during(async () => {
    app.clock.set(nextDeletionRun(app.clock.now()))
    await app.runner.runDue()
  })
  expect(await keptTexts()).not.toContain(EMAIL)
  expect((await read('blocking')).body).not.toContain(EMAIL)
})

it('is not kept when events expired meanwhile', async () => {
  await app.call('PATCH', `/api/projects/${projectId}/`, { body: { events_retention_days: 2 } })
  await during(async () => {
    app.clock.advance(DAY)
    await app.runner.runDue()
  })
  expect(await countEvents(app.stores.events, projectId)).toBe(0)
  expect(await keptTexts()).not.toContain(EMAIL)
})

it('is not kept when the project was removed meanwhile', async () => {
  await during(() => app.call('DELETE', `/api/projects/${projectId}/`))
  expect(await keptTexts()).not.toContain(EMAIL)
})

it('is gone though the process crashed between the removal of expired events and the note of it', async () => {
  await app.call('PATCH', `/api/projects/${projectId}/`, { body: { events_retention_days: 2 } })
  expect((await read('blocking')).body).toContain(EMAIL)
  const { removeBefore } = app.stores.events
  app.stores.events.removeBefore = async (id, instant) => {
    await removeBefore(id, instant)
    throw new Error('the end')
  }
  app.clock.advance(DAY)
  await app.runner.runDue()
  expect(await countEvents(app.stores.events, projectId)).toBe(0)
  expect(await keptTexts()).not.toContain(EMAIL)
})

it('is kept when nothing was erased, or only of another project', async () => {
  const other = await makePerson(app, { distinctIds: ['bob'] })
  await during(() => app.call('DELETE', `/api/environments/1/persons/${other.id}/`))
  expect(await keptTexts()).toContain(EMAIL)
})

it('a report that was made before is made again for later recipients', async () => {
  const results: string[] = [EMAIL, 'nothing']
  const makeReport = createReportMaker({
    stores: app.stores,
    compute: async () => ({
      kind: 'RetentionQuery',
      period: 'Week',
      rows: [{ label: results.shift() ?? 'asked too often', date: '', values: [] }],
    }),
    draw: async () => readFileSync('/dev/null'),
    links: {
      insight: () => '',
      dashboard: () => '',
      subscription: () => '',
      pages: () => [],
      unsubscribe: () => '',
    } as never,
    failed: () => {},
  })
  const body = {
    target_type: 'email',
    target_value: 'reader@example.com',
    frequency: 'daily',
    start_date: '2026-03-05T00:00:00Z',
    insight: insightId,
  }
  const made = await app.call('POST', `${base()}/subscriptions/`, { body })
  const subscription = await app.stores.subscriptions.find(projectId, made.json().id)
  const delivery = { id: 'd', projectId, occasion: 'scheduled', targetType: 'slack', scheduledAt: null, isLate: false }
  const make = async () => JSON.stringify((await makeReport(delivery as never, subscription as never)).tiles)
  const [first, second] = await Promise.all([make(), make()])
  expect(first).toContain(EMAIL)
  expect(second).toBe(first)
  await app.call('DELETE', `${base()}/persons/${personId}/`)
  expect(await make()).not.toContain(EMAIL)
  expect(await make()).toContain('nothing')
})
