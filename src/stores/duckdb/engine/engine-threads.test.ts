import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, getPriority } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { type Database, IN_MEMORY, openDatabase } from '../database.ts'
import type { ReadKind } from './readers.ts'

const threads = () => readdirSync('/proc/self/task').map(Number)
const lowered = () => threads().filter((id) => getPriority(id) > getPriority(process.pid))

/** Nanoseconds that these threads have computed. */
const computed = (ids: number[]): number =>
  ids.reduce((sum, id) => sum + Number(readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ')[0]), 0)

const open: Database[] = []
afterEach(async () => {
  for (const database of open.splice(0)) await database.close()
})

async function opened(): Promise<{ database: Database; own: number[] }> {
  const before = new Set(threads())
  const database = await openDatabase(IN_MEMORY)
  open.push(database)
  return { database, own: lowered().filter((id) => !before.has(id)) }
}

const LONG = 'SELECT max(hash(range + $1)) FROM range(5000000)'

describe.skipIf(process.platform !== 'linux')("the engine's threads on Linux", () => {
  it('have a low priority, as many as the engine has; no other thread has it', async () => {
    const before = lowered()
    const { database, own } = await opened()
    expect(own).toHaveLength(Math.min(4, availableParallelism()))
    expect(lowered().sort()).toEqual([...before, ...own].sort())
    const asked = 'SELECT current_setting($1)::INTEGER'
    const found = await database.read((connection) => connection.runAndReadAll(asked, ['threads']))
    expect(found.getRows()).toEqual([[own.length]])
  })

  it.each<ReadKind>(['persons', 'events', 'insight', 'version'])('alone compute a read of %s', async (kind) => {
    const { database, own } = await opened()
    // The main thread makes the test itself run.
    const libuv = threads().filter((id) => !own.includes(id) && id !== process.pid)
    const before = { own: computed(own), libuv: computed(libuv) }
    await database.read((connection) => connection.runAndReadAll(LONG, [1]), { kind })
    expect(computed(own) - before.own).toBeGreaterThan(2 * (computed(libuv) - before.libuv))
  })
})
