/** How the tables of PostgreSQL are stored, and that old rows leave them without a look at all the others. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, newDatabase, type TestDatabase } from '../../../../test/support/postgres/databases.ts'
import type { Connection } from '../connection.ts'
import { migrate } from '../migrate.ts'
import { intakeWriter } from '../repositories/intake.ts'
import { clearPortion, OWNED } from '../repositories/projects/project-removal.ts'
import { openPostgres, type PostgresEngine } from './open-postgres.ts'

const OLD = 20_000
const ALL = 200_000

describe.each(engines)('the tables of $name', (postgres) => {
  let database: TestDatabase
  let engine: PostgresEngine
  beforeAll(async () => {
    database = await newDatabase(postgres)
    engine = await openPostgres({ url: database.url, scanLimitMs: 10_000 })
    await migrate(engine)
    const { db } = engine.reader
    await sql`insert into event_uuids
      select 1 + n % 2, decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), n
      from generate_series(0, ${ALL - 1}::int) as n`.execute(db)
    // With its statistics the planner prefers to read all of a table for a portion of it, if it can.
    await sql`analyze event_uuids`.execute(db)
  })
  afterAll(async () => {
    await engine.close()
    await database.drop()
  })

  const text = async (query: ReturnType<typeof sql<{ text: string }>>) =>
    (await query.execute(engine.reader.db)).rows.map((row) => row.text)
  /** How many rows of uuids the transaction has read by scans of whole tables. */
  const scanned = async ({ db }: Connection) => {
    const { rows } = await sql<{ rows: number }>`select sum(seq_tup_read)::bigint as rows
      from pg_stat_xact_user_tables where relname like 'event_uuids%'`.execute(db)
    return rows[0]?.rows
  }

  it('have event uuids in parts by their hash, never by day: a unique key holds within a part only', async () => {
    const key = sql<{ text: string }>`select pg_get_partkeydef('event_uuids'::regclass) as text`
    expect(await text(key)).toEqual(['HASH (uuid)'])
    const parts = sql<{ text: string }>`select inhrelid::regclass::text as text from pg_inherits
      where inhparent = 'event_uuids'::regclass`
    expect((await text(parts)).sort()).toEqual(engine.reader.dialect.parts.of('event_uuids').sort())
  })

  it('lose old event uuids without a scan of the others', async () => {
    const removed = await engine.transact(async (connection) => {
      const { forgetUuids } = intakeWriter(connection)
      const portions = [await forgetUuids(OLD, 5_000), await forgetUuids(OLD, 15_000), await forgetUuids(OLD, 5_000)]
      return { portions, scanned: await scanned(connection) }
    })
    expect(removed).toEqual({ portions: [5_000, 15_000, 0], scanned: 0 })
  })

  it('lose the uuids of a removed project without a scan of the others', async () => {
    const table = OWNED.findIndex((owned) => owned.table === 'event_uuids')
    const read = await engine.transact(async (connection) => {
      await clearPortion(connection, 2, { table, row: 0 })
      return scanned(connection)
    })
    // A part at most, and of that no more than it takes to find a portion.
    expect(read).toBeLessThan(ALL / engine.reader.dialect.parts.of('event_uuids').length)
  })

  it('are vacuumed early where rows change all the time, with room on their pages where that helps', async () => {
    const names = ['outbox', 'persons', 'jobs', 'person_counts', ...engine.reader.dialect.parts.of('event_uuids')]
    const rows = sql<{ text: string }>`select relname || ' ' || array_to_string(reloptions, ' ') as text from pg_class
      where reloptions is not null and relkind = 'r' and relnamespace = 'public'::regnamespace`
    const found = await text(rows)
    expect(found.map((row) => row.split(' ')[0]).sort()).toEqual(names.sort())
    expect(found.filter((row) => !row.includes('autovacuum_vacuum_scale_factor'))).toEqual([])
    const filled = found.filter((row) => row.includes('fillfactor')).map((row) => row.split(' ')[0])
    expect(filled.sort()).toEqual(['jobs', 'person_counts', 'persons'])
  })
})
