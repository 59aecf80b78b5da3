/**
 * Values as SQL text, the only place that makes any: the oldest server that is supported has no query parameters. Texts are
 * bytes to the engine; each that is not a plain character is written by its number, so that no text can end its literal.
 */
import { isUuid } from '../../../lib/ids.ts'

/** An integer. */
export function int(value: number | bigint): string {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) throw new Error('Only integers are written into SQL.')
  return String(value)
}

const DOUBLE_BYTES = 8

/** A double by its bits: read as text, some are off in the last place. */
export function double(value: number): string {
  if (Number.isNaN(value)) throw new Error('Only numbers are written into SQL.')
  const bytes = Buffer.alloc(DOUBLE_BYTES)
  bytes.writeDoubleLE(value)
  return `reinterpretAsFloat64(unhex('${bytes.toString('hex').toUpperCase()}'))`
}

/** Neither quotes nor backslashes, nor anything that is not ASCII. */
const PLAIN = /^[\w $%&()*+,./:;<=>?@[\]^{|}~!"#-]*$/

function escaped(text: string): string {
  let out = ''
  for (const byte of Buffer.from(text)) {
    const character = String.fromCharCode(byte)
    out += PLAIN.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`
  }
  return out
}

/** A text, in UTF-8. */
export const text = (value: string): string => `'${PLAIN.test(value) ? value : escaped(value)}'`

/** What stands between brackets of `IN (…)`; it must not be empty. */
export function listOf<T>(values: T[], literal: (value: T) => string): string {
  if (values.length === 0) throw new Error('An empty list cannot be written into SQL.')
  return values.map(literal).join(', ')
}

/** SQL of whether `column` is one of these; false for none. */
export const isOneOf = <T>(column: string, values: T[], literal: (value: T) => string): string =>
  values.length === 0 ? '0' : `${column} IN (${listOf(values, literal)})`

/** A larger one is unsigned to the engine, which then refuses a list with a negative one. */
const LARGEST_32 = 0xffff_ffffn

const int64 = (value: bigint): string => (value > LARGEST_32 ? `toInt64(${int(value)})` : int(value))

/** SQL of the integer that `column` has by these pairs, and of `otherwise` where it is none of them. */
export const mapped = (column: string, pairs: [bigint, bigint][], otherwise = '0'): string =>
  pairs.length === 0
    ? otherwise
    : `transform(${column}, [${pairs.map(([from]) => int64(from)).join(', ')}], [${pairs.map(([, to]) => int64(to)).join(', ')}], ${otherwise})`

/** A UUID as it is stored: 16 bytes. */
export function uuid(value: string): string {
  if (!isUuid(value)) throw new Error('Only UUIDs are written into SQL.')
  const hex = value.replaceAll('-', '')
  return `'${hex.replaceAll(/../g, '\\x$&')}'`
}

const MICROS = 1_000
/** Beyond what any event may have. */
const FURTHEST_MICROS = 2n ** 62n

/** An instant in microseconds, as it is stored. Whole milliseconds of any year are exact. */
export function microsOf(instant: number): bigint {
  if (Number.isNaN(instant)) throw new Error('An instant must be a number.')
  if (!Number.isFinite(instant)) return instant > 0 ? FURTHEST_MICROS : -FURTHEST_MICROS
  const whole = Math.floor(instant)
  return BigInt(whole) * BigInt(MICROS) + BigInt(Math.round((instant - whole) * MICROS))
}

/** An instant, compared with `ts`; infinite ones are valid bounds. */
export const instant = (value: number): string => int(microsOf(value))

/** Microseconds as the engine returns them, a text or a number, as an instant. */
export function instantOf(micros: string | number | bigint): number {
  const all = BigInt(micros)
  const rest = ((all % 1000n) + 1000n) % 1000n
  return Number((all - rest) / 1000n) + Number(rest) / MICROS
}
