/**
 * What the event store refuses, in SQL: a table beside the outbox, so that nothing that waits for the outbox ever meets
 * it. Each move between the two is part of one transaction and counted, so that a deletion can tell whether something
 * moved while it ran (see stores/parked-removal.ts).
 */
import { type Selectable, sql } from 'kysely'
import type { OutboxReader, OutboxWriter, ParkedBatch } from '../../model/outbox.ts'
import type { Connection } from './connection.ts'
import { compress, decompressNow } from './outbox-payload.ts'
import type { ParkedBatchTable } from './tables.ts'

type Parked = 'parkedCount' | 'parked' | 'parkedVersion'
type Parking = 'beginParts' | 'park' | 'unpark' | 'parkedTexts' | 'rewriteParked' | 'removeParked'

const toParked = (row: Omit<Selectable<ParkedBatchTable>, 'payload'>): ParkedBatch => ({
  id: row.id,
  projectId: row.project_id,
  seq: row.seq,
  events: row.events,
  changes: row.changes,
  error: row.error,
  createdAt: row.created_at,
  parkedAt: row.parked_at,
})

const HEAD = ['id', 'project_id', 'seq', 'events', 'changes', 'error', 'created_at', 'parked_at'] as const

export function parkedReader({ db }: Connection): Pick<OutboxReader, Parked> {
  const count = () =>
    db
      .selectFrom('parked_batches')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  return {
    parkedCount: async () => (await count()).count,
    async parked({ limit, offset }) {
      const query = db.selectFrom('parked_batches').select(HEAD).orderBy('parked_at', 'desc').orderBy('id', 'desc')
      const rows = await query.limit(limit).offset(offset).execute()
      return { count: (await count()).count, items: rows.map(toParked) }
    },
    async parkedVersion() {
      const query = db.selectFrom('sequences').select('value').where('name', '=', 'parked')
      return (await query.executeTakeFirstOrThrow()).value
    },
  }
}

export function parkedWriter({ db, addedBatches, recentBatches }: Connection): Pick<OutboxWriter, Parking> {
  const countMove = () =>
    db.updateTable('sequences').set({ value: sql`value + 1` }).where('name', '=', 'parked').execute()
  return {
    async beginParts(id) {
      await db.updateTable('outbox').set({ in_parts: 1 }).where('id', '=', id).execute()
    },
    async park(id, refused, now) {
      addedBatches.delete(id)
      recentBatches.take(id)
      const row = await db.deleteFrom('outbox').where('id', '=', id).returningAll().executeTakeFirst()
      if (!row) return
      for (const { projectId, text, ...batch } of refused) {
        const payload = text === null ? row.payload : compress(text)
        const values = { ...batch, project_id: projectId, payload, seq: row.seq, created_at: row.created_at }
        await db
          .insertInto('parked_batches')
          .values({ ...values, parked_at: now })
          .execute()
      }
      await countMove()
    },
    async unpark(id, now) {
      const row = await db.deleteFrom('parked_batches').where('id', '=', id).returningAll().executeTakeFirst()
      if (!row) return false
      await db.insertInto('outbox').values({ id, seq: row.seq, payload: row.payload, created_at: now }).execute()
      await countMove()
      return true
    },
    async parkedTexts({ projectId, after, limit }) {
      let query = db.selectFrom('parked_batches').select(['id', 'seq', 'project_id', 'payload']).where('id', '>', after)
      if (projectId !== undefined) {
        query = query.where((eb) => eb.or([eb('project_id', '=', projectId), eb('project_id', 'is', null)]))
      }
      const rows = await query.orderBy('id').limit(limit).execute()
      return rows.map(({ id, seq, project_id, payload }) => ({
        id,
        seq,
        projectId: project_id,
        text: decompressNow(payload),
      }))
    },
    async rewriteParked(id, { text, ...content }) {
      const values = { ...content, payload: compress(text) }
      await db.updateTable('parked_batches').set(values).where('id', '=', id).execute()
    },
    async removeParked(ids) {
      if (ids.length > 0) await db.deleteFrom('parked_batches').where('id', 'in', ids).execute()
    },
  }
}
