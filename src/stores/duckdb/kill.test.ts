/**
 * A process that applies batches is killed in the middle of its work, several times. Nothing here waits for a time to
 * pass: the kill follows an acknowledgement, while the next batch is being applied.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { numberedBatch } from '../contract/batch-builders.ts'
import { openDuckdbEvents } from './events.ts'
import { LIMITS } from './progress.ts'

const KILLS = 5
/** After this many batches the process waits to be killed. */
const BATCHES_AT_MOST = 40
const EVENTS = 7

/** Words in each event: enough to make the engine checkpoint during the test. */
const WEIGHT = 14_000

/** So small that kills also hit the sorting and folding. */
const SMALL = { ...LIMITS, pieceEvents: 50, runEvents: 200, foldRows: 20 }

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-kill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const urlOf = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/** Applies batches from `first` on and prints the number of each that is stored, and the version of the data then. */
const child = (path: string, first: number) => `
  import { numberedBatch } from ${urlOf('../contract/batch-builders.ts')}
  import { openDuckdbEvents } from ${urlOf('./events.ts')}
  const store = await openDuckdbEvents(${JSON.stringify(path)}, ${JSON.stringify(SMALL)})
  for (let n = ${first}; n < ${first + BATCHES_AT_MOST}; n++) {
    await store.apply([numberedBatch(n, ${EVENTS}, { text: \`\${n} weight \`.repeat(${WEIGHT}) })], n)
    console.log(n, await store.dataVersion(1))
  }
  setInterval(() => {}, 60_000)`

interface Acknowledged {
  n: number
  version: string
}

/** Runs the child, kills it after some acknowledgements, and returns the last one. */
async function applyUntilKilled(path: string, first: number): Promise<Acknowledged> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', child(path, first)]
  const running = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<NodeJS.Signals | null>((resolve) => running.on('exit', (_, signal) => resolve(signal)))
  const killAfter = first + randomInt(3, BATCHES_AT_MOST)
  let last: Acknowledged = { n: first - 1, version: '' }
  for await (const line of createInterface({ input: running.stdout })) {
    const [n, version] = line.split(' ') as [string, string]
    last = { n: Number(n), version }
    if (last.n === 1) await expect(openDuckdbEvents(path)).rejects.toThrow(/could not be opened.*lock/s)
    if (last.n >= killAfter) running.kill('SIGKILL')
  }
  expect(await exited).toBe('SIGKILL')
  return last
}

it('has every acknowledged batch exactly once and no partial batch after kills at any point', {
  timeout: 60_000,
}, async () => {
  const path = join(folder, 'events.duckdb')
  let acknowledged = 0
  let version = ''
  for (let kill = 0; kill < KILLS; kill++) {
    const last = await applyUntilKilled(path, acknowledged + 1)
    acknowledged = last.n
    version = last.version
  }

  const store = await openDuckdbEvents(path, SMALL)
  const all = Array.from({ length: acknowledged + 1 }, (_, i) => i + 1)
  const stored = await Promise.all(
    all.map(async (n) => {
      const query = { projectId: 1, distinctIds: [`id-${n}`], events: null, from: n, to: n }
      return { n, events: (await store.timeline(query)).length, person: (await store.personOf(1, `id-${n}`))?.personId }
    }),
  )
  const whole = (n: number) => ({ n, events: EVENTS, person: n })
  const unacknowledged = stored.pop()
  expect(stored).toEqual(all.slice(0, -1).map(whole))
  expect([{ n: acknowledged + 1, events: 0, person: undefined }, whole(acknowledged + 1)]).toContainEqual(
    unacknowledged,
  )
  // The version is that of the data: the last one read, unless one batch more is stored.
  expect((await store.dataVersion(1)) === version).toBe(unacknowledged?.events === 0)

  await store.apply(
    all.map((n) => numberedBatch(n, EVENTS)),
    0,
  )
  expect(await store.countEvents(1)).toBe(all.length * EVENTS)
  await store.close()
})
