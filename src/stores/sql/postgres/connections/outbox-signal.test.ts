/** Rows of the outbox that another process has committed: they are seen, waited for and told of. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { engines, newDatabase, type TestDatabase } from '../../../../../test/support/postgres/databases.ts'
import { uuidV7 } from '../../../../lib/ids.ts'
import { systemClock } from '../../../../lib/time/clock.ts'
import type { OutboxBatch } from '../../../../model/events/outbox.ts'
import { makeEvent, NOON } from '../../../contract/batch-builders.ts'
import { type OpenSql, openSql } from '../../../open.ts'
import { Drainer } from '../../../outbox/drainer.ts'
import { ownRows } from '../../../outbox/outbox-rows.ts'

const PATIENT = { timeout: 120_000, interval: 20 }

describe.each(engines)('two processes on one $name', (postgres) => {
  let database: TestDatabase
  let folder: string
  let here: OpenSql
  let there: OpenSql
  let client: pg.Client
  beforeEach(async () => {
    database = await newDatabase(postgres)
    folder = mkdtempSync(join(tmpdir(), 'hedgerow-signal-'))
    const open = () => openSql({ dataDir: folder, sqlUrl: database.url, eventsUrl: null, blobsUrl: null })
    here = await open()
    there = await open()
    client = new pg.Client(database.url)
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await here.close()
    await there.close()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  const add = ({ stores }: OpenSql): Promise<string> =>
    stores.transaction(async (tx) => {
      const id = uuidV7(NOON)
      const seq = await tx.outbox.nextSeq()
      await tx.outbox.add({ id, seq, events: [makeEvent(1)], persons: [], distinctIds: [] }, NOON)
      return id
    })
  const listening = async (): Promise<number[]> => {
    const asked = `select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`
    return (await client.query<{ pid: number }>(asked)).rows.map(({ pid }) => pid)
  }
  /** Counts what the listener hears, from the moment it listens. */
  async function hear(process: OpenSql): Promise<() => number> {
    let calls = 0
    process.onCommit(() => calls++)
    // It is called once it listens: by then it may have missed something.
    await vi.waitFor(() => expect(calls).toBe(1), PATIENT)
    return () => calls - 1
  }

  it('hear of each other', async () => {
    const heard = await hear(here)
    await add(there)
    await vi.waitFor(() => expect(heard()).toBe(1), PATIENT)
  })

  it('hear of each other again after their connections were cut', async () => {
    const heard = await hear(here)
    for (const pid of await listening()) await client.query('select pg_terminate_backend($1)', [pid])
    await vi.waitFor(() => expect(heard()).toBe(1), PATIENT)
    await add(there)
    await vi.waitFor(() => expect(heard()).toBe(2), PATIENT)
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'notify %'`)
    await vi.waitFor(async () => {
      await add(there)
      expect(heard()).toBeGreaterThan(2)
    }, PATIENT)
  })

  it('say it once for all that is committed meanwhile, and never to themselves', async () => {
    const [heard, own] = [await hear(here), await hear(there)]
    const many = Array.from({ length: 40 }, () => add(there))
    await Promise.all(many)
    await vi.waitFor(() => expect(heard()).toBeGreaterThan(0), PATIENT)
    expect(heard()).toBeLessThan(40)
    expect(own()).toBe(40)
  })

  it('wait for rows that the other one has committed, by their names', async () => {
    const applied: string[] = []
    /** Rows with higher numbers are applied first, as if a lower one had been committed last. */
    const outbox = {
      ...here.stores.outbox,
      peek: async (limit: number): Promise<OutboxBatch[]> => (await here.stores.outbox.peek(limit)).slice(-1),
    }
    const drainer = new Drainer({
      rows: ownRows({ ...here.stores, outbox }),
      pending: () => here.stores.outbox.pending(),
      change: (work) => here.stores.transaction((tx) => work(tx.outbox)),
      events: {
        apply: async (batches) => void applied.push(...batches.map(({ id }) => id)),
        removeProject: async () => {},
        forgetBatches: async () => {},
      },
      clock: systemClock,
      failed: () => {},
      parked: () => {},
    })
    drainer.start()
    try {
      const ids = [await add(there), await add(there), await add(there)]
      await drainer.caughtUp()
      expect(applied.toSorted()).toEqual(ids.toSorted())
      expect(await there.stores.outbox.pending()).toEqual([])
    } finally {
      await drainer.stop()
    }
  })
})
