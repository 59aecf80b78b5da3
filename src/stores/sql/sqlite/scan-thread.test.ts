import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PAGE_BYTES } from '../../../model/page.ts'
import type { PersonLookup } from '../../../model/persons/person.ts'
import { type Lists, manyLists } from '../../contract/list-builders.ts'
import { EVERYTHING, newRecording } from '../../contract/recording-builders.ts'
import { NOW, newInsight } from '../../contract/sql-builders.ts'
import { type OpenSql, openSql } from '../../open.ts'
import { PORTION } from '../queries/keyset-ranges.ts'
import { readersOn } from '../scan-readers.ts'
import { registerSqliteFunctions } from './functions.ts'
import { openSqliteReader } from './open-sqlite.ts'
import { ScanThread } from './scan-thread.ts'
import { openScans } from './scans.ts'

const PERSONS = PORTION + 100
/** An e-mail that all have: they are counted in portions. */
const anyone: PersonLookup = { email: 'same@example.com' }
const page = { limit: 1, offset: 0 }

let dataDir: string
let opened: OpenSql | null = null

const open = async (limitMs?: number) => {
  opened = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null }, { scanLimitMs: limitMs })
  return opened.stores
}

const fill = async (stores: OpenSql['stores'], count: number) => {
  await stores.transaction(async (tx) => {
    for (let n = 0; n < count; n++) {
      const person = { projectId: 1, uuid: randomUUID(), properties: { ...anyone }, isIdentified: true }
      await tx.persons.create({ ...person, createdAt: n }, [])
    }
  })
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-scans-'))
})
afterEach(async () => {
  await opened?.close()
  opened = null
  rmSync(dataDir, { recursive: true, force: true })
})

const timeout = { kind: 'timeout', code: 'timeout' }

describe('the deadline of a scan', () => {
  it('is checked between portions', async () => {
    const stores = await open(0)
    await fill(stores, PORTION - 1)
    expect(await stores.persons.count(1, anyone)).toBe(PORTION - 1)
    await fill(stores, 101)
    await expect(stores.persons.count(1, anyone)).rejects.toMatchObject(timeout)
    expect(await stores.persons.count(1, {})).toBe(PERSONS)
  })

  it('is checked between portions of recordings, in any order', async () => {
    const stores = await open(0)
    const made = async (count: number) =>
      stores.transaction(async (tx) => {
        for (let n = 0; n < count; n++) await tx.recordings.create(newRecording({ projectId: 1 }), [])
      })
    await made(PORTION - 1)
    const filter = { ...EVERYTHING, order: { by: 'click_count', ascending: false } } as const
    const [list, count] = [
      () => stores.recordings.list(1, filter, page, NOW),
      () => stores.recordings.count(1, EVERYTHING, NOW),
    ]
    expect([(await list()).length, await count()]).toEqual([1, PORTION - 1])
    await made(101)
    await expect(list()).rejects.toMatchObject(timeout)
    await expect(count()).rejects.toMatchObject(timeout)
  })

  it('is checked between the statements of every list', async () => {
    const stores = await open(0)
    const { activity, deletions, deliveries, intake, insights, dashboards, subscriptions } = stores
    const lists = [
      () => stores.persons.list(1, {}, page),
      () => activity.page({ projectId: 1 }, page),
      () => deletions.list({ projectId: 1 }, page),
      () => deliveries.list({ projectId: 1, subscriptionId: 1 }, page),
      () => intake.warnings(1, null, page),
      () => insights.list({ projectId: 1, deleted: false }, page),
      () => dashboards.list({ projectId: 1, deleted: false }, page),
      () => subscriptions.list({ projectId: 1, deleted: false }, [], page),
    ]
    for (const list of lists) await expect(list()).rejects.toMatchObject(timeout)
    expect(await activity.pageAfter({ projectId: 1 }, null, 1)).toEqual([])
    expect(await deletions.listAfter({ projectId: 1 }, null, 1)).toEqual([])
  })

  it('is checked between the portions of every list, none of which reads more rows', async () => {
    const stores = await open()
    const lists = await manyLists(stores, 3 * PORTION)
    let pauses = 0
    const pause = async () => {
      pauses += 1
    }
    const reader = openSqliteReader(join(dataDir, 'hedgerow.db'), registerSqliteFunctions, pause)
    for (const { name, list, expected } of lists) {
      pauses = 0
      await list(readersOn(reader) as unknown as Lists, page)
      expect(pauses, name).toBeGreaterThanOrEqual(Math.floor(expected.length / PORTION) + 2)
    }
    await stores.transaction(async (tx) => {
      for (let n = 0; n < 2 * PORTION; n++) await tx.recordings.create(newRecording({ projectId: 1 }), [])
    })
    pauses = 0
    const mine = { ...EVERYTHING, distinctIds: ['d-1'] }
    expect(await readersOn(reader).recordings.count(1, mine, 0)).toBe(2 * PORTION)
    expect(pauses).toBeGreaterThanOrEqual(2)
    await reader.db.destroy()
  })

  it('does not apply to complete walks', async () => {
    const stores = await open(0)
    await fill(stores, 3)
    const { persons, next } = await stores.persons.listAfter(1, {}, null, 2)
    expect(persons).toHaveLength(2)
    expect((await stores.persons.listAfter(1, {}, next, 2)).persons).toHaveLength(1)
    const ids = persons.map(({ id }) => id)
    expect((await stores.persons.listByIds(1, ids, PAGE_BYTES)).persons).toEqual(persons)
  })
})

describe('a scan', () => {
  it('ends when it is aborted, and others go on', async () => {
    const stores = await open()
    await fill(stores, 3 * PORTION)
    const controller = new AbortController()
    const [given, kept] = [stores.persons.count(1, anyone, controller.signal), stores.persons.count(1, anyone)]
    controller.abort()
    await expect(given).rejects.toMatchObject(timeout)
    expect(await kept).toBe(3 * PORTION)
    const walks = [
      stores.persons.listAfter(1, {}, null, 1, controller.signal),
      stores.persons.listByIds(1, [1], PAGE_BYTES, controller.signal),
    ]
    for (const walk of walks) await expect(walk).rejects.toMatchObject(timeout)
  })

  it('runs while a longer one is in progress', async () => {
    const stores = await open()
    await fill(stores, 3 * PORTION)
    const done: string[] = []
    const long = stores.persons.count(1, anyone).then(() => done.push('long'))
    const short = stores.persons.list(1, anyone, page).then(() => done.push('short'))
    await Promise.all([long, short])
    expect(done).toEqual(['short', 'long'])
  })

  it('sees what was committed before it', async () => {
    const stores = await open()
    for (let n = 1; n <= 20; n++) {
      await fill(stores, 1)
      expect(await stores.persons.count(1, anyone)).toBe(n)
    }
  })
})

describe('the thread of scans', () => {
  it('leaves the thread of requests free, also within one statement', async () => {
    const stores = await open(600_000)
    const description = 'Äb'.repeat(100_000)
    await stores.transaction(async (tx) => {
      for (let n = 0; n < 100; n++) await tx.insights.create(newInsight({ projectId: 1, description }))
    })
    const search = (projectId: number) => stores.insights.list({ projectId, deleted: false, search: ['nowhere'] }, page)
    await search(2)
    let turns = 0
    let isOver = false
    const scan = search(1).finally(() => {
      isOver = true
    })
    while (!isOver) {
      turns += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await scan).count).toBe(0)
    // Had it been one statement in this thread, there would be one turn before and a few after.
    expect(turns).toBeGreaterThan(100)
  })

  it('starts with the first scan, ends when there was none for a while, and starts again', async () => {
    const stores = await open()
    await fill(stores, 3)
    const thread = new ScanThread({ path: join(dataDir, 'hedgerow.db'), limitMs: 10_000 }, 1)
    expect(thread.isRunning).toBe(false)
    expect(await thread.readers.persons.count(1, {})).toBe(3)
    await expect.poll(() => thread.isRunning).toBe(false)
    expect(await thread.readers.persons.count(1, {})).toBe(3)
    await thread.close()
  })

  it('ends when the scans in progress have ended, and accepts no more', async () => {
    const stores = await open()
    await fill(stores, 3 * PORTION)
    const scans = await openScans({ path: join(dataDir, 'hedgerow.db'), limitMs: 10_000 })
    const count = scans['persons.count'] as (...args: unknown[]) => Promise<unknown>
    const close = scans.close as () => Promise<unknown>
    const inHand = [count(1, anyone), count(1, anyone)]
    const closed = close()
    await expect(count(1, anyone)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await Promise.all(inHand)).toEqual([3 * PORTION, 3 * PORTION])
    await closed
    await expect(count(1, anyone)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('is not started again after the end', async () => {
    const stores = await open()
    await fill(stores, 3 * PORTION)
    const thread = new ScanThread({ path: join(dataDir, 'hedgerow.db'), limitMs: 10_000 })
    const inHand = thread.readers.persons.count(1, anyone)
    await thread.close()
    expect(await inHand).toBe(3 * PORTION)
    await expect(thread.readers.persons.count(1, {})).rejects.toMatchObject({ kind: 'unavailable' })
    expect(thread.isRunning).toBe(false)
  })

  it('fails a scan of a missing file, and tries again', async () => {
    const path = join(dataDir, 'hedgerow.db')
    const thread = new ScanThread({ path, limitMs: 10_000 })
    await expect(thread.readers.persons.count(1, {})).rejects.toThrow('cannot be opened')
    await open()
    expect(await thread.readers.persons.count(1, {})).toBe(0)
    await thread.close()
  })
})
