/** Tells a disk without space from other failures, whichever part of the system says so: Node, SQLite, DuckDB or PostgreSQL. */

const CODES = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', '53100']

/**
 * Errors that come from a thread have no code any more. Messages of an engine may quote what was sent: only those count
 * that begin like a failure of the engine itself.
 */
const SQLITE_FULL = 'database or disk is full'
const ENGINE_FAULT =
  /^(?:ENOSPC|(?:IO|TransactionContext|Fatal|Internal|Out of Memory)\b[^:]*Error|(?:Could not|Cannot|Failed to|Unable to) (?:write|open|create|sync|truncate|offload|commit))/i
const NO_SPACE = /\bno space left on device\b|\bdisk quota exceeded\b|\bENOSPC\b/i

const saysSo = (message: string): boolean =>
  message === SQLITE_FULL || (ENGINE_FAULT.test(message) && NO_SPACE.test(message))

/** Of the error itself or of what caused it. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && CODES.includes(code)) return true
  return saysSo(error.message) || isDiskFull(error.cause)
}
