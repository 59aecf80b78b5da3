/** Queued event deletions in SQL; at most one pending row per person. */
import { type Selectable, type SqlBool, sql } from 'kysely'
import type {
  Deletion,
  DeletionFilter,
  DeletionReader,
  DeletionRequest,
  DeletionWriter,
} from '../../../model/persons/deletion.ts'
import type { Connection } from '../connection.ts'
import type { DeletionTable } from '../deletion-tables.ts'
import type { Index } from '../queries/index-scan.ts'
import { type Listed, newestAfter, newestPage } from '../queries/newest-first.ts'

const toDeletion = (row: Selectable<DeletionTable>): Deletion => ({
  id: row.id,
  projectId: row.project_id,
  personId: row.person_id,
  personUuid: row.person_uuid,
  distinctIds: JSON.parse(row.distinct_ids),
  earlier: JSON.parse(row.earlier_ids),
  cutoffSeq: row.cutoff_seq,
  createdBy: row.created_by,
  createdAt: row.created_at,
  scheduledFor: row.scheduled_for,
  status: row.status,
  verifiedAt: row.verified_at,
  eventsDeleted: row.events_deleted,
  sessionsDeleted: row.sessions_deleted,
  recordingsDeleted: row.recordings_deleted,
})

/** A literal: the partial index of pending rows is not used for a bound value. */
const pending = (db: Connection['db']) => db.selectFrom('deletions').where('status', '=', sql.lit('pending'))

export function deletionReader(connection: Connection): DeletionReader {
  const { db } = connection
  const listed = ({ projectId, status, personUuid }: DeletionFilter): Listed<'deletions'> => {
    const of = sql<SqlBool>`project_id = ${projectId}`
    const conditions = [
      sql`1 = 1`,
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(personUuid === undefined ? [] : [sql`person_uuid = ${personUuid}`]),
    ]
    const index: Index = { table: 'deletions', of, by: [sql`created_at`, sql`id`], descending: true }
    const parts = [{ index, condition: sql<SqlBool>`${sql.join(conditions, sql` and `)}` }]
    return { table: 'deletions', parts, long: ['distinct_ids'] }
  }
  return {
    async list(filter, page) {
      const { count, items } = await newestPage(connection, listed(filter), page)
      return { count, items: items.map(toDeletion) }
    },
    async listAfter(filter, after, limit) {
      return (await newestAfter(connection, listed(filter), after, limit)).map(toDeletion)
    },
    async pending(choice, limit) {
      const query = pending(db).selectAll().orderBy('id').limit(limit)
      const chosen =
        'projectId' in choice
          ? query.where('project_id', '=', choice.projectId)
          : query.where('scheduled_for', '<=', choice.dueAt)
      return (await chosen.execute()).map(toDeletion)
    },
    async pendingIds() {
      return (await pending(db).select('id').execute()).map((row) => row.id)
    },
    async waiting(projectId) {
      return pending(db)
        .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('scheduled_for').as('earliest')])
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
    },
    async overdue(before) {
      const count = pending(db).select((eb) => eb.fn.countAll<number>().as('count'))
      return (await count.where('scheduled_for', '<', before).executeTakeFirstOrThrow()).count
    },
  }
}

const toRow = (request: DeletionRequest) => ({
  project_id: request.projectId,
  person_id: request.personId,
  person_uuid: request.personUuid,
  distinct_ids: JSON.stringify(request.distinctIds),
  cutoff_seq: request.cutoffSeq,
  created_by: request.createdBy,
  created_at: request.createdAt,
  scheduled_for: request.scheduledFor,
  status: 'pending' as const,
  recordings_deleted: request.recordingsDeleted,
})

export function deletionWriter(connection: Connection): DeletionWriter {
  const { db } = connection
  return {
    ...deletionReader(connection),
    async findPending(projectId, personId) {
      const row = await pending(db)
        .selectAll()
        .where('project_id', '=', projectId)
        .where('person_id', '=', personId)
        .executeTakeFirst()
      return row ? toDeletion(row) : null
    },
    async insert(request) {
      const row = await db.insertInto('deletions').values(toRow(request)).returningAll().executeTakeFirstOrThrow()
      return toDeletion(row)
    },
    async replace(id, { cutoffSeq, distinctIds, earlier, recordingsDeleted }) {
      const row = await db
        .updateTable('deletions')
        .set({
          cutoff_seq: cutoffSeq,
          distinct_ids: JSON.stringify(distinctIds),
          earlier_ids: JSON.stringify(earlier),
          recordings_deleted: recordingsDeleted,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return toDeletion(row)
    },
    async bringForward(latest) {
      await db
        .updateTable('deletions')
        .set({ scheduled_for: latest })
        // A literal, as in `pending`.
        .where('status', '=', sql.lit('pending'))
        .where('scheduled_for', '>', latest)
        .execute()
    },
    async complete(id, { cutoffSeq, at, events, sessions }) {
      const query = db
        .updateTable('deletions')
        .set((eb) => ({
          status: 'completed',
          distinct_ids: '[]',
          earlier_ids: '[]',
          verified_at: at,
          events_deleted: events,
          sessions_deleted: sessions,
          recordings_deleted: eb.fn.coalesce('recordings_deleted', sql.lit(0)),
        }))
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .where('cutoff_seq', '=', cutoffSeq)
      return (await query.executeTakeFirst()).numUpdatedRows > 0n
    },
  }
}
