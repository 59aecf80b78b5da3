/** Tells a disk without space from other failures, whichever part of the system says so: Node, SQLite or DuckDB. */

const CODES = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']

/** Errors that come from a thread have no code any more. */
const WORDS = /\bno space left on device\b|\bdatabase or disk is full\b|\bdisk quota exceeded\b|\bENOSPC\b/i

/** Of the error itself or of what caused it. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && CODES.includes(code)) return true
  return WORDS.test(error.message) || isDiskFull(error.cause)
}
