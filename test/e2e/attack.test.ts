/**
 * Every attack that has stopped the server before runs at once from one address, while normal users send and read from
 * another: no normal request is refused. In `npm run soak` also the peak memory, and how long `/_health` takes, with
 * the attacks and without them, in one run.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { percentile } from '../../bench/percentile.ts'
import type { AttackParts } from '../support/attack-process.ts'
import { type Running, start, useFolder } from '../support/program.ts'
import { size } from '../support/size.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'
const TOKEN = 'phc_e2e_token_0123456789'
const IS_SOAK = process.env.SOAK !== undefined
const PERSONS = size(2_000, 50_000)
const LONG_PERSONS = size(10, 100)
const ALIASES = size(2_000, 20_000)
const SECONDS = size(6, 60)
const MOST_MEMORY = 600_000_000
const SLOWER_AT_MOST = 10

const folder = useFolder()
const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` }

const say = (words: string) => IS_SOAK && console.log(`  … ${words}`)

const post = (server: Running, path: string, body: unknown) =>
  fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })

async function seed(server: Running): Promise<void> {
  const send = async (batch: object[]) => {
    const response = await post(server, '/batch/', { api_key: TOKEN, batch })
    expect(response.status).toBe(200)
  }
  const text = 'a'.repeat(600_000)
  for (let i = 0; i < LONG_PERSONS; i += 10) {
    await send(Array.from({ length: 10 }, (_, n) => ({ event: 'long', distinct_id: `long-${i + n}`, $set: { text } })))
  }
  for (let from = 0; from < PERSONS; from += 1_000) {
    await send(Array.from({ length: 1_000 }, (_, i) => ({ event: '$pageview', distinct_id: `person-${from + i}` })))
  }
}

/** The peak memory of the process, as the kernel counted it. */
function peakMemory({ child }: Running): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1_024
}

class Honest {
  readonly counts: Record<string, number> = {}
  readonly healthMs: number[] = []
  #going = true
  readonly #work: Promise<unknown>
  #sent = 0

  constructor(server: Running) {
    const read = (path: string) => () => fetch(`${server.url}/api/environments/1/${path}`, { headers })
    const event = () => ({
      event: '$pageview',
      distinct_id: `person-${++this.#sent % 500}`,
      properties: { n: this.#sent },
    })
    this.#work = Promise.all([
      this.#repeat('capture', 5, () => post(server, '/i/v0/e/', { api_key: TOKEN, ...event() })),
      this.#repeat('batch', 20, () =>
        post(server, '/batch/', { api_key: TOKEN, batch: Array.from({ length: 50 }, event) }),
      ),
      this.#repeat('person', 20, read('persons/1/')),
      this.#repeat('persons', 200, read('persons/?limit=10')),
      // These have a deadline of seconds, which a busy machine may miss: only soak checks them.
      ...(IS_SOAK
        ? [
            this.#repeat('search', 1_000, read('persons/?search=person-4321&limit=10')),
            this.#repeat('events', 500, read('events/?limit=10')),
          ]
        : []),
      this.#repeat('health', 10, async () => {
        const begun = performance.now()
        const response = await fetch(`${server.url}/_health`)
        this.healthMs.push(performance.now() - begun)
        return response
      }),
    ])
  }

  async #repeat(name: string, pauseMs: number, call: () => Promise<Response>): Promise<void> {
    while (this.#going) {
      const response = await call()
      await response.arrayBuffer()
      const answer = `${name} ${response.status}`
      this.counts[answer] = (this.counts[answer] ?? 0) + 1
      await sleep(pauseMs)
    }
  }

  async stop(): Promise<void> {
    this.#going = false
    await this.#work
  }
}

const attacker = (parts: AttackParts) => {
  const file = new URL('../support/attack-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--import', 'tsx', file, JSON.stringify(parts)])
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (text) => {
    stdout += text
  })
  child.stderr.on('data', (text) => {
    stderr += text
  })
  return new Promise<string>((resolve, reject) =>
    child.on('close', (code) => (code === 0 ? resolve(stdout) : reject(new Error(stderr)))),
  )
}

it('honest requests are served while all attacks run at once', async () => {
  // Otherwise the event store may use a quarter of the machine, and the bound on memory would depend on that.
  const env = { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN, HEDGEROW_EVENTS_MEMORY: '256MB' }
  const seeded = await start(folder(), { env })
  await seed(seeded)
  // Answered when everything sent is in the event store: the next server has nothing left to do.
  expect((await fetch(`${seeded.url}/api/environments/1/events/?limit=1`, { headers })).status).toBe(200)
  await seeded.stop()
  const server = await start(folder(), { env })
  const quiet = new Honest(server)
  await sleep(SECONDS * 300)
  await quiet.stop()
  say(`quiet: ${JSON.stringify(quiet.counts)}, memory ${(peakMemory(server) / 1e6).toFixed()} MB`)

  const attacked = new Honest(server)
  const answers = JSON.parse(
    await attacker({ url: server.url, token: TOKEN, key: KEY, seconds: SECONDS, aliases: ALIASES }),
  )
  await attacked.stop()
  const [before, during] = [quiet, attacked].map(({ healthMs }) => percentile(healthMs, 0.99)) as [number, number]
  say(`attacks: ${JSON.stringify(answers)}`)
  say(`honest: ${JSON.stringify(attacked.counts)}, memory ${(peakMemory(server) / 1e6).toFixed()} MB`)
  say(`/_health p99: ${during.toFixed(1)} over ${before.toFixed(1)} ms = ${(during / before).toFixed(1)}`)

  expect(Object.keys(attacked.counts).filter((answer) => !answer.endsWith(' 200'))).toEqual([])
  expect(Object.keys(attacked.counts)).toHaveLength(IS_SOAK ? 7 : 5)
  expect(Object.keys(answers).length).toBeGreaterThanOrEqual(13)
  if (!IS_SOAK) return
  expect(during / before).toBeLessThanOrEqual(SLOWER_AT_MOST)
  expect(peakMemory(server)).toBeLessThan(MOST_MEMORY)
})
