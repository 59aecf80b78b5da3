/**
 * From the bytes of a capture request to its content, in the order the SDKs' own server decodes: the `data` parameter
 * or the body, form, base64. Compression is detected here but not undone: see unpack.ts. What cannot be read is refused
 * with the texts the SDKs print.
 */
import { type AppError, invalid } from '../../lib/errors.ts'

export interface EncodedBody {
  body: Buffer
  query: Record<string, string | undefined>
  contentType: string
  contentEncoding: string
}

export interface Unwrapped {
  bytes: Buffer
  packing: 'gzip' | 'lz64' | null
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
const SPACE = 0x20
const PERCENT = 0x25

export const unreadable = (reason: string): AppError => invalid(`failed to decode request: ${reason}`)

const isGzip = (bytes: Buffer): boolean => bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b

const isJson = (bytes: Buffer): boolean => bytes[0] === 0x7b || bytes[0] === 0x5b

const looksLikeBase64 = (text: string): boolean => text.length > 0 && text.length % 4 === 0 && BASE64.test(text)

interface Payload {
  bytes: Buffer
  hint: string
}

const digitOf = (byte: number | undefined): number => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(byte ?? 0).toLowerCase())
  return digit < 0 ? Number.NaN : digit
}
const HEX = Float64Array.from({ length: 256 }, (_, byte) => digitOf(byte))

/** Decodes percent-encoding; an invalid escape is kept as it is. */
function decodePercent(bytes: Buffer): Buffer {
  const decoded = Buffer.from(bytes)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    const value =
      byte === PERCENT ? 16 * (HEX[bytes[i + 1] ?? 0] as number) + (HEX[bytes[i + 2] ?? 0] as number) : Number.NaN
    if (!Number.isNaN(value)) i += 2
    decoded[length++] = Number.isNaN(value) ? byte : value
  }
  return decoded.subarray(0, length)
}

/** The first field of that name; null when there is none. The other fields are skipped, however many. */
function fieldOf(form: Buffer, name: string): Buffer | null {
  const isFirst = form.indexOf(`${name}=`) === 0
  const before = isFirst ? -1 : form.indexOf(`&${name}=`)
  if (!isFirst && before < 0) return null
  const start = before + name.length + 2
  const end = form.indexOf('&', start)
  return form.subarray(start, end < 0 ? form.length : end)
}

/** The bytes of a field. In forms a plus means a space, but base64 is sent unescaped. */
function decodeField(field: Buffer): Buffer {
  const isText = /^(?:[{[]|%7b|%5b)/i.test(field.toString('latin1', 0, 3))
  const spaced = isText ? Buffer.from(field.toString('latin1').replaceAll('+', ' '), 'latin1') : field
  return spaced.includes(PERCENT) ? decodePercent(spaced) : spaced
}

/** A plus of base64 may have been turned into a space. */
function withoutSpaces(data: Buffer): Buffer {
  if (isJson(data) || !data.includes(SPACE)) return data
  return Buffer.from(data.toString('latin1').replaceAll(' ', '+'), 'latin1')
}

function readForm(body: Buffer): Payload {
  const data = fieldOf(body, 'data')
  if (data === null) throw unreadable('missing data field in form')
  return { bytes: withoutSpaces(decodeField(data)), hint: fieldOf(body, 'compression')?.toString('latin1') ?? '' }
}

function findPayload({ body, query, contentType, contentEncoding }: EncodedBody): Payload {
  const hint = query.compression ?? ''
  if (query.data !== undefined) return { bytes: withoutSpaces(Buffer.from(query.data)), hint }
  if (body.length === 0) throw invalid('failed to decode request: the request body is empty')
  const form = contentType.startsWith('application/x-www-form-urlencoded') && body.subarray(0, 64).includes('=')
  if (form && !isGzip(body)) {
    const read = readForm(body)
    return { ...read, hint: hint || read.hint }
  }
  return { bytes: body, hint: hint || contentEncoding }
}

/** Decodes base64, as old clients send it; anything else is left as it is. */
function unwrapBase64(bytes: Buffer, hinted: boolean): Buffer {
  if (!hinted && isJson(bytes)) return bytes
  const text = bytes.toString('latin1').trim()
  return looksLikeBase64(text) ? Buffer.from(text, 'base64') : bytes
}

export function unwrapBody(encoded: EncodedBody): Unwrapped {
  const { bytes, hint } = findPayload(encoded)
  // Declared as compressed but beginning like JSON: it is not compressed.
  if (/^lz/.test(hint) && !isGzip(bytes)) return { bytes, packing: isJson(bytes) ? null : 'lz64' }
  const unwrapped = isGzip(bytes) ? bytes : unwrapBase64(bytes, /^(?:base64|b64)$/.test(hint))
  if (isGzip(unwrapped)) return { bytes: unwrapped, packing: 'gzip' }
  if (/^gzip/.test(hint) && !isJson(unwrapped)) throw unreadable('invalid gzip data')
  return { bytes: unwrapped, packing: null }
}
