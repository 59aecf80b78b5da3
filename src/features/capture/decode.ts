/**
 * From the bytes of a capture request to JSON, in the order the SDKs' own server decodes: the `data` parameter or
 * the body, base64, form, gzip (by hint or by its first bytes), text, JSON. Bounded in size before and after
 * inflating and in depth; what cannot be read is refused with the texts the SDKs print.
 */
import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import { type AppError, invalid, tooLarge } from '../../lib/errors.ts'

const inflateLater = promisify(gunzip)

export interface EncodedBody {
  body: Buffer
  query: Record<string, string | undefined>
  contentType: string
  contentEncoding: string
}

export interface DecodeLimits {
  /** Bytes after inflating. */
  inflated: number
  depth: number
}

/** Up to here inflating on the spot is cheaper than a trip to the thread pool. */
const INFLATE_AT_ONCE = 64 * 1024
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

const unreadable = (reason: string): AppError => invalid(`failed to decode request: ${reason}`)

const isGzip = (bytes: Buffer): boolean => bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b

const looksLikeBase64 = (text: string): boolean => text.length > 0 && text.length % 4 === 0 && BASE64.test(text)

interface Payload {
  bytes: Buffer
  hint: string
}

function readForm(body: Buffer): Payload {
  const form = new URLSearchParams(body.toString('latin1'))
  const data = form.get('data')
  if (data === null) throw unreadable('missing data field in form')
  return { bytes: Buffer.from(data.replaceAll(' ', '+')), hint: form.get('compression') ?? '' }
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

async function inflate(bytes: Buffer, limit: number): Promise<Buffer> {
  try {
    const options = { maxOutputLength: limit }
    return bytes.length <= INFLATE_AT_ONCE ? gunzipSync(bytes, options) : await inflateLater(bytes, options)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(`maximum event size exceeded: more than ${limit} bytes after decompression`)
    }
    throw unreadable('invalid gzip data')
  }
}

/** Base64 of whatever it holds, as old clients wrap it; anything else is left as it is. */
function unwrapBase64(bytes: Buffer, hinted: boolean): Buffer {
  if (!hinted && (bytes[0] === 0x7b || bytes[0] === 0x5b)) return bytes
  const text = bytes.toString('latin1').trim()
  return looksLikeBase64(text) ? Buffer.from(text, 'base64') : bytes
}

/** The JSON text of a request, however it was wrapped. */
export function unwrapBody(encoded: EncodedBody, maxInflated: number): Buffer | Promise<Buffer> {
  const { bytes, hint } = findPayload(encoded)
  if (/^lz/.test(hint)) throw unreadable('lz64 is not supported')
  const unwrapped = isGzip(bytes) ? bytes : unwrapBase64(bytes, /^(?:base64|b64)$/.test(hint))
  const zipped = isGzip(unwrapped)
  if (!zipped && /^gzip/.test(hint) && unwrapped[0] !== 0x7b && unwrapped[0] !== 0x5b) {
    throw unreadable('invalid gzip data')
  }
  return zipped ? inflate(unwrapped, maxInflated) : unwrapped
}
