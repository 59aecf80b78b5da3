import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBatch, makeEvent, NOON } from '../../contract/batch-builders.ts'
import type { Database } from '../database.ts'
import { openDuckdbEvents } from '../events.ts'
import { openParts } from '../open-parts.ts'
import { LIMITS, type Parts } from '../progress.ts'
import { readWithinMemory } from './memory-limited-read.ts'

let database: Database
let parts: Parts
beforeAll(async () => {
  parts = await openParts(':memory:', LIMITS)
  database = parts.database
  await database.write((connection) => connection.run(`SET GLOBAL memory_limit = '20MB'`))
})
afterAll(() => database.close())

describe('reading within the memory there is', () => {
  it('refuses the caller when there is too little, and goes on afterwards', async () => {
    const all = "SELECT list(repeat('x', 1000) || range) FROM range(1000000)"
    await expect(readWithinMemory(parts, (connection) => connection.runAndReadAll(all))).rejects.toMatchObject({
      kind: 'unavailable',
      retryAfterSeconds: 5,
    })
    const one = await readWithinMemory(parts, (connection) => connection.runAndReadAll('SELECT 1'))
    expect(one.getRows()).toEqual([[1]])
  })

  it('leaves other failures as they are', async () => {
    await expect(readWithinMemory(parts, (connection) => connection.run('SELECT nonsense'))).rejects.toThrow(
      'Binder Error',
    )
  })
})

describe('parsing JSON by all threads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-parsing-'))
  const path = join(folder, 'events.duckdb')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  /** Of four reads by these threads, 84 MB each. */
  const enough = 4 * Math.min(4, availableParallelism()) * 84e6

  it('is done where the memory is enough', async () => {
    for (const [memory, expected] of [
      [enough, true],
      [enough - 5e6, false],
    ] as const) {
      const { database: opened } = await openParts(':memory:', LIMITS, memory)
      expect(opened.parsesInParallel).toBe(expected)
      await opened.close()
    }
  })

  it('answers as many reads at once as there may be, over rows of the greatest size', async () => {
    const store = await openDuckdbEvents(path, { ...LIMITS, commonEvents: Number.POSITIVE_INFINITY }, enough)
    // Three bytes a character.
    const wide = (i: number) => ({ color: i % 3 === 0 ? 'red' : 'blue', price: i, text: '語'.repeat(8_100) })
    for (let seq = 1; seq <= 12; seq++) {
      const events = Array.from({ length: 500 }, (_, i) => makeEvent(1, { timestamp: NOON, properties: wide(i) }))
      await store.apply([makeBatch(seq, { events })], NOON)
    }
    const selector = { event: null, filter: null }
    const question = { projectId: 1, selector, edges: [NOON, NOON + 1] }
    const measure = { kind: 'sum' as const, property: 'price' }
    const trend = () => store.trend({ ...question, measure, breakdown: { of: 'event', key: 'color', limit: 5 } })
    const properties = { type: 'event' as const, key: 'price', operator: 'exact' as const, value: [-1] }
    const list = () => store.listEvents(1, { properties }, { limit: 10 })
    const [first, second, third, fourth] = await Promise.all([trend(), trend(), list(), list()])
    // Of the numbers from 0 to 499, twelve times.
    const lines = [
      { breakdown: { kind: 'value', text: 'blue' }, values: [12 * (124_750 - 41_583)] },
      { breakdown: { kind: 'value', text: 'red' }, values: [12 * 41_583] },
    ]
    expect([first, second]).toEqual([lines, lines])
    expect([third, fourth]).toEqual([
      { events: [], more: false },
      { events: [], more: false },
    ])
    await store.close()
  })
})
