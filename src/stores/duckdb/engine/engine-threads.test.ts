import { pbkdf2 } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, getPriority } from 'node:os'
import { promisify } from 'node:util'
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

const LIBUV_THREADS = 4

/** libuv's threads: those that compute most while each of them has a key to derive. */
async function libuvThreads(): Promise<number[]> {
  const before = threads().map((id) => ({ id, computed: computed([id]) }))
  const derive = promisify(pbkdf2)
  await Promise.all(Array.from({ length: LIBUV_THREADS }, () => derive('password', 'salt', 200_000, 64, 'sha512')))
  const rose = before.map(({ id, computed: then }) => ({ id, by: computed([id]) - then }))
  const others = rose.filter(({ id }) => id !== process.pid)
  return others
    .sort((one, other) => other.by - one.by)
    .slice(0, LIBUV_THREADS)
    .map(({ id }) => id)
}

const LONG = 'SELECT max(hash(range + $1)) FROM range(20000000)'

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

  it.each<ReadKind>(['persons', 'events', 'insight', 'earliest'])('alone compute a read of %s', async (kind) => {
    const { database, own } = await opened()
    const libuv = await libuvThreads()
    const before = { own: computed(own), libuv: computed(libuv) }
    await database.read((connection) => connection.runAndReadAll(LONG, [1]), { kind })
    expect(computed(own) - before.own).toBeGreaterThan(2 * (computed(libuv) - before.libuv))
  })
})
