/**
 * Recordings in SQL. Searching is in recording-search.ts, intake in recording-intake.ts, places of bytes in recording-bytes.ts. Blocks, views and sharing are
 * deleted with their recording by foreign keys, so that a tombstone takes one delete and one insert.
 */
import { chunks } from '../../../../lib/lists/lists.ts'
import type { RecordingReader, RecordingWriter } from '../../../../model/recordings/recording.ts'
import { AT_ONCE, arg, type Connection, prepared } from '../../connection.ts'
import { recordingByteReader, recordingByteWriter } from './recording-bytes.ts'
import { blockRow, recordingIntakeReader, recordingIntakeWriter } from './recording-intake.ts'
import { newRow, toBlock, toRecording, toTombstone } from './recording-rows.ts'
import { recordingSearch } from './recording-search.ts'

const findOne = prepared((db) =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where('project_id', '=', arg<number>(0))
    .where('session_id', '=', arg<string>(1))
    .where('expires_at', '>', arg<number>(2)),
)
const findTombstone = prepared((db) =>
  db
    .selectFrom('recording_tombstones')
    .selectAll()
    .where('project_id', '=', arg<number>(0))
    .where('session_id', '=', arg<string>(1)),
)

const stored = (db: Connection['db']) =>
  db.selectFrom('recordings').select((eb) => [
    'project_id as projectId',
    'session_id as sessionId',
    eb
      .selectFrom('recording_blocks')
      .select((block) => block.fn.coalesce(block.fn.sum<number>('byte_length'), block.lit(0)).as('bytes'))
      .whereRef('recording_blocks.project_id', '=', 'recordings.project_id')
      .whereRef('recording_blocks.session_id', '=', 'recordings.session_id')
      .$asScalar()
      .$notNull()
      .as('bytes'),
  ])

export function recordingReader(connection: Connection): RecordingReader {
  const { db, dialect } = connection
  return {
    ...recordingSearch(connection),
    ...recordingIntakeReader(connection),
    ...recordingByteReader(connection),
    async find(projectId, sessionId, now) {
      const [row] = await findOne.run(connection, projectId, sessionId, now)
      return row ? toRecording(row) : null
    },
    async findMany(projectId, sessionIds, now) {
      const rows = await db
        .selectFrom('recordings')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('session_id', 'in', dialect.texts(sessionIds))
        .where('expires_at', '>', now)
        .execute()
      return rows.map(toRecording)
    },
    async blocks(projectId, sessionId) {
      const rows = await db
        .selectFrom('recording_blocks')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('session_id', '=', sessionId)
        .orderBy('block')
        .execute()
      return rows.map(toBlock)
    },
    async findTombstone(projectId, sessionId) {
      const [row] = await findTombstone.run(connection, projectId, sessionId)
      return row ? toTombstone(row) : null
    },
    async unfreed(limit) {
      const rows = await db
        .selectFrom('recording_tombstones')
        .selectAll()
        .where('freed_at', 'is', null)
        .orderBy('deleted_at')
        .limit(limit)
        .execute()
      return rows.map(toTombstone)
    },
    expired: (now, limit) =>
      stored(db).where('expires_at', '<=', now).orderBy('expires_at').orderBy('session_id').limit(limit).execute(),
    oldest: (projectId, limit) =>
      stored(db).where('project_id', '=', projectId).orderBy('start_at').orderBy('session_id').limit(limit).execute(),
    async viewsOf(projectId, sessionIds) {
      const rows = await db
        .selectFrom('recording_views')
        .select(['session_id', 'user_id'])
        .where('project_id', '=', projectId)
        .where('session_id', 'in', dialect.texts(sessionIds))
        .orderBy('viewed_at')
        .orderBy('user_id')
        .execute()
      return rows.map((row) => ({ sessionId: row.session_id, userId: row.user_id }))
    },
  }
}

type Views = Pick<RecordingWriter, 'addViews' | 'removeViews'>

function viewWriter({ db, dialect }: Connection): Views {
  return {
    async addViews(projectId, userId, sessionIds, at) {
      const view = { project_id: projectId, user_id: userId, viewed_at: at }
      for (const part of chunks(sessionIds, AT_ONCE)) {
        await db
          .insertInto('recording_views')
          .values(part.map((session_id) => ({ ...view, session_id })))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
    },
    async removeViews(projectId, userId, sessionIds) {
      const { numDeletedRows } = await db
        .deleteFrom('recording_views')
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .where('session_id', 'in', dialect.texts(sessionIds))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

type TombstoneWriter = Pick<RecordingWriter, 'ownedBy' | 'replaceByTombstone' | 'markFreed'>

function tombstoneWriter({ db, dialect }: Connection): TombstoneWriter {
  return {
    async ownedBy(projectId, distinctIds) {
      const ids = dialect.texts(distinctIds)
      const owners = db
        .selectFrom('distinct_ids')
        .select('person_id')
        .where('project_id', '=', projectId)
        .where('distinct_id', 'in', ids)
      const rows = await db
        .selectFrom('recordings')
        .select('session_id')
        .where('project_id', '=', projectId)
        .where((eb) =>
          eb.or([eb('person_id', 'in', owners), eb.and([eb('person_id', 'is', null), eb('distinct_id', 'in', ids)])]),
        )
        .orderBy('session_id')
        .execute()
      return rows.map((row) => row.session_id)
    },
    async replaceByTombstone(projectId, sessionIds, { userId, at }) {
      const gone = await db
        .deleteFrom('recordings')
        .where('project_id', '=', projectId)
        .where('session_id', 'in', dialect.texts(sessionIds))
        .returning('session_id')
        .execute()
      const tombstone = { project_id: projectId, deleted_at: at, deleted_by: userId, freed_at: null }
      for (const part of chunks(gone, AT_ONCE)) {
        await db
          .insertInto('recording_tombstones')
          .values(part.map(({ session_id }) => ({ ...tombstone, session_id })))
          .execute()
      }
      return gone.map((row) => row.session_id)
    },
    async markFreed(projectId, sessionId, at) {
      await db
        .updateTable('recording_tombstones')
        .set({ freed_at: at })
        .where('project_id', '=', projectId)
        .where('session_id', '=', sessionId)
        .execute()
    },
  }
}

export function recordingWriter(connection: Connection): RecordingWriter {
  const { db } = connection
  const reader = recordingReader(connection)
  return {
    ...reader,
    ...viewWriter(connection),
    ...tombstoneWriter(connection),
    ...recordingIntakeWriter(connection),
    ...recordingByteWriter(connection),
    async create(recording, blocks) {
      const { projectId, sessionId } = recording
      if (await reader.findTombstone(projectId, sessionId)) return false
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('recordings')
        .values(newRow(recording))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows !== 1n) return false
      for (const part of chunks(blocks, AT_ONCE)) {
        await db
          .insertInto('recording_blocks')
          .values(part.map((block) => blockRow(projectId, sessionId, block)))
          .execute()
      }
      return true
    },
    async update(projectId, sessionId, { personId, analyzed, sharedAt, lastIngestAt }) {
      const row = {
        ...(personId === undefined ? {} : { person_id: personId }),
        ...(analyzed === undefined ? {} : { analyzed: analyzed ? (1 as const) : (0 as const) }),
        ...(sharedAt === undefined ? {} : { shared_at: sharedAt }),
        ...(lastIngestAt === undefined ? {} : { last_ingest_at: lastIngestAt }),
      }
      if (Object.keys(row).length === 0) return
      await db
        .updateTable('recordings')
        .set(row)
        .where('project_id', '=', projectId)
        .where('session_id', '=', sessionId)
        .execute()
    },
  }
}
