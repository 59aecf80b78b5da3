/** Queued event deletions in SQL; one pending row per person at the most. */
import { type Selectable, sql } from 'kysely'
import type { Deletion, DeletionReader, DeletionRequest, DeletionWriter } from '../../model/deletion.ts'
import type { Connection } from './connection.ts'
import { newestPage } from './newest.ts'
import type { DeletionTable } from './tables.ts'

const toDeletion = (row: Selectable<DeletionTable>): Deletion => ({
  id: row.id,
  projectId: row.project_id,
  personId: row.person_id,
  personUuid: row.person_uuid,
  distinctIds: JSON.parse(row.distinct_ids),
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

export function deletionReader({ db }: Connection): DeletionReader {
  return {
    async list({ projectId, status, personUuid }, page) {
      let query = db.selectFrom('deletions').where('project_id', '=', projectId)
      if (status !== undefined) query = query.where('status', '=', status)
      if (personUuid !== undefined) query = query.where('person_uuid', '=', personUuid)
      const { count, items } = await newestPage(query, page)
      return { count, items: items.map(toDeletion) }
    },
  }
}

function raise(db: Connection['db'], pending: { id: number; distinct_ids: string }, request: DeletionRequest) {
  const ids = new Set<string>([...JSON.parse(pending.distinct_ids), ...request.distinctIds])
  return db
    .updateTable('deletions')
    .set({ cutoff_seq: request.cutoffSeq, distinct_ids: JSON.stringify([...ids]) })
    .where('id', '=', pending.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const insert = (db: Connection['db'], request: DeletionRequest) =>
  db
    .insertInto('deletions')
    .values({
      project_id: request.projectId,
      person_id: request.personId,
      person_uuid: request.personUuid,
      distinct_ids: JSON.stringify(request.distinctIds),
      cutoff_seq: request.cutoffSeq,
      created_by: request.createdBy,
      created_at: request.createdAt,
      scheduled_for: request.scheduledFor,
      status: 'pending',
    })
    .returningAll()
    .executeTakeFirstOrThrow()

export function deletionWriter(connection: Connection): DeletionWriter {
  const { db } = connection
  return {
    ...deletionReader(connection),
    async request(request) {
      const pending = await db
        .selectFrom('deletions')
        .select(['id', 'distinct_ids'])
        .where('project_id', '=', request.projectId)
        .where('person_id', '=', request.personId)
        // A literal: the index of pending rows serves no bound value.
        .where('status', '=', sql.lit('pending'))
        .executeTakeFirst()
      const row = pending ? await raise(db, pending, request) : await insert(db, request)
      return toDeletion(row)
    },
  }
}
