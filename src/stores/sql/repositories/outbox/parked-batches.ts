/**
 * Batches that the event store refuses, in SQL: a table of their own, so that nothing that waits for the outbox waits
 * for them. Each move between the two is part of one transaction and counted, so that a deletion can detect moves while
 * it ran (see stores/outbox/parked-removal.ts).
 */
import { type Selectable, sql } from 'kysely'
import type { NewParkedBatch, OutboxReader, OutboxWriter, ParkedBatch } from '../../../../model/events/outbox.ts'
import {
  readContent,
  remainingContent,
  rewriteParkedBatch,
  tryReadContent,
  type WrittenContent,
} from '../../../outbox/batch-text.ts'
import { arg, type Connection, prepared } from '../../connection.ts'
import type { ParkedBatchTable } from '../../tables.ts'
import { compress, decompressNow } from './batch-compression.ts'

type Parked = 'parkedCount' | 'parked' | 'parkedVersion'
type Parking =
  | 'beginParts'
  | 'park'
  | 'unpark'
  | 'parkedTexts'
  | 'rewriteParked'
  | 'removeParked'
  | 'forgetParkedPersons'

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

/** Runs with every read of events. */
const countOf = prepared((db) =>
  db
    .selectFrom('parked_batches')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where((eb) => eb.or([eb('project_id', '=', arg<number>(0)), eb('project_id', 'is', null)])),
)

export function parkedReader(connection: Connection): Pick<OutboxReader, Parked> {
  const { db } = connection
  const count = async () => {
    const query = db.selectFrom('parked_batches').select((eb) => eb.fn.countAll<number>().as('count'))
    return (await query.executeTakeFirstOrThrow()).count
  }
  return {
    async parkedCount(projectId) {
      if (projectId === undefined) return count()
      return (await countOf.run(connection, projectId))[0]?.count ?? 0
    },
    async parked({ limit, offset }) {
      const query = db.selectFrom('parked_batches').select(HEAD).orderBy('parked_at', 'desc').orderBy('id', 'desc')
      const rows = await query.limit(limit).offset(offset).execute()
      return { count: await count(), items: rows.map(toParked) }
    },
    async parkedVersion() {
      const query = db.selectFrom('sequences').select('value').where('name', '=', 'parked')
      return (await query.executeTakeFirstOrThrow()).value
    },
  }
}

/** Rows in memory at once: each may have megabytes. */
const ROWS_AT_ONCE = 20

type Db = Connection['db']

/**
 * The content without the properties of these persons. The mark of a deleted person stays: it contains nothing of the
 * person.
 */
const withoutPersons = (content: WrittenContent, gone: Set<number>): WrittenContent => ({
  ...content,
  persons: content.persons.filter(({ personId, deleted }) => deleted || !gone.has(personId)),
})

/** A person may have been deleted while the batch was being relayed. Null when nothing is left. */
async function withoutGonePersons(db: Db, batch: NewParkedBatch): Promise<NewParkedBatch | null> {
  if (batch.text === null || batch.changes === 0) return batch
  const content = readContent(batch.text)
  const gone = new Set<number>()
  for (const { projectId, personId } of content.persons) {
    const query = db.selectFrom('persons').select('id').where('project_id', '=', projectId).where('id', '=', personId)
    if (!(await query.executeTakeFirst())) gone.add(personId)
  }
  const stays = withoutPersons(content, gone)
  if (stays.persons.length === content.persons.length) return batch
  const rest = remainingContent(stays)
  return rest && { ...batch, ...rest }
}

export function parkedWriter({ db, addedBatches, recentBatches }: Connection): Pick<OutboxWriter, Parking> {
  const countMove = () =>
    db.updateTable('sequences').set({ value: sql`value + 1` }).where('name', '=', 'parked').execute()
  const writer: Pick<OutboxWriter, Parking> = {
    async beginParts(id) {
      await db.updateTable('outbox').set({ in_parts: 1 }).where('id', '=', id).execute()
    },
    async park(id, refused, now) {
      addedBatches.delete(id)
      recentBatches.take(id)
      const row = await db.deleteFrom('outbox').where('id', '=', id).returningAll().executeTakeFirst()
      if (!row) return
      for (const whole of refused) {
        const left = await withoutGonePersons(db, whole)
        if (left === null) continue
        const { projectId, text, ...batch } = left
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
    async forgetParkedPersons(projectId, personIds) {
      const gone = new Set(personIds)
      const rows = db.selectFrom('parked_batches').select(['id', 'payload']).where('project_id', '=', projectId)
      const query = rows.where('changes', '>', 0).orderBy('id').limit(ROWS_AT_ONCE)
      let found = await query.execute()
      while (found.length > 0) {
        for (const { id, payload } of found) {
          const before = tryReadContent(decompressNow(payload))
          // An unreadable batch may contain one of them.
          if (before === null) await writer.removeParked([id])
          else await rewriteParkedBatch(writer, id, { before, stays: withoutPersons(before, gone) })
        }
        found = await query.where('id', '>', found.at(-1)?.id ?? '').execute()
      }
    },
    async removeParked(ids) {
      if (ids.length > 0) await db.deleteFrom('parked_batches').where('id', 'in', ids).execute()
    },
  }
  return writer
}
