/**
 * The JSON text of a capture request, unpacked under watch: each piece is charged to the budget, counted and scanned as
 * it comes out, and once the text has named its token, an unknown one ends it. So a few bytes that stand for many cost
 * no more than the piece in which they show.
 */

import { inflateAtOnce, inflateInPieces } from '../../lib/bytes/inflate.ts'
import { decodeLz64, NotLz64 } from '../../lib/bytes/lz64.ts'
import { tooLarge } from '../../lib/errors.ts'
import { refuseExcess } from '../../lib/json/json.ts'
import type { JsonScanner } from '../../lib/json/json-scanner.ts'
import { type Unwrapped, unreadable } from './decode.ts'
import { earlyToken } from './early-token.ts'

export interface UnpackOptions {
  /** Bytes after unpacking. */
  inflated: number
  depth: number
  hold: (bytes: number) => void
  /** Refuses a token that nobody has; null: the token is known already. */
  checkToken: ((token: string) => Promise<unknown>) | null
}

/** The token is looked for when there is this much of the text, and once more when there is the other. */
const LOOKS = [32 * 1024, 256 * 1024]

/** Looks for the token in the beginning of a text that grows, and has it checked when it is there. */
export function createTokenWatch(checkToken: UnpackOptions['checkToken']) {
  const looks = checkToken === null ? [] : [...LOOKS]
  return (text: Buffer): Promise<unknown> | undefined => {
    const reached = looks.filter((length) => length <= text.length)
    const last = reached.at(-1)
    if (last === undefined || checkToken === null) return undefined
    looks.splice(0, reached.length)
    // No more than that: what is read of it is read in one go.
    const token = earlyToken(text.subarray(0, last))
    if (token === null) return undefined
    looks.length = 0
    return checkToken(token)
  }
}

const refused = (error: unknown): unknown => {
  if (error instanceof NotLz64) return unreadable('invalid lz64 data')
  const { code } = error as NodeJS.ErrnoException
  return code?.startsWith('Z_') ? unreadable('invalid gzip data') : error
}

/** The text when there is nothing to unpack, or little; null otherwise. */
export function unpackAtOnce({ bytes, packing }: Unwrapped, limit: number): Buffer | null {
  if (packing === null) return bytes
  if (packing === 'lz64') return null
  try {
    return inflateAtOnce(bytes, limit)
  } catch (error) {
    throw refused(error)
  }
}

function inflate(bytes: Buffer, scanner: JsonScanner, options: UnpackOptions): Promise<Buffer> {
  const { inflated: limit, depth, hold, checkToken } = options
  const tokenWatch = createTokenWatch(checkToken)
  return inflateInPieces(bytes, async (text, added) => {
    if (text.length > limit) {
      throw tooLarge(`maximum event size exceeded: more than ${limit} bytes after decompression`)
    }
    hold(added)
    refuseExcess(scanner.scan(text), depth)
    await tokenWatch(text)
  })
}

/** `scanner` has seen as much of the text as came in pieces. */
export async function unpackStreamed(
  { bytes, packing }: Unwrapped,
  scanner: JsonScanner,
  options: UnpackOptions,
): Promise<Buffer> {
  const { inflated: limit, hold } = options
  try {
    return await (packing === 'gzip' ? inflate(bytes, scanner, options) : decodeLz64(bytes, { limit, hold }))
  } catch (error) {
    throw refused(error)
  }
}
