/** Identifiers: random secrets in base62, UUIDs of version 5 (named) and 7 (ordered by time), integers in a path. */
import { hash, randomBytes, randomInt } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `bits` of randomness as base62 text of constant length. */
export function randomBase62(bits: number): string {
  const length = Math.ceil(bits / Math.log2(62))
  let text = ''
  for (let i = 0; i < length; i++) text += BASE62[randomInt(62)]
  return text
}

export const sha256Hex = (text: string): string => hash('sha256', text, 'hex')

/** The first 32 hexadecimal digits as a UUID. */
export const formatUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`

/** The 32 hexadecimal digits of a UUID, in lower case. */
export const uuidHex = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase()

/** By the digit in its place: its two lower bits stay. */
const VARIANTS = '89ab89ab89ab89ab'

/** The same with a version, and with the variant of RFC 9562. */
function stamp(hex: string, version: number): string {
  const variant = VARIANTS.charAt(Number.parseInt(hex.charAt(16), 16))
  return formatUuid(`${hex.slice(0, 12)}${version}${hex.slice(13, 16)}${variant}${hex.slice(17)}`)
}

const NAMESPACE_BYTES = 16
let lastNamespace = ''
const lastBytes = Buffer.alloc(NAMESPACE_BYTES)

/** The deterministic UUID of `name` within `namespace` (RFC 9562, version 5). */
export function uuidV5(namespace: string, name: string): string {
  // Nearly always the same as before, and reading it takes as long as the rest.
  if (namespace !== lastNamespace) lastBytes.write(namespace.replaceAll('-', ''), 'hex')
  lastNamespace = namespace
  const bytes = Buffer.allocUnsafe(NAMESPACE_BYTES + Buffer.byteLength(name))
  lastBytes.copy(bytes)
  bytes.write(name, NAMESPACE_BYTES)
  return stamp(hash('sha1', bytes, 'hex'), 5)
}

let lastMs = -1
let counter = 0

/**
 * A random UUID whose text sorts by the millisecond `now` (RFC 9562, version 7) and, within one millisecond,
 * by the order of creation: its first 26 random bits are a counter that starts at a random value.
 */
export function uuidV7(now: number): string {
  const bytes = randomBytes(16)
  const ms = Math.trunc(now)
  counter = ms === lastMs ? counter + 1 : bytes.readUInt32BE(0) >>> 7
  lastMs = ms
  bytes.writeUIntBE(ms, 0, 6)
  bytes.writeUInt16BE((counter >>> 14) & 0xfff, 6)
  bytes.writeUInt16BE(counter & 0x3fff, 8)
  return stamp(bytes.toString('hex'), 7)
}

const HEX_DIGITS = 32
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Canonical lower-case form of a UUID written with or without hyphens, braces or `urn:uuid:`; null if it is none. */
export function readUuid(text: string): string | null {
  if (isUuid(text)) return text
  if (text.length < HEX_DIGITS) return null
  const bare = text
    .toLowerCase()
    .replace(/^urn:uuid:/, '')
    .replace(/^\{(.*)\}$/, '$1')
    .replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/.test(bare)) return null
  return formatUuid(bare)
}

export const isUuid = (text: string): boolean => UUID.test(text)

/** The id that a text such as a part of a path names; -1, which nothing has, when it is no integer or too large for one. */
export const readId = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)
