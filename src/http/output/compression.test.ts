import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compressAnswer, compressBytes, forgetCoding } from './compression.ts'

const LINE = `${'a line that is long enough to be compressed, '.repeat(2)}\n`
const LINES = 20_000

let app: FastifyInstance
/** What the next request is answered. */
let source: Readable
let closed: Promise<unknown>

const answerWith = (chunks: Iterable<string> | AsyncIterable<string>): void => {
  source = Readable.from(chunks, { objectMode: false })
  closed = new Promise((resolve) => void source.once('close', resolve))
}

beforeAll(async () => {
  app = fastify()
  app.addHook('onSend', compressAnswer)
  app.setErrorHandler((error: Error, _request, reply) => {
    forgetCoding(reply)
    return reply.code(500).type('application/json').send(`{"detail":"${error.message}"}`)
  })
  app.get('/', async (_request, reply) => reply.type('text/csv').header('etag', '"x"').send(source))
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

const ask = (encoding: string) => app.inject({ url: '/', headers: { 'accept-encoding': encoding } })

function* lines(count: number): Generator<string> {
  for (let n = 0; n < count; n++) yield LINE
}

/** As many lines, then an error. */
function* failingAfter(count: number): Generator<string> {
  yield* lines(count)
  throw new Error('out of lines')
}

it.each(['br', 'gzip'])('compresses a stream by %s piece by piece', async (coding) => {
  answerWith(lines(LINES))
  const { rawPayload, headers } = await ask(coding)
  const decoded = coding === 'br' ? brotliDecompressSync(rawPayload) : gunzipSync(rawPayload)
  expect(decoded.toString()).toBe(LINE.repeat(LINES))
  expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding', etag: 'W/"x"' })
  expect(headers).not.toHaveProperty('content-length')
})

it('leaves a stream of few bytes as it is, and an empty one', async () => {
  for (const count of [1, 0]) {
    answerWith(lines(count))
    const { body, headers } = await ask('br')
    expect(body).toBe(LINE.repeat(count))
    expect(headers).toMatchObject({ 'content-length': String(LINE.length * count), etag: '"x"' })
    expect(headers).not.toHaveProperty('content-encoding')
  }
})

it.each([
  ['before its first byte', 0],
  ['among its first bytes', 3],
  ['before the first compressed byte has gone out', 100],
])('answers the error of a stream that fails %s, uncompressed', async (_, count) => {
  for (const coding of ['br', 'gzip']) {
    answerWith(failingAfter(count))
    const answer = await ask(coding)
    expect([answer.statusCode, answer.body]).toEqual([500, '{"detail":"out of lines"}'])
    expect(answer.headers).not.toHaveProperty('content-encoding')
    await closed
  }
})

it('breaks off the answer of a stream that fails later', async () => {
  function* failing() {
    // Nothing that compresses well: most of it has been sent by then.
    for (let n = 0; n < 2_000; n++) yield Array.from({ length: 500 }, () => Math.random().toString(36)).join()
    throw new Error('out of lines')
  }
  answerWith(failing())
  const { port } = app.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'accept-encoding': 'gzip' } })
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  await closed
})

it.each([
  ['before the first byte', 0],
  ['in the middle', 50_000],
])('ends the stream of a caller who leaves %s', async (_, count) => {
  let isWaiting: () => void = () => undefined
  const waiting = new Promise<void>((resolve) => {
    isWaiting = resolve
  })
  async function* endless() {
    yield* lines(count)
    isWaiting()
    await new Promise(() => undefined)
  }
  answerWith(endless())
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.resume()
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\n\r\n')
  await waiting
  expect(source.destroyed).toBe(false)
  socket.destroy()
  await expect.poll(() => source.destroyed).toBe(true)
})

it('lets the event loop turn while it compresses', async () => {
  const text = Array.from({ length: 200_000 }, (_, n) => `${n * 7_919}`).join()
  for (const coding of ['br', 'gzip'] as const) {
    let turns = 0
    let isDone = false
    const turn = () => {
      turns++
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    await compressBytes(text, coding)
    isDone = true
    expect(turns).toBeGreaterThan(10)
  }
})
