import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeBatch, makeEvent, makePerson, NOON } from '../contract/batch-builders.ts'
import { applyBatches } from './apply-batches.ts'
import type { Database } from './database.ts'
import { openParts, readProgress } from './open-parts.ts'
import { LIMITS, type Parts } from './progress.ts'
import { PROJECT_TABLES } from './schema.ts'

const limits = { ...LIMITS, pieceEvents: 20, runEvents: 60, foldRows: 40 }

let database: Database
let parts: Parts
/** Transactions since the last look. */
let transactions: number
beforeEach(async () => {
  const opened = await openParts(':memory:', limits)
  database = opened.database
  transactions = 0
  const write: Database['write'] = (...args) => {
    transactions += 1
    return database.write(...args)
  }
  parts = { ...opened, database: { ...database, write } }
})
afterEach(() => database.close())

/** A batch of new visitors. */
function visitors(seq: number, count: number) {
  const ids = Array.from({ length: count }, (_, i) => seq * 10_000 + i)
  return makeBatch(seq, {
    events: ids.map((id) => makeEvent(1, { distinctId: `id-${id}` })),
    persons: ids.map((personId) => makePerson(1, { personId, properties: { seq } })),
    distinctIds: ids.map((personId) => ({ projectId: 1, distinctId: `id-${personId}`, personId })),
  })
}

const counts = async () => {
  const sql = `SELECT ${PROJECT_TABLES.map((table) => `(SELECT count(*)::DOUBLE FROM ${table}) AS ${table}`).join(', ')}`
  const found = await database.read((connection) => connection.runAndReadAll(sql))
  return found.getRowObjects()[0] as Record<string, number>
}

it('is one transaction after a batch at most, of a bounded number of rows, however much is due', async () => {
  // Far more than all of the limits at once.
  await applyBatches(parts, [visitors(1, 400)], NOON)
  let before = await counts()
  for (let seq = 2; seq < 100; seq++) {
    transactions = 0
    await applyBatches(parts, [visitors(seq, 1)], NOON)
    expect(transactions).toBeLessThanOrEqual(2)
    const after = await counts()
    const moved = (table: string) => Math.abs((after[table] ?? 0) - (before[table] ?? 0))
    expect(moved('recent_moments')).toBeLessThanOrEqual(limits.runEvents + 2 * limits.pieceEvents)
    expect(moved('persons')).toBeLessThanOrEqual(limits.foldRows)
    expect(moved('distinct_ids')).toBeLessThanOrEqual(limits.foldRows)
    before = after
  }
  // All of it is done in the end.
  expect(before.events).toBe(498)
  expect((before.persons ?? 0) + (before.fresh_persons ?? 0)).toBe(498)
  expect((before.distinct_ids ?? 0) + (before.fresh_distinct_ids ?? 0)).toBe(498)
  expect(before.fresh_persons).toBeLessThan(limits.foldRows)
  expect(before.fresh_distinct_ids).toBeLessThan(limits.foldRows)
  expect(parts.progress).toEqual(await readProgress(database))
})

it('does not hold up batches when it fails, and says so when it keeps failing', async () => {
  await database.write((connection) => connection.run('ALTER TABLE recent_moments RENAME TO elsewhere'))
  let applied = 0
  const failing = async () => {
    for (; ; applied++) await applyBatches(parts, [visitors(applied + 1, 10)], NOON)
  }
  await expect(failing()).rejects.toThrow('recent_moments')
  // The others had their turns.
  expect(applied).toBeGreaterThan(20)
  await database.write((connection) => connection.run('ALTER TABLE elsewhere RENAME TO recent_moments'))
  expect((await counts()).fresh_persons).toBeLessThan(2 * limits.foldRows)
  for (let seq = 0; seq < 3; seq++) await applyBatches(parts, [visitors(1_000 + seq, 1)], NOON)
  expect((await counts()).recent_moments).toBeGreaterThan(0)
})
