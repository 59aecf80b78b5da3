/**
 * From the bytes of a capture request to what they wrap, in the order the SDKs' own server decodes: the `data`
 * parameter or the body, form, base64. Whether that is packed is said, not undone: see unpack.ts. What cannot be read
 * is refused with the texts the SDKs print.
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
const AMPERSAND = 0x26

export const unreadable = (reason: string): AppError => invalid(`failed to decode request: ${reason}`)

const isGzip = (bytes: Buffer): boolean => bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b

const isJson = (bytes: Buffer): boolean => bytes[0] === 0x7b || bytes[0] === 0x5b

const looksLikeBase64 = (text: string): boolean => text.length > 0 && text.length % 4 === 0 && BASE64.test(text)

interface Payload {
  bytes: Buffer
  hint: string
}

/** The first field of that name, decoded; null when there is none. The others are passed over, however many. */
function fieldOf(form: Buffer, name: string): string | null {
  const start = `${name}=`
  let at = 0
  while (at < form.length) {
    const next = form.indexOf(AMPERSAND, at)
    const end = next < 0 ? form.length : next
    if (form.toString('latin1', at, Math.min(end, at + start.length)) === start) {
      return new URLSearchParams(form.toString('latin1', at, end)).get(name)
    }
    at = end + 1
  }
  return null
}

function readForm(body: Buffer): Payload {
  const data = fieldOf(body, 'data')
  if (data === null) throw unreadable('missing data field in form')
  return { bytes: Buffer.from(data.replaceAll(' ', '+')), hint: fieldOf(body, 'compression') ?? '' }
}

function findPayload({ body, query, contentType, contentEncoding }: EncodedBody): Payload {
  const hint = query.compression ?? ''
  if (query.data !== undefined) return { bytes: Buffer.from(query.data.replaceAll(' ', '+')), hint }
  if (body.length === 0) throw invalid('failed to decode request: the request body is empty')
  const form = contentType.startsWith('application/x-www-form-urlencoded') && body.subarray(0, 64).includes('=')
  if (form && !isGzip(body)) {
    const read = readForm(body)
    return { ...read, hint: hint || read.hint }
  }
  return { bytes: body, hint: hint || contentEncoding }
}

/** Base64 of whatever it holds, as old clients wrap it; anything else is left as it is. */
function unwrapBase64(bytes: Buffer, hinted: boolean): Buffer {
  if (!hinted && isJson(bytes)) return bytes
  const text = bytes.toString('latin1').trim()
  return looksLikeBase64(text) ? Buffer.from(text, 'base64') : bytes
}

export function unwrapBody(encoded: EncodedBody): Unwrapped {
  const { bytes, hint } = findPayload(encoded)
  // What says that it is packed and begins as JSON does is not.
  if (/^lz/.test(hint) && !isGzip(bytes)) return { bytes, packing: isJson(bytes) ? null : 'lz64' }
  const unwrapped = isGzip(bytes) ? bytes : unwrapBase64(bytes, /^(?:base64|b64)$/.test(hint))
  if (isGzip(unwrapped)) return { bytes: unwrapped, packing: 'gzip' }
  if (/^gzip/.test(hint) && !isJson(unwrapped)) throw unreadable('invalid gzip data')
  return { bytes: unwrapped, packing: null }
}
