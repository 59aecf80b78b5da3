/**
 * Distinguishes rows that the engine will never accept from an engine that cannot accept any: the first are refused as
 * `unprocessable`, so that they can be parked; other errors are passed on.
 */
import { AppError } from '../../../lib/errors.ts'

/**
 * How the engine's messages begin when it lacks memory or disk, or is broken: rows are buffered and spilled while they
 * are appended. The appender omits the kind of error that statements begin with. Only the beginning is compared,
 * because errors may quote the content of a row.
 */
const ENGINE_FAULTS = [
  /^(?:Out of Memory|IO|Permission|Fatal|Internal|TransactionContext|Interrupt|Connection)\b[^:]*Error/i,
  /^(?:Could not|Cannot|Failed to|Unable to) (?:read|write|open|create|sync|truncate|seek|allocate|offload|pin|commit)/i,
  /^(?:Array buffer allocation failed|No space left)/i,
]

/**
 * JavaScript errors caused by the content; V8's messages may begin like the engine's ("Cannot read properties of …").
 */
const isContentError = (error: unknown): boolean => error instanceof TypeError || error instanceof SyntaxError

const isEngineFault = (message: string): boolean => {
  const words = message.replace(/^Failed to append: /, '')
  return ENGINE_FAULTS.some((pattern) => pattern.test(words))
}

/** Runs work that, in a healthy engine, can only fail because of the content of the rows. */
export async function onRows<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const { message } = cause as Error
    if (!isContentError(cause) && isEngineFault(message)) throw cause
    throw new AppError('unprocessable', 'refused_rows', message, { cause })
  }
}
