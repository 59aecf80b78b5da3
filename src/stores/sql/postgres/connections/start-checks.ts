/**
 * What is looked at before PostgreSQL is used, each refused with a sentence: its version, its encoding, whether it takes
 * writes, our rights, and whether our connections stay the same ones. Changes nothing.
 */
import type pg from 'pg'
import { OperatorError } from '../../../../lib/errors.ts'

const OLDEST = 15

export interface ServerFacts {
  /** For example 150004. */
  number: number
  version: string
  encoding: string
  is_standby: number
  role: string
  database: string
  /** Null when the search path names none that there is. */
  schema: string | null
  /** Null without a schema. */
  may_create: number | null
  /** Of the tables that are there; null when there are none yet. */
  owner: string | null
  owns: number | null
}

const FACTS = `
  select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
    pg_encoding_to_char(encoding) as encoding, pg_is_in_recovery() as is_standby, current_user as role,
    datname as database, current_schema() as schema, has_schema_privilege(current_schema(), 'create') as may_create,
    pg_get_userbyid(relowner) as owner, pg_has_role(relowner, 'usage') as owns
  from pg_database left join pg_class
    on relname = 'schema_migrations' and relkind = 'r' and relnamespace = to_regnamespace(quote_ident(current_schema()))
  where datname = current_database()`

export const readFacts = async (client: Pick<pg.ClientBase, 'query'>): Promise<ServerFacts> =>
  (await client.query(FACTS)).rows[0] as ServerFacts

/** What is wrong, in a sentence that says what to do; null: nothing. */
export function problemWith(facts: ServerFacts): string | null {
  const { number, version, encoding, role, database, schema, owner } = facts
  if (number < OLDEST * 10_000) return `PostgreSQL ${version} is too old. Hedgerow needs ${OLDEST} or newer.`
  if (encoding !== 'UTF8') {
    return `The database ${database} has the encoding ${encoding}. Make one with UTF8: create database ${database} encoding 'UTF8' template template0.`
  }
  if (facts.is_standby) return 'The PostgreSQL server is a standby, which takes no writes. Name the primary.'
  if (schema === null)
    return `The role ${role} has no schema in the database ${database}. Make one, or set its search_path.`
  if (!facts.may_create) {
    return `The role ${role} may not create tables in the schema ${schema}. Make it the owner of the database, or: grant create on schema ${schema} to ${role}.`
  }
  if (owner !== null && !facts.owns) {
    return `The tables in the schema ${schema} belong to the role ${owner}, not to ${role}. Connect as ${owner}, or: grant ${owner} to ${role}.`
  }
  return null
}

const POOLED =
  'Between Hedgerow and PostgreSQL is a pooler that changes connections from one transaction to the next, as PgBouncer does with pool_mode=transaction: prepared statements and locks would be lost. Use pool_mode=session, or connect to PostgreSQL itself.'

const pidOf = async (client: pg.ClientBase): Promise<number> =>
  (await client.query('select pg_backend_pid() as pid')).rows[0].pid

/**
 * Whether a pooler gives statements of one of our connections to different ones of the server. A pooler has its own number
 * for a connection, so where the server names the same as at the log-in there is none. Where there is one: it gives the
 * connection that was used last to whoever asks next, or the one that was not used for longest. In both cases one of
 * ours meets another's within these statements, unless each has its own.
 */
async function arePooled(one: pg.ClientBase, other: pg.ClientBase): Promise<boolean> {
  const pid = await pidOf(one)
  if (pid === (one as unknown as { processID: number }).processID) return false
  if ((await pidOf(one)) !== pid) return true
  await other.query('begin')
  try {
    return (await pidOf(other)) === pid || (await pidOf(one)) !== pid
  } finally {
    await other.query('rollback')
  }
}

async function refusePooler(pool: pg.Pool, one: pg.ClientBase): Promise<void> {
  const other = await pool.connect()
  try {
    if (await arePooled(one, other)) throw new OperatorError(POOLED)
  } finally {
    other.release(true)
  }
}

/** Throws an OperatorError when the server cannot be used as it is. */
export async function checkServer(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    const problem = problemWith(await readFacts(client))
    if (problem !== null) throw new OperatorError(problem)
    await refusePooler(pool, client)
  } finally {
    client.release()
  }
}
