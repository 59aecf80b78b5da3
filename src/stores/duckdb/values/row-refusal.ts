/**
 * Tells rows that the engine will never take from an engine that cannot take any: the first are refused as
 * `unprocessable`, so that they can be set aside; the others keep their error.
 */
import { AppError } from '../../../lib/errors.ts'

/**
 * How the engine begins what it says for lack of memory or disk, or when it is broken: rows are buffered and spilled
 * while they are appended. The appender leaves out the kind of error that statements begin with. Only the beginning is
 * looked at, for errors may quote what is in a row.
 */
const OWN_FAULTS = [
  /^(?:Out of Memory|IO|Permission|Fatal|Internal|TransactionContext|Interrupt|Connection)\b[^:]*Error/i,
  /^(?:Could not|Cannot|Failed to|Unable to) (?:read|write|open|create|sync|truncate|seek|allocate|offload|pin|commit)/i,
  /^(?:Array buffer allocation failed|No space left)/i,
]

/** JavaScript that stumbles over what it reads; V8's words may begin like the engine's ("Cannot read properties of …"). */
const isOfContent = (error: unknown): boolean => error instanceof TypeError || error instanceof SyntaxError

const isOwnFault = (message: string): boolean => {
  const words = message.replace(/^Failed to append: /, '')
  return OWN_FAULTS.some((pattern) => pattern.test(words))
}

/** Runs what, in a sound engine, can only fail for what is in the rows. */
export async function onRows<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const { message } = cause as Error
    if (!isOfContent(cause) && isOwnFault(message)) throw cause
    throw new AppError('unprocessable', 'refused_rows', message, { cause })
  }
}
