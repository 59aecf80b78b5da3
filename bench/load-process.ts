/**
 * The load generator, a separate process: keep-alive connections on raw sockets, each sending its next request
 * when the response to the last one is complete. It has to be cheaper than what it measures, so it supports only
 * responses with a Content-Length.
 */
import { connect, type Socket } from 'node:net'
import { percentile } from './percentile.ts'

export interface LoadOrder {
  port: number
  /** `{n}` becomes a number between 1 and `among`, a different one each time. */
  path: string
  among: number
  headers: Record<string, string>
  /** Sent by POST in rotation; each `{u}` in them becomes a unique uuid. */
  bodies?: string[]
  connections: number
  /** How long, or how many requests in total. */
  until: { ms: number } | { requests: number }
}

export interface LoadResult {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/** A deterministic sequence of ids: every run requests the same ones. */
function createPicker(among: number): () => number {
  let state = 123_456_789
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return 1 + Math.floor((state / 2 ** 32) * among)
  }
}

let uuids = 0

/** The request's bytes after its path. */
function createTail(order: LoadOrder): () => string {
  const headers = Object.entries(order.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = ` HTTP/1.1\r\nHost: 127.0.0.1:${order.port}\r\n${headers.join('')}`
  if (!order.bodies) return () => `${head}\r\n`
  const bodies = order.bodies.map((body) => body.split('{u}'))
  const prefix = `${(process.pid % 65_536).toString(16).padStart(8, '0')}-0000-7000-8000-`
  let next = 0
  return () => {
    const pieces = bodies[next++ % bodies.length] as string[]
    const body = pieces.reduce((text, piece) => text + prefix + (++uuids).toString(16).padStart(12, '0') + piece)
    return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Length in bytes of the response at the start of `bytes`; 0 if its header is not complete yet. */
function answerLength(bytes: Buffer): number {
  const end = bytes.indexOf(HEAD_END)
  if (end === -1) return 0
  const head = bytes.toString('latin1', 0, end)
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`Not a 200: ${head.split('\r\n', 1)[0]}`)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)
  if (!length) throw new Error('An answer without Content-Length.')
  return end + HEAD_END.length + Number(length[1])
}

interface Round {
  order: LoadOrder
  /** The next request's bytes after its path; null when enough were sent. */
  nextTail: () => string | null
  pick: () => number
  took: (ms: number) => void
  failed: (error: unknown) => void
}

function openConnection({ order, nextTail, pick, took, failed }: Round) {
  const method = order.bodies === undefined ? 'GET' : 'POST'
  const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true })
  let pending: Buffer = Buffer.alloc(0)
  let sentAt = 0
  const send = () => {
    const tail = nextTail()
    if (tail === null) return
    sentAt = performance.now()
    socket.write(`${method} ${order.path.replace('{n}', String(pick()))}${tail}`)
  }
  socket.on('connect', send)
  socket.on('error', failed)
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    try {
      const length = answerLength(pending)
      if (length === 0 || pending.length < length) return
      pending = pending.subarray(length)
    } catch (error) {
      failed(error)
      return
    }
    took(performance.now() - sentAt)
    send()
  })
  return socket
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const times: number[] = []
  const sockets: Socket[] = []
  const { until, connections } = order
  const most = 'requests' in until ? until.requests : Number.POSITIVE_INFINITY
  const tail = createTail(order)
  let sent = 0
  const since = performance.now()
  try {
    await new Promise<void>((resolve, reject) => {
      const took = (ms: number) => {
        times.push(ms)
        if (times.length === most) resolve()
      }
      const nextTail = () => (sent++ < most ? tail() : null)
      const round = { order, nextTail, pick: createPicker(order.among), took, failed: reject }
      for (let i = 0; i < connections; i++) sockets.push(openConnection(round))
      if ('ms' in until) setTimeout(resolve, until.ms)
    })
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const seconds = (performance.now() - since) / 1_000
  return {
    requests: times.length,
    perSecond: times.length / seconds,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  }
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: Error) => {
      process.stderr.write(`load: ${error.message}\n`)
      process.exit(1)
    },
  )
})
