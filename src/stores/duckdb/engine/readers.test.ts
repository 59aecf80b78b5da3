import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Deadline } from '../../../lib/time/deadline.ts'
import { type Database, IN_MEMORY, openDatabase } from '../database.ts'
import type { ReadKind } from './readers.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(IN_MEMORY)
})
afterAll(() => database.close())

const EVERY_KIND: ReadKind[] = ['look-up', 'earliest', 'persons', 'events', 'insight']

const one = async (kind: ReadKind) =>
  (await database.read((connection) => connection.runAndReadAll('SELECT 1'), { kind })).getRows()

/** Holds connections until it is ended. */
function holding() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { hold: () => ended, end }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('reads of one kind', () => {
  it.each(EVERY_KIND)('%s: do not keep other kinds waiting', async (kind) => {
    const { hold, end } = holding()
    const reads = Array.from({ length: 4 }, () => database.read(hold, { kind }))
    for (const other of EVERY_KIND.filter((each) => each !== kind)) expect(await one(other)).toEqual([[1]])
    end()
    await Promise.all(reads)
    expect(await one(kind)).toEqual([[1]])
  })
})

describe('a read alone', () => {
  it('waits for large reads, lets none of them begin, and leaves lists of people alone', async () => {
    const log: string[] = []
    const earlier = holding()
    const alone = holding()
    const insight = database.read(earlier.hold, { kind: 'insight' }).then(() => log.push('earlier'))
    const first = database.read(
      async () => {
        log.push('alone begins')
        await alone.hold()
        log.push('alone ends')
      },
      { kind: 'insight', isAlone: true },
    )
    const second = database.read(async () => void log.push('second alone'), { kind: 'events', isAlone: true })
    await turn()
    expect(log).toEqual([])
    earlier.end()
    await insight
    await turn()
    const later = database.read(async () => void log.push('later'), { kind: 'events' })
    expect(await one('persons')).toEqual([[1]])
    expect(log).toEqual(['earlier', 'alone begins'])
    alone.end()
    await Promise.all([first, second, later])
    expect(log.slice(0, 3)).toEqual(['earlier', 'alone begins', 'alone ends'])
    expect(log.slice(3).sort()).toEqual(['later', 'second alone'])
  })

  it('stops waiting at its deadline, and holds nothing afterwards', async () => {
    const { hold, end } = holding()
    const busy = database.read(hold, { kind: 'insight' })
    const controller = new AbortController()
    const late = [1, 2].map(() =>
      database.read(async () => 'never', {
        kind: 'events',
        isAlone: true,
        deadline: new Deadline(Number.POSITIVE_INFINITY, controller.signal),
      }),
    )
    await turn()
    controller.abort()
    for (const read of late) await expect(read).rejects.toMatchObject({ kind: 'timeout' })
    expect(await Promise.all([1, 2, 3].map(() => one('events')))).toEqual([[[1]], [[1]], [[1]]])
    end()
    await busy
    expect(await database.read(async () => 'alone', { kind: 'insight', isAlone: true })).toBe('alone')
  })
})
