import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../database.ts'
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
