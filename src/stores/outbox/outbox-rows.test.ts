import { afterEach, beforeEach, expect, it } from 'vitest'
import { uuidV7 } from '../../lib/ids.ts'
import type { ErasureRequest } from '../../model/events/erasure.ts'
import type { EventStore } from '../../model/events/event.ts'
import { makeEvent, NOON } from '../contract/batch-builders.ts'
import type { OpenedSql } from '../contract/open-sql.ts'
import { openSqliteStores } from '../contract/open-sqlite.ts'
import { removeAppliedToo } from './outbox-rows.ts'

let opened: OpenedSql
beforeEach(async () => {
  opened = await openSqliteStores()
})
afterEach(() => opened.end())

const request = (cutoffSeq: number): ErasureRequest => ({
  id: 1,
  projectId: 1,
  personId: 1,
  distinctIds: ['ann'],
  cutoffSeq,
})

/** Adds a row; returns its id and number. */
const add = () =>
  opened.stores.transaction(async (tx) => {
    const row = { id: uuidV7(NOON), seq: await tx.outbox.nextSeq() }
    await tx.outbox.add({ ...row, events: [makeEvent(1)], persons: [], distinctIds: [] }, NOON)
    return row
  })

it('erases when rows that were applied are gone, and none waits that could bring events back', async () => {
  const { stores } = opened
  const erased: ErasureRequest[][] = []
  const store: Partial<EventStore> = {
    async erase(requests) {
      erased.push(requests)
      return []
    },
  }
  const { erase } = removeAppliedToo(store as EventStore, stores)
  const [old, later] = [await add(), await add()]
  const apply = () => stores.queueTransaction((tx) => tx.outbox.markApplied([old.id], NOON))
  await apply()
  // As after a restart of a server, at this very moment.
  await stores.queueTransaction((tx) => tx.outbox.applyAgain(false))
  await expect(erase([request(old.seq)])).rejects.toThrow('is being applied again')
  expect(erased).toEqual([])
  expect(await stores.outbox.pending()).toEqual([old.id, later.id])
  await apply()
  await erase([request(old.seq)])
  expect(erased).toEqual([[request(old.seq)]])
  expect(await stores.queueTransaction((tx) => tx.outbox.applyAgain(false))).toBe(0)
  expect(await stores.outbox.pending()).toEqual([later.id])
})
