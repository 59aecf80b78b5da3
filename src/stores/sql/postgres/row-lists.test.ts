/** Rows that are written as lists: by how many statements, and what they can hold. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { engines, newDatabase, type TestDatabase } from '../../../../test/support/postgres/databases.ts'
import type { SqlStores, SqlWriters } from '../../../model/stores.ts'
import { migrate } from '../migrate.ts'
import { sqlStores } from '../sql-stores.ts'
import { openPostgres, type PostgresEngine } from './open-postgres.ts'

const NOW = Date.UTC(2026, 0, 1)
const PROJECT = 1

describe.each(engines)('lists of rows on $name', (postgres) => {
  let database: TestDatabase
  let engine: PostgresEngine
  let stores: SqlStores
  beforeAll(async () => {
    database = await newDatabase(postgres)
    engine = await openPostgres({ url: database.url, scanLimitMs: 10_000 })
    await migrate(engine)
    stores = sqlStores({ engine, scans: engine.scans, committed: () => {} })
  })
  afterAll(async () => {
    await engine.close()
    await database.drop()
  })

  /** How many statements `work` sends, and its result. */
  const counted = <T>(work: (tx: SqlWriters) => Promise<T>) =>
    stores.transaction(async (tx) => {
      const sent = vi.spyOn(pg.Client.prototype, 'query')
      const result = await work(tx)
      const statements = sent.mock.calls.length
      sent.mockRestore()
      return { result, statements }
    })

  const person = (uuid: string, properties = '{}') => ({
    uuid,
    properties,
    isIdentified: false,
    createdAt: NOW,
    lastSeenAt: null,
  })
  const people = (prefix: string, count: number, properties?: string) =>
    Array.from({ length: count }, (_, number) => person(`${prefix} ${number}`, properties))
  const add = (some: ReturnType<typeof people>) => counted((tx) => tx.intake.addPersons(PROJECT, some, NOW))

  it('are one statement for some hundred people', async () => {
    const { result, statements } = await add(people('few', 300))
    expect(result).toHaveLength(300)
    expect(statements).toBe(1)
  })

  it('are none for nobody', async () => {
    expect(await add([])).toEqual({ result: [], statements: 0 })
  })

  it('are divided where they are long, by rows or by characters', async () => {
    expect(await add(people('many', 12_000))).toMatchObject({ statements: 3 })
    const large = JSON.stringify({ text: 'x'.repeat(400_000) })
    const { result, statements } = await add(people('large', 5, large))
    expect(statements).toBe(3)
    expect(new Set(result).size).toBe(5)
  })

  it('hold what is longer than a statement should be, if it is one row', async () => {
    const properties = JSON.stringify({ text: 'x'.repeat(3_000_000) })
    const { result, statements } = await add([person('one'), person('two', properties), person('three')])
    expect(statements).toBe(3)
    const found = await stores.persons.find(PROJECT, { id: result[1] as number })
    expect(JSON.stringify(found?.properties)).toBe(properties)
  })

  it('do not fail for a NUL, which is stored as something else', async () => {
    const { result } = await add([person('a\0b'), person('a'), person('a\0b')])
    expect(result).toEqual([expect.any(Number), expect.any(Number), null])
    const found = await stores.persons.find(PROJECT, { id: result[0] as number })
    expect(found?.uuid).not.toContain('\0')
  })

  it('of people that changed are one statement', async () => {
    const { result } = await add(people('saved', 300))
    const rows = result.map((id) => ({ ...person('', '{"a":"b"}'), id: id as number }))
    expect(await counted((tx) => tx.intake.savePersons(rows, NOW))).toMatchObject({ statements: 1 })
    expect(await stores.persons.find(PROJECT, { uuid: 'saved 299' })).toMatchObject({ properties: { a: 'b' } })
  })

  it('of the history are one statement too', async () => {
    const changes = Array.from({ length: 300 }, (_, number) => ({
      personId: 1,
      set: { number },
      once: {},
      removed: [],
      at: NOW,
      seq: number,
      eventUuid: null,
    }))
    expect(await counted((tx) => tx.persons.addHistory(PROJECT, changes))).toMatchObject({ statements: 1 })
  })
})
