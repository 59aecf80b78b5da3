/**
 * What PostgreSQL and the way to it may fail with, in our words: a request that met a server that is away, or too busy, is
 * refused as `unavailable` and may be repeated. All else is left as it is. A disk without space there is told by
 * lib/disk-full.ts.
 *
 * Whether a commit whose answer was lost has happened is not known. It is refused likewise, and never run again from here.
 */
import { errorText, StoreUnavailable } from '../../../../lib/errors.ts'

/** The engine's codes, by how they begin. After each of them the connection is of no more use. */
const AWAY_CODES = [
  // The connection failed, or was refused by the log-in.
  '08',
  '28',
  // It ends or starts: by an administrator, by a crash, not yet ready, the database dropped.
  '57P',
  '3D000',
  // Idle in a transaction for too long: the connection is cut.
  '25P03',
  // Writes are refused: it was a primary, and another is now.
  '25006',
]

/** A prepared statement does not fit the tables any more, as a newer version has added to them, or is gone. */
const OUTDATED_CODES = ['0A000', '26000']

const BUSY_CODES = [
  // A statement took too long, or waited too long for a lock.
  '57014',
  '55P03',
  // No connection, or no memory, is left.
  '53300',
  '53200',
]

/** Of Node: nobody there, or nobody any more. */
const AWAY_ERRNOS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EACCES',
]

/** Of the library, which has no codes for them. */
const AWAY_WORDS =
  /^Connection terminated|not queryable|^The server does not support SSL|^There was an error establishing/
const BUSY_WORDS = /^timeout exceeded when trying to connect/

/** The engine's code of an error, or Node's; empty when it has none. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** It and another waited for each other, which only a change of the tables makes reads do. */
export const DEADLOCK = '40P01'

/** The statement may be asked again on a connection that was opened since. */
export const isOutdated = (error: unknown): boolean => OUTDATED_CODES.includes(codeOf(error))

/** A statement by itself failed for what a change of the tables did, and may be asked again. */
export const hasMetMigration = (error: unknown): boolean => isOutdated(error) || codeOf(error) === DEADLOCK

function reasonOf(error: unknown): 'sql_away' | 'sql_busy' | null {
  if (!(error instanceof Error)) return null
  const code = codeOf(error)
  const begins = (start: string) => code.startsWith(start)
  if (BUSY_CODES.includes(code) || BUSY_WORDS.test(error.message)) return 'sql_busy'
  if (AWAY_CODES.some(begins) || AWAY_ERRNOS.includes(code) || AWAY_WORDS.test(error.message)) return 'sql_away'
  // Certificates that are not believed any more.
  if (/^ERR_(?:TLS|SSL)|CERT|SELF_SIGNED/.test(code)) return 'sql_away'
  return null
}

/** The error as the caller gets it. */
export function translated(error: unknown): unknown {
  const reason = reasonOf(error)
  return reason === null ? error : new StoreUnavailable(reason, error)
}

/** What went wrong, in a line; several addresses of a host may each have failed in their own way. */
export function wordsOf(error: unknown): string {
  const all = error instanceof AggregateError ? error.errors : [error]
  return all.map((one) => errorText(one).replaceAll(/\s+/g, ' ')).join('; ')
}
