/** Killed in the middle of a stream, repeatedly: nothing acknowledged is lost, nothing is duplicated. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Running, removeFolder, start, tempFolder } from '../../support/program.ts'
import { size } from '../../support/size.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'
const TOKEN = 'phc_e2e_token_0123456789'
const ENV = { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN }
const ROUNDS = size(3, 40)
const PER_ROUND = size(60, 2_000)

let folder: string
let server: Running
beforeEach(() => {
  folder = tempFolder()
})
afterEach(async () => {
  await server.stop('SIGKILL')
  removeFolder(folder)
})

interface Sent {
  uuid: string
  distinct_id: string
  n: number
}

async function post(events: Sent[]): Promise<boolean> {
  const batch = events.map(({ uuid, distinct_id, n }) => ({ event: 'counted', uuid, distinct_id, $set: { n } }))
  const response = await fetch(`${server.url}/batch/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: TOKEN, batch }),
  })
  return response.status === 200
}

/** Sends until the server dies; what was not acknowledged is sent again after the restart, as SDKs do. */
async function stream(lane: number, acknowledged: Sent[], open: Sent[][]): Promise<void> {
  for (let n = 0; ; n++) {
    const events = [0, 1, 2].map((i) => ({ uuid: randomUUID(), distinct_id: `lane-${lane}`, n: n * 3 + i }))
    try {
      if (!(await post(events))) throw new Error('refused')
      acknowledged.push(...events)
    } catch {
      open.push(events)
      return
    }
  }
}

const api = async (path: string) =>
  (
    await fetch(`${server.url}/api/environments/1/${path}`, { headers: { authorization: `Bearer ${KEY}` } })
  ).json() as Promise<{
    next: string | null
    results: { uuid: string; properties: Record<string, unknown> }[]
  }>

it('loses and duplicates nothing', { timeout: size(60_000, 1_800_000) }, async () => {
  const acknowledged: Sent[] = []
  const open: Sent[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    server = await start(folder, { env: ENV })
    for (const events of open.splice(0)) {
      expect(await post(events)).toBe(true)
      acknowledged.push(...events)
    }
    const lanes = [0, 1, 2, 3].map((lane) => stream(round * 4 + lane, acknowledged, open))
    const goal = acknowledged.length + PER_ROUND
    while (acknowledged.length < goal) await new Promise((resolve) => setTimeout(resolve, 3))
    await server.stop('SIGKILL')
    await Promise.all(lanes)
    if (process.env.SOAK !== undefined)
      console.log(`round ${round + 1} of ${ROUNDS}: ${acknowledged.length} acknowledged`)
  }
  server = await start(folder, { env: ENV })
  for (const events of open) {
    expect(await post(events)).toBe(true)
    acknowledged.push(...events)
  }
  const stored: string[] = []
  let path: string | null = 'events/?event=counted&limit=1000'
  while (path !== null) {
    const page: Awaited<ReturnType<typeof api>> = await api(path)
    stored.push(...page.results.map((row) => row.uuid))
    path = page.next === null ? null : page.next.slice(page.next.indexOf('events/?'))
  }
  expect(new Set(stored).size).toBe(stored.length)
  expect(new Set(stored)).toEqual(new Set(acknowledged.map((event) => event.uuid)))
  for (const lane of new Set(acknowledged.map((event) => event.distinct_id))) {
    const { results } = await api(`persons/?distinct_id=${lane}`)
    expect(results.length).toBe(1)
  }
})
