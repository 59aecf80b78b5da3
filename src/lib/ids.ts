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

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

function stamp(bytes: Buffer, version: number): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return formatUuid(bytes)
}

/** The deterministic UUID of `name` within `namespace` (RFC 9562, version 5). */
export function uuidV5(namespace: string, name: string): string {
  const bytes = Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name, 'utf8')])
  return stamp(hash('sha1', bytes, 'buffer').subarray(0, 16), 5)
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
  return stamp(bytes, 7)
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
  return formatUuid(Buffer.from(bare, 'hex'))
}

export const isUuid = (text: string): boolean => UUID.test(text)

/** The id that a text such as a part of a path names; -1, which nothing has, when it is no integer or too large for one. */
export const readId = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1)
