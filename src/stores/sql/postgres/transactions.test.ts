/** What is sent before the engine has answered: with the begin, and with the commit. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines, newMigrated } from '../../../../test/support/postgres/databases.ts'
import { uuidV7 } from '../../../lib/ids.ts'
import { NOBODY_IS_TOLD } from '../../presence-parts.ts'
import { outboxWriter } from '../repositories/outbox/outbox.ts'
import { runNamed } from './connections/clients.ts'
import { type Borrowed, Clients, createPool, type LentQueries } from './connections/pool.ts'
import { Presence } from './connections/presence.ts'
import { readPostgresUrl } from './connections/read-url.ts'
import { enterFences, IN_TRANSACTION, LOCKS } from './locks.ts'
import { openPostgres, type PostgresEngine } from './open-postgres.ts'

const NOW = Date.UTC(2026, 0, 1)
const BEGIN = `begin isolation level read committed; ${enterFences([1])}`

describe.each(engines)('$name', (postgres) => {
  let database: Awaited<ReturnType<typeof newMigrated>>
  let engine: PostgresEngine
  beforeEach(async () => {
    database = await newMigrated(postgres)
    engine = await openPostgres({ url: database.url, scanLimitMs: 10_000 })
  })
  afterEach(async () => {
    await engine.close()
    await database.putBack()
  })

  const noted = async () =>
    (await engine.reader.db.selectFrom('secrets').select('name').orderBy('name').execute()).map(({ name }) => name)

  describe('what is sent with the commit', () => {
    const addBatch = (id: string, name: string) =>
      engine.transact(async (connection) => {
        await connection.db.insertInto('secrets').values({ name, value: '' }).execute()
        await outboxWriter(connection).add({ id, seq: 1, events: [], persons: [], distinctIds: [] }, NOW)
      })

    it('is a part of the transaction: where it fails, nothing is stored', async () => {
      const id = uuidV7(NOW)
      await addBatch(id, 'stored')
      await expect(addBatch(id, 'lost')).rejects.toMatchObject({ code: '23505' })
      expect(await noted()).toEqual(['stored'])
      await addBatch(uuidV7(NOW), 'stored later')
      expect(await noted()).toEqual(['stored', 'stored later'])
    })

    it('is not stored where the transaction fails after it', async () => {
      const failed = engine.transact(async (connection) => {
        await outboxWriter(connection).add({ id: uuidV7(NOW), seq: 1, events: [], persons: [], distinctIds: [] }, NOW)
        throw new Error('It went wrong.')
      })
      await expect(failed).rejects.toThrow('It went wrong.')
      expect(await engine.reader.db.selectFrom('outbox').select('id').execute()).toEqual([])
    })
  })

  describe('what is sent with the begin', () => {
    let clients: Clients
    let borrowed: Borrowed
    beforeEach(async () => {
      clients = new Clients(await createPool(readPostgresUrl(database.url)), new Presence(NOBODY_IS_TOLD))
      borrowed = await clients.borrow()
    })
    afterEach(async () => {
      borrowed.giveBack(true)
      await clients.close()
    })

    const run = (text: string) => runNamed<Record<string, unknown>>(borrowed.queries, text, [])
    const note = (name: string, condition = 'true') =>
      run(`insert into secrets (name, value) select '${name}', '' where ${condition}`)
    /** All at once, as the work of a transaction does. */
    const early = (begin: string) => {
      const { queries }: { queries: LentQueries } = borrowed
      return Promise.allSettled([
        queries.begin(begin),
        run('select 1 as one'),
        note('guarded', IN_TRANSACTION),
        note('other'),
        run('select count(*) as stored from secrets'),
      ])
    }
    const statuses = (settled: PromiseSettledResult<unknown>[]) => settled.map(({ status }) => status)

    it('is in the transaction, in its order', async () => {
      const settled = await early(BEGIN)
      expect(statuses(settled)).toEqual(Array(5).fill('fulfilled'))
      expect(settled.at(-1)).toMatchObject({ value: [{ stored: 2 }] })
      await borrowed.queries.query('rollback')
      expect(await noted()).toEqual([])
      await early(BEGIN)
      await borrowed.queries.query('commit')
      expect(await noted()).toEqual(['guarded', 'other'])
    })

    it('stores nothing where no transaction has begun', async () => {
      const settled = await early('begin nonsense')
      // Of these only the read was sent, and the insert that does nothing outside of a transaction.
      expect(statuses(settled)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected', 'rejected'])
      await expect(note('later')).rejects.toThrow('syntax error')
      await borrowed.queries.query('rollback')
      expect(await noted()).toEqual([])
      await note('after')
      expect(await noted()).toEqual(['after'])
    })

    it('waits with the begin, and fails with it', async () => {
      const other = await clients.borrow()
      await other.queries.query(`select pg_advisory_lock(${LOCKS.fence}, 1)`)
      const settled = await early(`set lock_timeout = 50; ${BEGIN}`)
      expect(statuses(settled)).toEqual(Array(5).fill('rejected'))
      await other.queries.query(`select pg_advisory_unlock(${LOCKS.fence}, 1)`)
      other.giveBack(true)
      await borrowed.queries.query('rollback')
      expect(await noted()).toEqual([])
    })
  })
})
