/** Of all processes on a database one at a time has a turn. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines, newDatabase, type TestDatabase } from '../../../../../test/support/postgres/databases.ts'
import { execute } from '../../../../../test/support/postgres/server.ts'
import { LOCKS } from '../locks.ts'
import { openPostgres, type PostgresEngine } from '../open-postgres.ts'

describe.each(engines)('$name', (postgres) => {
  let database: TestDatabase
  let one: PostgresEngine
  let other: PostgresEngine
  beforeEach(async () => {
    database = await newDatabase(postgres)
    one = await openPostgres({ url: database.url, scanLimitMs: 10_000 })
    other = await openPostgres({ url: database.url, scanLimitMs: 10_000 })
  })
  afterEach(async () => {
    await one.close()
    await other.close()
    await database.drop()
  })
  /** Ends the connections that hold turns. */
  const cutTurns = () =>
    execute(postgres.adminUrl, [
      `select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and classid = ${LOCKS.turn}
        and granted and database = (select oid from pg_database where datname = '${new URL(database.url).pathname.slice(1)}')`,
    ])

  it('lets nobody in while another is', async () => {
    let inside = 0
    let most = 0
    const work = async () => {
      inside += 1
      most = Math.max(most, inside)
      await one.reader.runPrepared('select pg_sleep(0.01)', [])
      inside -= 1
    }
    const all = Array.from({ length: 10 }, (_, place) => (place % 2 === 0 ? one : other).inTurn('erasure', work))
    await Promise.all(all)
    expect([inside, most]).toEqual([0, 1])
  })

  it('does not let turns of other names wait', async () => {
    expect(await one.inTurn('erasure', () => other.inTurn('start', async () => 'both'))).toBe('both')
  })

  it('gives the turn on after a failure, and ends a wait by its signal', async () => {
    await expect(one.inTurn('erasure', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    const stop = new AbortController()
    await one.inTurn('erasure', async () => {
      const waiting = other.inTurn('erasure', async () => 'never', stop.signal)
      stop.abort(new Error('stopped'))
      await expect(waiting).rejects.toThrow('stopped')
    })
    expect(await other.inTurn('erasure', async () => 'then')).toBe('then')
  })

  it('tells who has lost the turn with its connection, and lets another in', async () => {
    const told = await one.inTurn('erasure', async (signal) => {
      const lost = new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))
      await cutTurns()
      expect(await other.inTurn('erasure', async () => 'in')).toBe('in')
      return lost
    })
    expect(told).toMatchObject({ message: 'The turn "erasure" was lost with its connection.' })
  })
})
