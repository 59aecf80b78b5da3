/** Compaction returns disk space while events come in and are read, and a kill at any point loses nothing. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { eventStoreContents } from '../../../../test/support/data-folder/inspect-data-folder.ts'
import type { EventStore } from '../../../model/events/event.ts'
import { EVER, makeBatch, makeEvent, makePerson, NOON, numberedBatch } from '../../contract/batch-builders.ts'
import { countEvents } from '../../contract/count-events.ts'
import { rewriteOf } from '../database.ts'
import { openDuckdbEvents } from '../events.ts'
import { openParts } from '../open-parts.ts'
import { LIMITS } from '../progress.ts'
import { compact } from './compact.ts'

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-compact-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** So small that sorting and folding happen too; no columns are filled, as the file is looked at. */
const SMALL = { ...LIMITS, pieceEvents: 500, runEvents: 2_000, foldRows: 20, blockEvents: Number.MAX_SAFE_INTEGER }

let files = 0
const newPath = () => join(folder, `${++files}.duckdb`)

/** Incompressible, so that rows take space. */
const noise = () => randomBytes(600).toString('base64')

/** 40 batches of 500 events each: 30 of `ann`, 10 of `bob`. */
async function fill(store: EventStore): Promise<void> {
  for (let seq = 1; seq <= 40; seq++) {
    const distinctId = seq % 4 === 0 ? 'bob' : 'ann'
    const events = Array.from({ length: 500 }, (_, i) =>
      makeEvent(1, { distinctId, timestamp: seq * 1_000 + i, properties: { noise: noise(), seq } }),
    )
    const long = makeEvent(1, { distinctId, timestamp: seq * 1_000 + 999, properties: { text: noise().repeat(50) } })
    await store.apply([makeBatch(seq, { events: [...events, long] })], NOON)
  }
}

const eraseAnn = (store: EventStore, id = 1) =>
  store.erase([{ id, projectId: 1, personId: 1, distinctIds: ['ann'], cutoffSeq: 40 }])
const timesOf = async (store: EventStore, distinctId: string) =>
  (await store.timeline({ projectId: 1, distinctIds: [distinctId], events: null, ...EVER })).map((row) => row.timestamp)

it('is not rewritten for what a new file or a few changed rows waste, but for much', async () => {
  const path = newPath()
  const store = await openDuckdbEvents(path, SMALL)
  expect(await store.compact()).toBeNull()
  const person = (id: number, text: string) => makePerson(1, { personId: id, properties: { text } })
  const texts = Array.from({ length: 30_000 }, noise)
  await store.apply([makeBatch(1, { persons: texts.map((text, id) => person(id + 1, text)) })], NOON)
  await store.apply([makeBatch(2, { persons: texts.map((_, id) => person(id + 1, 'short')) })], NOON)
  expect(await store.compact()).not.toBeNull()
  await store.close()
})

it('is rewritten after every removal, however small, also when the process ended before', async () => {
  const path = newPath()
  const first = await openDuckdbEvents(path, SMALL)
  await fill(first)
  await first.apply(
    [makeBatch(41, { events: [makeEvent(1, { distinctId: 'cid', properties: { text: 'a secret' } })] })],
    NOON,
  )
  expect(await first.compact()).toBeNull()
  await first.erase([{ id: 1, projectId: 1, personId: 3, distinctIds: ['cid'], cutoffSeq: 41 }])
  await first.close()
  const store = await openDuckdbEvents(path, SMALL)
  expect(await store.compact()).not.toBeNull()
  expect(await store.compact()).toBeNull()
  expect(await eventStoreContents(path)).toMatchObject({ freeBlocks: 0, removedRows: 0 })
  expect(await store.removeBefore(1, 1_001)).toBe(1)
  expect(await store.compact()).not.toBeNull()
  await store.removeProject(2)
  expect(await store.compact()).not.toBeNull()
  expect(await store.removeBefore(1, 1_001)).toBe(0)
  expect(await store.compact()).toBeNull()
  await store.close()
})

it.each([
  ['waits for', [], null],
  ['does not wait for a checkpoint beside', ['INSERT INTO removals VALUES (true)'], { before: expect.any(Number) }],
])('%s a read that began before the last change', async (_, removal, expected) => {
  const path = newPath()
  const parts = await openParts(path, SMALL)
  const { database } = parts
  let [begin, end] = [() => {}, () => {}]
  const isBegun = new Promise<void>((resolve) => (begin = resolve))
  const mayEnd = new Promise<void>((resolve) => (end = resolve))
  const reading = database.read(async (connection) => {
    await connection.run('BEGIN')
    await connection.run('SELECT count(*) FROM events')
    begin()
    await mayEnd
    await connection.run('ROLLBACK')
  })
  await isBegun
  for (const change of ['CREATE TABLE changed (a INTEGER)', ...removal])
    await database.write((connection) => connection.run(change))
  const compacting = compact(parts)
  if (expected === null) await parts.copies(async () => {})
  else await expect.poll(() => existsSync(rewriteOf(path))).toBe(true)
  end()
  await reading
  expect(await compacting).toEqual(expected === null ? null : expect.objectContaining(expected))
  await database.close()
})

it('shrinks the file while events come in and are read', async () => {
  const path = newPath()
  const store = await openDuckdbEvents(path, SMALL)
  await fill(store)
  expect(await store.compact()).toBeNull()
  await eraseAnn(store)
  const bob = await timesOf(store, 'bob')
  let compacted = false
  const compacting = store.compact().finally(() => {
    compacted = true
  })
  const reads: number[][] = []
  let n = 0
  // At least some after the exchange too.
  for (let after = 0; after < 5; after += compacted ? 1 : 0) {
    n += 1
    await store.apply([numberedBatch(n, 3)], NOON)
    reads.push(await timesOf(store, 'bob'))
  }
  const sizes = await compacting
  expect(sizes?.after).toBeLessThan(0.75 * (sizes?.before ?? 0))
  expect(sizes?.after).toBe(statSync(path).size)
  expect(reads.every((times) => times.length === bob.length)).toBe(true)
  expect(await countEvents(store, 1)).toBe(bob.length + n * 3)
  for (const name of ['.rewrite', '.rewrite.wal']) expect(existsSync(path + name)).toBe(false)
  const { events } = await store.listEvents(1, { distinctIds: ['bob'], after: 40_998 }, { limit: 1 })
  expect(String(events[0]?.properties.text).length).toBeGreaterThan(10_000)
  expect(await store.compact()).toBeNull()
  await store.close()
  const again = await openDuckdbEvents(path, SMALL)
  expect(await timesOf(again, 'bob')).toEqual(bob)
  expect(await countEvents(again, 1)).toBe(bob.length + n * 3)
  await again.apply([numberedBatch(1, 3)], NOON)
  expect(await countEvents(again, 1)).toBe(bob.length + n * 3)
  expect(await eraseAnn(again)).toEqual([{ id: 1, events: 30 * 501, sessions: 0 }])
  await again.close()
})

it('starts again when rows are removed meanwhile, stops when it is aborted, and the store goes on', async () => {
  const store = await openDuckdbEvents(newPath(), SMALL)
  await fill(store)
  await eraseAnn(store)
  const meanwhile = store.compact()
  await store.removeProject(2)
  expect(await meanwhile).not.toBeNull()
  expect(await store.compact()).toBeNull()
  await eraseAnn(store, 2)
  await expect(store.compact(AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
  const stop = new AbortController()
  const stopped = store.compact(stop.signal)
  setImmediate(() => stop.abort(new Error('stop')))
  await expect(stopped).rejects.toThrow()
  expect((await timesOf(store, 'bob')).length).toBe(10 * 501)
  expect(await store.compact()).not.toBeNull()
  expect((await timesOf(store, 'bob')).length).toBe(10 * 501)
  await store.close()
})

it('removes what a kill left of a copy', async () => {
  const path = newPath()
  writeFileSync(`${path}.rewrite`, 'half a copy')
  writeFileSync(`${path}.rewrite.wal`, 'its log')
  const store = await openDuckdbEvents(path)
  await store.close()
  expect(existsSync(`${path}.rewrite`) || existsSync(`${path}.rewrite.wal`)).toBe(false)
})

const urlOf = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/** Erases, compacts and goes on adding batches; prints the number of each batch that is stored. */
const child = (path: string, first: number) => `
  import { numberedBatch } from ${urlOf('../../contract/batch-builders.ts')}
  import { openDuckdbEvents } from ${urlOf('../events.ts')}
  const store = await openDuckdbEvents(${JSON.stringify(path)}, ${JSON.stringify(SMALL)})
  const adding = (async () => {
    for (let n = ${first}; n < ${first + 2_000}; n++) {
      await store.apply([numberedBatch(n, 2)], n)
      console.log(n)
    }
  })()
  await store.erase([{ id: 1, projectId: 1, personId: 1, distinctIds: ['ann'], cutoffSeq: 40 }])
  await store.compact()
  await adding`

/** Kills the child `after` milliseconds after its first output; returns the last number it printed. */
async function runKilled(path: string, first: number, after: number): Promise<number> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', child(path, first)]
  const running = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<NodeJS.Signals | null>((resolve) => running.on('exit', (_, signal) => resolve(signal)))
  let last = first - 1
  for await (const line of createInterface({ input: running.stdout })) {
    if (last < first) setTimeout(() => running.kill('SIGKILL'), after)
    last = Number(line)
  }
  expect(await exited).toBe('SIGKILL')
  return last
}

it('has everything after kills at any point', async () => {
  const path = newPath()
  const first = await openDuckdbEvents(path, SMALL)
  await fill(first)
  const bob = await timesOf(first, 'bob')
  await first.close()
  const { size } = statSync(path)
  let last = 0
  for (const after of [5, 40, 120, 250, 500, 900]) {
    last = await runKilled(path, last + 1, after)
    const store = await openDuckdbEvents(path, SMALL)
    expect(await timesOf(store, 'bob')).toEqual(bob)
    const stored = (await countEvents(store, 1)) - bob.length
    const annLeft = (await timesOf(store, 'ann')).length
    expect([0, 30 * 501]).toContain(annLeft)
    // One more batch may be stored whose number was not printed yet.
    expect([last * 2, last * 2 + 2]).toContain(stored - annLeft)
    if (stored - annLeft > last * 2) last += 1
    await store.close()
  }
  const store = await openDuckdbEvents(path, SMALL)
  expect(await eraseAnn(store)).toEqual([{ id: 1, events: 30 * 501, sessions: 0 }])
  await store.compact()
  expect(await timesOf(store, 'bob')).toEqual(bob)
  expect(statSync(path).size).toBeLessThan(0.75 * size)
  await store.close()
})
