import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../lib/ids.ts'
import { HOUR } from '../../lib/time/time.ts'
import type { EventStore } from '../../model/events/event.ts'
import { makeBatch, makeEvent, NOON } from '../contract/batch-builders.ts'
import { eventStoreContract } from '../contract/registry.ts'
import { openDuckdbEvents } from './events.ts'
import { openEventsThread } from './events-thread.ts'
import { LIMITS } from './progress.ts'

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-events-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const inNewFile = (open: (path: string) => Promise<EventStore>) => () => {
  const path = join(folder, `${++files}.duckdb`)
  return { open: () => open(path) }
}

/** What a question finds does not depend on how busy the machine is: read-deadline.test.ts is about the limit. */
const PATIENT_MS = 50_000

/**
 * So small that every test moves events from the tail into pieces and runs, folds people and searches in several
 * windows.
 */
const tiny = {
  ...LIMITS,
  pieceEvents: 2,
  runEvents: 5,
  foldRows: 2,
  recentEvents: 2,
  sessionsAtOnce: 150,
  readMs: PATIENT_MS,
}

eventStoreContract(
  'DuckDB in a file and a thread of its own',
  inNewFile((path) => openEventsThread({ path })),
  {
    leaveOut: [
      'property filters',
      'property filters of people',
      'lists of sessions',
      'many people',
      'insights of any size',
      'any number of rows',
    ],
  },
)
/** The rows of a whole suite count as used memory where there is no file. */
const MEMORY_OF_ALL = 512 * 1024 ** 2
const patient = { ...LIMITS, readMs: PATIENT_MS }
const inMemory = { open: () => openDuckdbEvents(':memory:', patient, MEMORY_OF_ALL) }
eventStoreContract('DuckDB in memory', () => inMemory, { survivesClosing: false })
const tidyingUp = inNewFile((path) => openDuckdbEvents(path, tiny))
eventStoreContract('DuckDB always tidying up', tidyingUp, {
  leaveOut: ['property filters', 'property filters of people'],
})

async function query(path: string, sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  const rows = (await connection.runAndReadAll(sql)).getRows()
  connection.closeSync()
  instance.closeSync()
  return rows
}

describe('the DuckDB file', () => {
  it('holds an event’s properties as they were given', async () => {
    const path = join(folder, 'properties.duckdb')
    const properties = JSON.parse(
      '{"__proto__": {"a": 1}, "n": 1e21, "t": "\\u2028é\\"", "deep": [[{"x": null}]], "big": 9007199254740991}',
    )
    const store = await openDuckdbEvents(path)
    await store.apply([makeBatch(1, { events: [makeEvent(1, { properties })] })], NOON)
    await store.close()
    const [row] = await query(path, 'SELECT properties, seq, ord FROM events')
    expect(row).toEqual([JSON.stringify(properties), 1n, 1n])
  })

  it('has each event in exactly one of tail, pieces and runs', async () => {
    const path = join(folder, 'sorted.duckdb')
    const store = await openDuckdbEvents(path, { ...LIMITS, pieceEvents: 10, runEvents: 30 })
    for (let seq = 1; seq <= 16; seq++) {
      const events = Array.from({ length: 5 }, (_, i) => makeEvent(1, { distinctId: `id-${(seq * i) % 7}` }))
      await store.apply([makeBatch(seq, { events })], NOON)
    }
    await store.close()
    const [counts] = await query(
      path,
      `SELECT (SELECT count(*) FROM moments), (SELECT count(*) FROM recent_moments),
        (SELECT count(DISTINCT ord) FROM (SELECT ord FROM moments UNION ALL SELECT ord FROM recent_moments)), (SELECT count(*) FROM events)`,
    )
    expect(counts).toEqual([60n, 20n, 80n, 80n])
  })

  it('keeps one row per person and id in the folded tables', async () => {
    const path = join(folder, 'folded.duckdb')
    const store = await openDuckdbEvents(path, { ...tiny, foldRows: 4 })
    for (const seq of [5, 1, 3, 4, 2]) {
      const persons = [1, 2].map((personId) => ({
        projectId: 1,
        personId,
        uuid: '00000000-0000-0000-0000-000000000001',
        properties: { seq },
        createdAt: 0,
        updatedAt: 0,
        lastSeenAt: null,
        isIdentified: false,
        deleted: false,
      }))
      const distinctIds = ['a', 'b'].map((distinctId) => ({ projectId: 1, distinctId, personId: seq }))
      await store.apply([makeBatch(seq, { persons, distinctIds })], NOON)
    }
    await store.close()
    expect(await query(path, 'SELECT person_id, seq FROM persons ORDER BY person_id')).toEqual([
      [1n, 5n],
      [2n, 5n],
    ])
    expect(await query(path, 'SELECT distinct_id, person_id FROM distinct_ids ORDER BY distinct_id')).toEqual([
      ['a', 5n],
      ['b', 5n],
    ])
  })

  it.each([
    ['within the last day', [0, 1, 2, 3, 4]],
    ['over some days', [0, 0, 20, 50, 90]],
    ['over years', [0, 9_000, 10_000, 20_000, 30_000]],
  ])('lists only the latest sessions when they lie %s', async (_, hoursAgo) => {
    const store = await openDuckdbEvents(':memory:', { ...tiny, listedSessions: 3 })
    for (const [age, hours] of hoursAgo.entries()) {
      const timestamp = NOON - hours * HOUR - age
      const properties = { utm_source: `source ${age}` }
      const event = makeEvent(1, { timestamp, sessionId: uuidV7(timestamp), properties })
      await store.apply([makeBatch(age, { events: [event] })], NOON)
    }
    const values = await store.sessionValues({ projectId: 1, keys: ['$entry_utm_source'], search: null, limit: 9 })
    expect(values.map(({ name }) => name)).toEqual(['source 0', 'source 1', 'source 2'])
    await store.close()
  })

  it('is refused with a clear message when it is newer than the program or no database', async () => {
    const path = join(folder, 'newer.duckdb')
    await (await openDuckdbEvents(path)).close()
    await query(path, 'INSERT INTO schema_version VALUES (999)')
    await expect(openDuckdbEvents(path)).rejects.toThrow(/newer version/)
    await expect(openDuckdbEvents(folder)).rejects.toThrow(/could not be opened/)
  })
})
