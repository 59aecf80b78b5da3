/**
 * Decompresses a capture request piece by piece; each piece is charged to the budget, counted and scanned. An unknown
 * token ends it as soon as it is seen, so a decompression bomb costs at most one piece.
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
  /** Refuses an unknown token; null: the token is known already. */
  checkToken: ((token: string) => Promise<unknown>) | null
}

/** The token is searched when this much of the text has arrived, and once more at the second size. */
const LOOKS = [32 * 1024, 256 * 1024]

/** Searches the beginning of a growing text for the token, and checks the token when it is found. */
export function createTokenWatch(checkToken: UnpackOptions['checkToken']) {
  const looks = checkToken === null ? [] : [...LOOKS]
  return (text: Buffer): Promise<unknown> | undefined => {
    const reached = looks.filter((length) => length <= text.length)
    const last = reached.at(-1)
    if (last === undefined || checkToken === null) return undefined
    looks.splice(0, reached.length)
    // No more than that, because it is parsed in one go.
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
