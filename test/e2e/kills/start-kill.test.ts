/**
 * Killed repeatedly, also while it starts: no start takes what a kill has left for the stores of another installation.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { launch, start, useFolder } from '../../support/program.ts'
import { size } from '../../support/size.ts'
import { storeSettings } from '../../support/stores/stores.ts'

const TOKEN = 'phc_e2e_token_0123456789'
const KEY = 'phx_e2e_key_0123456789abcdef'
const ROUNDS = size(4, 60)
/** About how long a start takes; kills are spread over it. */
const START_MS = 1_500

const folder = useFolder()
const env = () => ({ HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN })

/** Starts the program and kills it after a while, listening or not; returns what it printed. */
async function killAfter(ms: number): Promise<string> {
  const sql = await storeSettings(folder())
  const child = launch(['serve'], { env: { ...env(), ...sql, HEDGEROW_DATA_DIR: folder(), HEDGEROW_PORT: '0' } })
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  await Promise.race([sleep(ms), ended])
  child.kill('SIGKILL')
  await ended
  return said
}

async function send(url: string, round: number): Promise<void> {
  const post = (path: string, body: unknown) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const properties = {
    token: TOKEN,
    distinct_id: 'ann',
    $session_id: `018f0000-0000-7000-8000-${String(round).padStart(12, '0')}`,
    $window_id: 'w',
    $snapshot_data: [{ type: 3, data: { source: 2, type: 2, id: 1 }, timestamp: Date.now() }],
  }
  const answers = [
    await post('/batch/', { api_key: TOKEN, batch: [{ event: 'x', distinct_id: `u${round}` }] }),
    await post('/s/', [{ event: '$snapshot', properties }]),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
}

it('starts after every kill, with what was accepted', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    expect(await killAfter(((round * 7_919) % 100) * (START_MS / 100))).not.toMatch(/Put back/)
    const server = await start(folder(), { env: env() })
    await send(server.url, round)
    await server.stop('SIGKILL')
  }
  const { url } = await start(folder(), { env: env() })
  const answer = await fetch(`${url}/api/environments/1/events/?event=x&limit=1000`, {
    headers: { authorization: `Bearer ${KEY}` },
  })
  expect(((await answer.json()) as { results: unknown[] }).results).toHaveLength(ROUNDS)
})
