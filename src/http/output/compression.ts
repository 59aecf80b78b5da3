/**
 * Compresses answers by brotli or gzip for clients that accept it: text and its like of more than 1 kB, whole or as a
 * stream. zlib does the work in threads of its own, so the thread that answers requests does not wait for it. An answer
 * that could be compressed says so by `Vary`, whether it was or not; the compressed form has a weak ETag, as its bytes
 * are others (RFC 9110, 8.8.1).
 */
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, chooseCoding } from './accept-encoding.ts'
import { knowsOnlyWeakly } from './etag.ts'
import { addVary } from './vary.ts'

/** Up to this many bytes compressing saves nothing: the answer fits into one packet. */
export const SMALL = 1_024

const COMPRESSIBLE = /^(?:text\/|application\/(?:json|jsonl|javascript)\b|image\/svg\+xml\b)/

/** About as fast as gzip and smaller. A window of 256 kB is enough, and keeps the memory of each stream small. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } }

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)]

export const compressBytes = (bytes: string | Buffer, coding: Coding): Promise<Buffer> =>
  coding === 'br' ? toBrotli(bytes, BROTLI) : toGzip(bytes)

/** The stream compressed; its few bytes themselves when there are no more, for which it reads the first of them. */
async function compressStream(stream: Readable, coding: Coding): Promise<Readable | Buffer> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncGenerator<Buffer>
  const beginning: Buffer[] = []
  for (let size = 0; size <= SMALL; ) {
    const { value, done } = await chunks.next()
    if (done) return Buffer.concat(beginning)
    beginning.push(value)
    size += value.length
  }
  const compressor = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip()
  async function* whole() {
    yield* beginning
    yield* chunks
  }
  // The pipeline destroys the compressor with an error of the stream, so that its reader gets to know it.
  return pipeline(whole, compressor, () => undefined)
}

/** A caller who leaves ends the reading, also before there is anything to send. */
async function compressWhileWanted(
  stream: Readable,
  coding: Coding,
  { raw }: FastifyReply,
): Promise<Readable | Buffer> {
  const leave = () => void stream.destroy()
  raw.once('close', leave)
  if (raw.destroyed) leave()
  try {
    return await compressStream(stream, coding)
  } catch (error) {
    if (raw.destroyed) return Buffer.alloc(0)
    throw error
  }
}

function weakenEtag(reply: FastifyReply): void {
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string' && etag.startsWith('"')) reply.header('etag', `W/${etag}`)
}

/** A 304 has the headers of the answer that the client holds, and its tag, by which caches find it. */
function markUnchanged({ headers }: FastifyRequest, reply: FastifyReply): void {
  const etag = reply.getHeader('etag')
  if (typeof etag !== 'string') return
  addVary(reply, 'Accept-Encoding')
  if (knowsOnlyWeakly(headers, etag)) weakenEtag(reply)
}

const isSmall = (payload: unknown): boolean =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) && Buffer.byteLength(payload) <= SMALL

type Done = (error: Error | null, payload?: unknown) => void

function compressPayload(reply: FastifyReply, payload: unknown, coding: Coding, done: Done): void {
  const compressing =
    payload instanceof Readable
      ? compressWhileWanted(payload, coding, reply)
      : compressBytes(payload as string | Buffer, coding)
  compressing.then((body) => {
    // A stream that turned out to be small.
    if (!(payload instanceof Readable && Buffer.isBuffer(body))) {
      reply.header('content-encoding', coding)
      weakenEtag(reply)
    }
    done(null, body)
  }, done)
}

/** How the payload is to be compressed, null when it is sent as it is; says in the headers what there is to say. */
function codingOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): Coding | null {
  if (payload === undefined || payload === null) {
    if (reply.statusCode === 304) markUnchanged(request, reply)
    return null
  }
  const isCompressed = reply.hasHeader('content-encoding')
  if (!isCompressed && isSmall(payload)) return null
  if (!COMPRESSIBLE.test(String(reply.getHeader('content-type')))) return null
  addVary(reply, 'Accept-Encoding')
  if (!isCompressed) return chooseCoding(request.headers['accept-encoding'] as string | undefined)
  weakenEtag(reply)
  return null
}

/** The onSend hook of every route whose answers may be compressed. */
export function compressAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  const coding = codingOf(request, reply, payload)
  if (coding === null) done(null, payload)
  else compressPayload(reply, payload, coding, done)
}

/** For an error that takes the place of an answer that was about to be sent. */
export function forgetCoding(reply: FastifyReply): void {
  reply.raw.removeHeader('content-encoding')
  reply.removeHeader('content-encoding')
}
