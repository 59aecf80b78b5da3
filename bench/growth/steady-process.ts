/**
 * A steady load from a separate process: each kind of request is sent so many times a second, whether earlier ones were
 * answered or not, and timed from the moment it was due. Also samples the age of the outbox.
 */
import { Agent, request } from 'node:http'
import { API_KEY } from '../child.ts'
import { percentile } from '../percentile.ts'

export interface SteadyOrder {
  port: number
  seconds: number
  /** Requests a second of each kind; absent kinds are not sent. */
  rates: Partial<Record<Kind, number>>
  people: number
  /** Of the project that events are sent to. */
  token: string
}

type Target = Pick<SteadyOrder, 'people' | 'token'>

type Kind = 'single' | 'batch' | 'person' | 'health' | 'outbox'

export interface SteadyResult {
  /** Milliseconds; of `outbox`: how old the oldest batch was. */
  p99: Partial<Record<Kind, number>>
  p50: Partial<Record<Kind, number>>
  /** How many requests were not answered with 200, by status. */
  refused: Record<string, number>
}

const EVENTS_IN_A_BATCH = 50
/**
 * People who send, in turns, spread over all there are: as many as a site with this traffic has in some minutes. What
 * everybody's first event costs is another figure (`new visitors over known ones`).
 */
const ACTIVE_PEOPLE = 20_000
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
let sent = 0

const event = ({ people }: Target) => ({
  event: '$pageview',
  distinct_id: `user-${((++sent % ACTIVE_PEOPLE) * 7_919) % people}`,
  properties: { $current_url: `https://app.example.com/projects/${sent % 5_000}/overview`, $browser: 'Chrome' },
})

interface Call {
  path: string
  body?: object | undefined
}

const CALLS: Record<Kind, (target: Target) => Call> = {
  single: (target) => ({ path: '/i/v0/e/', body: { api_key: target.token, ...event(target) } }),
  batch: (target) => ({
    path: '/batch/',
    body: { api_key: target.token, batch: Array.from({ length: EVENTS_IN_A_BATCH }, () => event(target)) },
  }),
  person: ({ people }) => ({ path: `/api/environments/1/persons/${1 + ((++sent * 7_919) % people)}/` }),
  health: () => ({ path: '/_health' }),
  outbox: () => ({ path: '/metrics' }),
}

const ask = (port: number, { path, body }: Call): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
    const method = body === undefined ? 'GET' : 'POST'
    const sending = request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    // The server may close an idle connection at the moment it is used again.
    sending.on('error', (error) => (sending.reusedSocket ? resolve(ask(port, { path, body })) : reject(error)))
    sending.end(body && JSON.stringify(body))
  })

const ageMs = (metrics: string): number => Number(/^hedgerow_outbox_age_seconds (\S+)$/m.exec(metrics)?.[1]) * 1_000

async function run({ port, seconds, rates, ...target }: SteadyOrder): Promise<SteadyResult> {
  const times = new Map<Kind, number[]>()
  const pending: Promise<void>[] = []
  const refused: Record<string, number> = {}
  const one = async (kind: Kind, due: number, own: number[]) => {
    const { status, text } = await ask(port, CALLS[kind](target))
    if (status !== 200) refused[status] = (refused[status] ?? 0) + 1
    own.push(kind === 'outbox' ? ageMs(text) : performance.now() - due)
  }
  const begun = performance.now()
  const kinds = Object.entries(rates) as [Kind, number][]
  const next = new Map(kinds.map(([kind]) => [kind, 0]))
  for (const [kind] of kinds) times.set(kind, [])
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const passed = performance.now() - begun
      for (const [kind, rate] of kinds) {
        let n = next.get(kind) ?? 0
        for (; n * (1_000 / rate) <= Math.min(passed, seconds * 1_000); n++) {
          pending.push(one(kind, begun + n * (1_000 / rate), times.get(kind) ?? []))
        }
        next.set(kind, n)
      }
      if (passed < seconds * 1_000) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  await Promise.all(pending)
  const each = (share: number) => Object.fromEntries([...times].map(([kind, own]) => [kind, percentile(own, share)]))
  return { p99: each(0.99), p50: each(0.5), refused }
}

process.on('message', (order: SteadyOrder) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: Error) => {
      process.stderr.write(`steady load: ${error.message}\n`)
      process.exit(1)
    },
  )
})
