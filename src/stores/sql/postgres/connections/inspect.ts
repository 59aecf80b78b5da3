/** A look at PostgreSQL for whoever runs it: on a connection of its own, changing nothing. */
import type pg from 'pg'
import { OperatorError } from '../../../../lib/errors.ts'
import { wordsOf } from './failures.ts'
import { createClient, endSoon } from './pool.ts'
import { readPostgresUrl } from './read-url.ts'
import { problemWith, readFacts } from './start-checks.ts'

export interface PostgresReport {
  /** Why Hedgerow cannot use it, in a sentence; null: it can. */
  problem: string | null
  version: string
  encoding: string
  collation: string
  role: string
  schema: string | null
  /** Whether there is a store in it. */
  hasStore: boolean
  /** How far its clock is ahead of ours; and how long it takes to ask it. */
  clockAheadMs: number
  roundTripMs: number
  /** Connections that we may still open, how many we have, and how many we may come to have. */
  connections: { left: number; ours: number; most: number }
}

/** Of the server, of the role and of the database: whichever is reached first. */
const CONNECTIONS = `
  with own as (select count(*) as count from pg_stat_activity where usename = current_user)
  select least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0)
        - (select sum(numbackends) from pg_stat_database),
      case when rolconnlimit >= 0 then rolconnlimit - (select count from own) end,
      case when datconnlimit >= 0 then datconnlimit - pg_stat_get_db_numbackends(pg_database.oid) end) as left,
    (select count(*) from pg_stat_activity
      where usename = current_user and datname = current_database() and application_name = 'hedgerow') - 1 as ours,
    datcollate as collation
  from pg_roles, pg_database where rolname = current_user and datname = current_database()`

async function askClock(client: pg.Client): Promise<{ aheadMs: number; roundTripMs: number }> {
  const before = Date.now()
  const began = performance.now()
  const { rows } = await client.query('select extract(epoch from clock_timestamp()) * 1000 as now')
  const roundTripMs = performance.now() - began
  return { aheadMs: rows[0].now - (before + roundTripMs / 2), roundTripMs }
}

async function look(client: pg.Client, pool: number): Promise<PostgresReport> {
  await client.connect()
  const { version, encoding, role, schema, owner, ...facts } = await readFacts(client)
  const { left, ours, collation } = (await client.query(CONNECTIONS)).rows[0]
  const { aheadMs, roundTripMs } = await askClock(client)
  return {
    problem: problemWith({ ...facts, version, encoding, role, schema, owner }),
    version,
    encoding,
    collation,
    role,
    schema,
    hasStore: owner !== null,
    clockAheadMs: aheadMs,
    roundTripMs,
    // Two more are for the lock of a server and for its messages.
    connections: { left, ours, most: pool + 2 },
  }
}

export async function inspectPostgres(url: string): Promise<PostgresReport> {
  const address = readPostgresUrl(url)
  const client = await createClient(address)
  client.on('error', () => {})
  try {
    return await look(client, address.pool)
  } catch (cause) {
    throw new OperatorError(`PostgreSQL cannot be used: ${wordsOf(cause)}.`, cause)
  } finally {
    await endSoon(client)
  }
}
