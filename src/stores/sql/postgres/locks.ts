/**
 * The advisory locks that Hedgerow takes, and what they are for. A fence is around the people of a project: whoever changes
 * them holds it together with others, and who must know that nobody does holds it alone.
 */
export const LOCKS = {
  /** The schema is being migrated. */
  migration: 0x48e1,
  /** A server runs on the database: alone, or together with others (see connections/server-lock.ts). */
  server: 0x48e2,
  /** Of a project. */
  fence: 0x48e4,
  /** See connections/process-turns.ts. */
  turn: 0x48e5,
}

/** A transaction that changes people holds one of these, with the last number that was taken before it began. */
const BEGUN_CLASS = 0x48e3
/** One key of 64 bits instead of two numbers: the class, then 48 bits of the number. */
const BEGUN = BigInt(BEGUN_CLASS) << 48n
const FIRST_BEGUN = BEGUN_CLASS * 0x10000

export const LAST_SEQ = '(select case when is_called then last_value else 0 end from seq)'

export const LOCK_MIGRATION = `select pg_advisory_xact_lock(${LOCKS.migration}, 0)`

/** In ascending order, so that two never wait for each other. */
const forEach = (call: string, projectIds: number[]): string =>
  [...new Set(projectIds)]
    .sort((a, b) => a - b)
    .map((id) => `select ${call}(${LOCKS.fence}, ${Math.trunc(id)})`)
    .join('; ')

/** For the rest of the transaction; the first that it does. Its own number is for `IN_TRANSACTION`. */
export const enterFences = (projectIds: number[]): string =>
  `${forEach('pg_advisory_xact_lock_shared', projectIds)}; select pg_advisory_xact_lock_shared(${BEGUN} + ${LAST_SEQ}); select pg_current_xact_id()`

/** A condition that is true after `enterFences`, and fails outside of a transaction: there a statement has no number yet. */
export const IN_TRANSACTION = '1 / (pg_current_xact_id_if_assigned() is not null)::integer = 1'

/** Before a transaction begins, so that it sees what others have committed while it waited; until `openFences`. */
export const closeFences = (projectIds: number[]): string => forEach('pg_advisory_lock', projectIds)
export const openFences = (projectIds: number[]): string => forEach('pg_advisory_unlock', projectIds)

/**
 * The last number up to which every transaction that changes people has ended: one that still runs, or begins now, takes a
 * greater one.
 */
export const SETTLED_SEQ = `(select min((classid::bigint - ${FIRST_BEGUN}) * 4294967296 + objid::bigint) from pg_locks
  where locktype = 'advisory' and objsubid = 1 and classid::bigint between ${FIRST_BEGUN} and ${FIRST_BEGUN + 0xffff}
    and database = (select oid from pg_database where datname = current_database()))`
