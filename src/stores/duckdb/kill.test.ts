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
import { countEvents } from '../contract/count-events.ts'
import { startColumnsPass } from './columns/columns-pass.ts'
import { openDuckdbEvents } from './events.ts'
import { openParts } from './open-parts.ts'
import { LIMITS } from './progress.ts'

const KILLS = 5
/** After this many batches the process waits to be killed. */
const BATCHES_AT_MOST = 40
const EVENTS = 7

/** Words in each event: enough to make the engine checkpoint during the test. */
const WEIGHT = 14_000

/** So small that kills also hit the sorting and folding, and the columns of common properties. */
const SMALL = {
  ...LIMITS,
  pieceEvents: 50,
  runEvents: 200,
  foldRows: 20,
  blockEvents: 12,
  fillEvents: 5,
  commonEvents: 1,
  lookPersons: 4,
  commonPersons: 1,
}

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-kill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const urlOf = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/**
 * Applies batches from `first` on and prints the number of each that is stored, and the version of the data then.
 * `properties`: JavaScript of those of batch `n`.
 */
const child = (path: string, first: number, properties: string) => `
  import { numberedBatch } from ${urlOf('../contract/batch-builders.ts')}
  import { openDuckdbEvents } from ${urlOf('./events.ts')}
  const store = await openDuckdbEvents(${JSON.stringify(path)}, ${JSON.stringify(SMALL)})
  for (let n = ${first}; n < ${first + BATCHES_AT_MOST}; n++) {
    await store.apply([numberedBatch(n, ${EVENTS}, ${properties})], n)
    console.log(n, await store.dataVersion(1))
  }
  setInterval(() => {}, 60_000)`

interface Acknowledged {
  n: number
  version: string
}

/** Runs the child, kills it after some acknowledgements, and returns the last one. */
async function applyUntilKilled(path: string, first: number, properties: string): Promise<Acknowledged> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', child(path, first, properties)]
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

it('has every acknowledged batch exactly once and no partial batch after kills at any point', async () => {
  const path = join(folder, 'events.duckdb')
  let acknowledged = 0
  let version = ''
  for (let kill = 0; kill < KILLS; kill++) {
    const last = await applyUntilKilled(path, acknowledged + 1, `{ text: \`\${n} weight \`.repeat(${WEIGHT}) }`)
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
  expect(await countEvents(store, 1)).toBe(all.length * EVENTS)
  await store.close()
})

it('has the values of common properties in their columns after kills at any point', async () => {
  const path = join(folder, 'columns.duckdb')
  let acknowledged = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const last = await applyUntilKilled(
      path,
      acknowledged + 1,
      `{ kind: 'kind-' + (n % 3), ['late' + (n >> 5)]: n % 2 }`,
    )
    acknowledged = last.n
  }
  const parts = await openParts(path, SMALL)
  const pass = startColumnsPass(parts)
  const check = async () => {
    for (const { key, number, filled } of parts.properties.columns) {
      const sql = `SELECT count(*) FROM events WHERE ord <= ${filled}
        AND p${number}::VARCHAR IS DISTINCT FROM try_cast(properties ->> '${key}' AS ${key === 'kind' ? 'VARCHAR' : 'DOUBLE'})::VARCHAR`
      const found = await parts.database.exclusive((connection) => connection.runAndReadAll(sql))
      expect({ key, wrong: Number(found.getRows()[0]?.[0]) }).toEqual({ key, wrong: 0 })
    }
    for (const { key, number, since } of parts.personProperties.columns) {
      const sql = `SELECT count(*) FROM persons WHERE column_set >= ${since}
        AND p${number} IS DISTINCT FROM (properties ->> '${key}')::DOUBLE`
      const found = await parts.database.exclusive((connection) => connection.runAndReadAll(sql))
      expect({ key, wrong: Number(found.getRows()[0]?.[0]) }).toEqual({ key, wrong: 0 })
    }
  }
  await check()
  await pass.finish()
  await check()
  const { columns, scanned } = parts.properties
  expect(columns.map(({ key }) => key)).toEqual(expect.arrayContaining(['kind', 'late0', 'late1']))
  expect(columns.every(({ filled }) => filled === scanned)).toBe(true)
  expect(parts.progress.lastOrd - scanned).toBeLessThan(SMALL.blockEvents)
  const found = await parts.database.exclusive((connection) =>
    connection.runAndReadAll('SELECT count(*) FILTER (column_set = 1), count(*) FILTER (column_set <> 1) FROM persons'),
  )
  const [filled, unfilled] = found.getRows()[0] as [bigint, bigint]
  expect(parts.personProperties.columns.map(({ key }) => key)).toEqual(['n'])
  expect(filled).toBeGreaterThan(0n)
  expect(unfilled).toBe(0n)
  await parts.database.close()
})
