/**
 * Three processes deliver from one store and are killed at random points, repeatedly. Every date reaches every
 * recipient; none comes twice except those that a process had sent and could not record when it was killed, and these
 * come again under the same id, as the history shows.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { insertProject, insertSubscription, insertUser } from '../../../src/stores/contract/sql-builders.ts'
import { openSql } from '../../../src/stores/open.ts'
import type { DeliveryProcessParts, ReceivedLine } from '../../support/deliveries/delivery-process.ts'
import { removeFolder, tempFolder } from '../../support/program.ts'
import { size } from '../../support/size.ts'
import { sqlUrlOf } from '../../support/stores/stores.ts'

const SUBSCRIPTIONS = size(8, 40)
const DATES = size(4, 30)
const KILLS_AT_LEAST = size(5, 60)
const RECIPIENTS = ['ann@example.com', 'bob@example.com', 'cid@example.com']
const PROCESSES = 3

const DAY = 86_400_000
/** As long as the lease of a crashed process lasts, and a bit more. */
const LEASE = 61_000
const START = Date.UTC(2026, 2, 4, 9)

let folder: string
let alive: Set<ChildProcess>
beforeEach(() => {
  folder = tempFolder()
  alive = new Set()
})
afterEach(() => {
  for (const child of alive) child.kill('SIGKILL')
  removeFolder(folder)
})

const open = async () => openSql({ dataDir: folder, sqlUrl: await sqlUrlOf(folder), eventsUrl: null, blobsUrl: null })
const linesOf = (name: string): string[] =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean) : []

async function prepare(): Promise<{ projectId: number; ids: number[] }> {
  const { stores, close } = await open()
  const projectId = (await insertProject(stores)).id
  const createdById = (await insertUser(stores)).id
  const ids: number[] = []
  for (let i = 0; i < SUBSCRIPTIONS; i++) {
    const { id } = await insertSubscription(stores, {
      projectId,
      createdById,
      frequency: 'daily',
      startDate: START,
      count: DATES,
      targetValue: RECIPIENTS.join(','),
      nextDeliveryDate: START,
    })
    ids.push(id)
  }
  await close()
  return { projectId, ids }
}

async function startProcess(killAt: number): Promise<ChildProcess> {
  const parts: DeliveryProcessParts = {
    dataDir: folder,
    sqlUrl: await sqlUrlOf(folder),
    receivedFile: join(folder, 'received'),
    unnotedFile: join(folder, 'unnoted'),
    killAt,
  }
  const file = new URL('../../support/deliveries/delivery-process.ts', import.meta.url)
  const child = fork(file, [JSON.stringify(parts)], { execArgv: ['--import', 'tsx'] })
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  await once(child, 'message')
  return child
}

/** Has it do what is due; false when it was killed meanwhile. Any other end is a failure of the test. */
function runAt(child: ChildProcess, now: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const over = (_code: number | null, signal: NodeJS.Signals | null) => {
      child.off('message', done)
      if (signal === 'SIGKILL') resolve(false)
      else reject(new Error('A process ended by itself.'))
    }
    const done = () => {
      child.off('exit', over)
      resolve(true)
    }
    child.once('exit', over)
    child.once('message', done)
    child.send({ now })
  })
}

/** Killed processes are replaced: by some that will be killed, until there were enough of these. */
class Crew {
  kills = 0
  #children: ChildProcess[] = []

  async runAt(now: number, killable: boolean): Promise<void> {
    while (this.#children.length < PROCESSES) {
      // Somewhere in the work that one process has with one date.
      const killAt = killable && this.kills < KILLS_AT_LEAST ? randomInt(1, 6 * SUBSCRIPTIONS) : 0
      this.#children.push(await startProcess(killAt))
    }
    const lived = await Promise.all(this.#children.map((child) => runAt(child, now)))
    this.kills += lived.filter((one) => !one).length
    this.#children = this.#children.filter((_, place) => lived[place])
  }

  end(): void {
    for (const child of this.#children) child.disconnect()
  }
}

const say = (text: string): void => {
  if (process.env.SOAK !== undefined) console.log(`  … ${text}`)
}

/** Over several leases each, so that what the killed ones held is taken over. */
async function drive(crew: Crew): Promise<void> {
  for (let date = 0; date < DATES; date++) {
    for (let turn = 0; turn < 4; turn++) await crew.runAt(START + date * DAY + turn * LEASE, true)
    say(`date ${date + 1} of ${DATES}, ${crew.kills} kills`)
  }
  const end = START + (DATES - 1) * DAY
  for (let turn = 4; turn < 8; turn++) await crew.runAt(end + turn * LEASE, false)
  crew.end()
}

/** The ids that were received more than once; each has to be one that could not be recorded. */
function repeatsIn(received: ReceivedLine[]): string[] {
  const unnoted = new Set(linesOf('unnoted'))
  const times = new Map<string, number>()
  for (const { messageId } of received) times.set(messageId ?? '', (times.get(messageId ?? '') ?? 0) + 1)
  const keys = new Set(received.map((line) => `${line.subscription} ${line.scheduledAt} ${line.recipient}`))
  // Each date and recipient has one id, and every one of them was received.
  expect([keys.size, times.size]).toEqual([SUBSCRIPTIONS * DATES * RECIPIENTS.length, keys.size])
  const repeated = [...times].filter(([, count]) => count > 1).map(([id]) => id)
  for (const id of repeated) expect(unnoted).toContain(id)
  return repeated
}

async function checkHistory(projectId: number, subscriptionIds: number[], repeated: string[]): Promise<void> {
  const { stores, close } = await open()
  for (const subscriptionId of subscriptionIds) {
    const { items } = await stores.deliveries.list({ projectId, subscriptionId }, { limit: 100, offset: 0 })
    expect(items.map(({ status }) => status)).toEqual(Array(DATES).fill('completed'))
    const rows = await stores.deliveries.recipients(items.map(({ id }) => id))
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['sent']))
    const twice = rows.filter(({ messageId }) => repeated.includes(messageId ?? ''))
    expect(twice.every(({ possibleRepeat }) => possibleRepeat)).toBe(true)
  }
  expect((await stores.jobs.backlog(START + DATES * DAY)).parked).toBe(0)
  await close()
}

it('three processes, killed at random points, deliver everything; a repeat has its reason and its id', {
  timeout: 3_600_000,
}, async () => {
  const { projectId, ids } = await prepare()
  const crew = new Crew()
  await drive(crew)
  expect(crew.kills).toBeGreaterThanOrEqual(KILLS_AT_LEAST)
  const received = linesOf('received').map((line) => JSON.parse(line) as ReceivedLine)
  const repeated = repeatsIn(received)
  await checkHistory(projectId, ids, repeated)
  say(`${crew.kills} kills, ${received.length} received, ${repeated.length} of them twice`)
})
