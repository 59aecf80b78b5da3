/** How much request data the capture paths hold at once, per address, and for how long. */
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { listen, openSocket, type RawSocket } from '../../support/servers/socket.ts'

const MAX = 1_000_000
const BUSY = 'transient error, please retry'

let app: TestApp
let port: number
let sockets: RawSocket[] = []
/** The server's ends of the connections. */
let accepted: Socket[] = []
beforeEach(async () => {
  app = await makeApp({
    env: {
      HEDGEROW_CAPTURE_BYTES_IN_FLIGHT: String(MAX),
      HEDGEROW_TRUST_PROXY: 'loopback',
      HEDGEROW_CAPTURE_REPLAY_BYTES: '25000000',
    },
  })
  port = await listen(app.server)
  app.server.server.on('connection', (socket: Socket) => void accepted.push(socket))
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  accepted = []
  await app.end()
})

const head = (path: string, from: string, length: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nContent-Type: text/plain\r\n${length}\r\n\r\n`
async function open(path: string, from: string, length = 'Transfer-Encoding: chunked'): Promise<RawSocket> {
  const socket = await openSocket(port)
  sockets.push(socket)
  socket.write(head(path, from, length))
  return socket
}
/** Has sent this many bytes of a body that is incomplete. */
async function sending(from: string, bytes: number): Promise<RawSocket> {
  const read = () => accepted.reduce((sum, socket) => sum + socket.bytesRead, 0)
  const before = read()
  const socket = await open('/s/', from)
  socket.chunk(bytes)
  await expect.poll(() => read() - before).toBeGreaterThan(bytes)
  return socket
}
const event = (from: string, padding = 0) =>
  app.server.inject({
    method: 'POST',
    url: '/i/v0/e/',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    payload: JSON.stringify({
      api_key: PROJECT_TOKEN,
      event: 'x',
      distinct_id: 'u',
      properties: { padding: 'p'.repeat(padding) },
    }),
  })
/** Whether `bytes` more would be accepted from an address; nothing of it is held. */
const fits = async (from: string, bytes: number): Promise<boolean> => (await event(from, bytes)).statusCode === 200
const settled = (...asked: RawSocket[]) =>
  expect.poll(() => asked.every((socket) => socket.status() !== null)).toBe(true)

describe('the bytes that are held', () => {
  it('are those that arrived: sockets that announce much and send nothing cost nothing', async () => {
    const silent = await Promise.all(
      Array.from({ length: 5 }, () => open('/s/', '9.9.9.9', 'Content-Length: 24000000')),
    )
    await expect.poll(() => accepted.filter((socket) => socket.bytesRead > 0).length).toBe(5)
    expect((await event('1.1.1.1', 400_000)).statusCode).toBe(200)
    expect((await event('9.9.9.9', 400_000)).statusCode).toBe(200)
    expect(silent.map((socket) => socket.status())).toEqual([null, null, null, null, null])
  })
  it('are counted in chunked bodies too, and given back when the client goes', async () => {
    const socket = await sending('9.9.9.9', 900_000)
    const refused = await event('9.9.9.9', 200_000)
    expect([refused.statusCode, refused.body, refused.headers['retry-after']]).toEqual([503, BUSY, '5'])
    expect(await fits('9.9.9.9', 50_000)).toBe(true)
    socket.destroy()
    await expect.poll(() => fits('9.9.9.9', 900_000)).toBe(true)
  })
  it('include what the events of a large batch take while they are processed', async () => {
    const batch = (events: number, padding: number) =>
      app.server.inject({
        method: 'POST',
        url: '/batch/',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({
          api_key: PROJECT_TOKEN,
          batch: Array.from({ length: events }, () => ({
            event: 'x',
            distinct_id: 'u',
            properties: { padding: 'p'.repeat(padding) },
          })),
        }),
      })
    // Texts of about the same size.
    expect((await batch(6, 100_000)).statusCode).toBe(200)
    expect((await batch(800, 750)).statusCode).toBe(413)
  })
  it('are bounded by the limit of the route when no length is announced', async () => {
    const socket = await open('/s/', '9.9.9.9')
    for (let i = 0; i < 11; i++) socket.chunk(100_000)
    await settled(socket)
    expect(socket.status()).toBe(413)
    socket.destroy()
    await app.end()
    app = await makeApp({ env: { HEDGEROW_CAPTURE_EVENT_BYTES: '50000' } })
    port = await listen(app.server)
    const small = await open('/i/v0/e/', '9.9.9.9')
    for (let i = 0; i < 6; i++) small.chunk(10_000)
    await settled(small)
    expect(small.status()).toBe(413)
    expect(small.text()).toContain('maximum event size exceeded: more than 50000 bytes')
  })
})

describe('one address', () => {
  it('has at most half while another one sends', async () => {
    const held = await sending('9.9.9.9', 450_000)
    expect(await fits('9.9.9.9', 600_000)).toBe(false)
    expect(await fits('1.1.1.1', 10)).toBe(true)
    expect(await fits('9.9.9.9', 100_000)).toBe(false)
    expect(await fits('1.1.1.1', 450_000)).toBe(true)
    app.clock.advance(11_000)
    expect(await fits('9.9.9.9', 100_000)).toBe(true)
    expect(held.status()).toBeNull()
  })
  it('loses uploads beyond its half when another finds no room', async () => {
    const held = [await sending('9.9.9.9', 450_000), await sending('9.9.9.9', 451_000)]
    expect(await fits('9.9.9.9', 200_000)).toBe(false)
    expect(await fits('1.1.1.1', 300_000)).toBe(true)
    await expect.poll(() => held.filter((socket) => socket.status() === 503).length).toBe(1)
    expect(held.find((socket) => socket.status() === 503)?.text()).toMatch(/retry-after: 5[\s\S]*transient error/)
  })
})

describe('a request that does not arrive in time', () => {
  it('ends with its connection, though the client keeps its own side open', async () => {
    Object.assign(app.server.server, { headersTimeout: 200, requestTimeout: 200 })
    const slow = await sending('9.9.9.9', 900_000)
    const silent = await open('/s/', '9.9.9.9', 'Content-Length: 24000000')
    const drip = setInterval(() => slow.chunk(1), 50)
    const connections = () => new Promise((resolve) => app.server.server.getConnections((_, count) => resolve(count)))
    // The server may take a connection after an earlier one has ended.
    await expect.poll(() => silent.text()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"timeout"/)
    await expect.poll(connections).toBe(0)
    clearInterval(drip)
    await expect.poll(() => fits('9.9.9.9', 900_000)).toBe(true)
  })
  it('also ends when it is not HTTP at all', async () => {
    const socket = await openSocket(port)
    sockets.push(socket)
    socket.write('no request\r\n\r\n')
    await expect.poll(() => socket.text()).toMatch(/^HTTP\/1\.1 400 /)
    const connections = () => new Promise((resolve) => app.server.server.getConnections((_, count) => resolve(count)))
    await expect.poll(connections).toBe(0)
  })
})
