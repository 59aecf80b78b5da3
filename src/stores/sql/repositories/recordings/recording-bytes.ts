/** Where the bytes of recordings are, for the work that joins them and compares them with what is stored. */
import { isWhole } from '../../../../model/blob.ts'
import type { RecordingReader, RecordingWriter } from '../../../../model/recordings/recording.ts'
import { arg, type Connection, prepared } from '../../connection.ts'

const moveBlock = prepared((db) =>
  db
    .updateTable('recording_blocks')
    .set({ blob_key: arg<string>(5), byte_offset: arg<number>(6) })
    .where('project_id', '=', arg<number>(0))
    .where('session_id', '=', arg<string>(1))
    .where('block', '=', arg<number>(2))
    .where('blob_key', '=', arg<string>(3))
    .where('byte_offset', '=', arg<number>(4))
    .returning('block'),
)

type ByteReads = Pick<RecordingReader, 'blockPlaces' | 'scattered'>

export function recordingByteReader({ db }: Connection): ByteReads {
  return {
    async blockPlaces(projectId, after, limit) {
      let query = db
        .selectFrom('recording_blocks')
        .select(['session_id', 'block', 'blob_key', 'byte_offset', 'byte_length'])
        .where('project_id', '=', projectId)
      if (after !== null) {
        const { sessionId, index } = after
        query = query.where((eb) => eb(eb.refTuple('session_id', 'block'), '>', eb.tuple(sessionId, index)))
      }
      const rows = await query.orderBy('session_id').orderBy('block').limit(limit).execute()
      return rows.map((row) => ({
        sessionId: row.session_id,
        index: row.block,
        blobKey: row.blob_key,
        offset: row.byte_offset,
        length: row.byte_length,
      }))
    },
    async scattered(projectId, { startFrom, quietSince }, after, limit) {
      let query = db
        .selectFrom('recordings')
        .select((eb) => [
          'session_id',
          'start_at',
          'last_ingest_at',
          eb
            .selectFrom('recording_blocks')
            .select('blob_key')
            .whereRef('recording_blocks.project_id', '=', 'recordings.project_id')
            .whereRef('recording_blocks.session_id', '=', 'recordings.session_id')
            .where('block', '>', 0)
            .orderBy('block', 'desc')
            .limit(1)
            .as('last_key'),
        ])
        .where('project_id', '=', projectId)
        .where('start_at', '>=', startFrom)
      if (after !== null) {
        const { startAt, sessionId } = after
        query = query.where((eb) => eb(eb.refTuple('start_at', 'session_id'), '>', eb.tuple(startAt, sessionId)))
      }
      const rows = await query.orderBy('start_at').orderBy('session_id').limit(limit).execute()
      const last = rows.length < limit ? undefined : rows.at(-1)
      const found = rows.filter(
        (row) => row.last_ingest_at <= quietSince && row.last_key !== null && !isWhole(row.last_key),
      )
      return {
        sessionIds: found.map((row) => row.session_id),
        next: last ? { startAt: last.start_at, sessionId: last.session_id } : null,
      }
    },
  }
}

export function recordingByteWriter(connection: Connection): Pick<RecordingWriter, 'moveBlocks'> {
  return {
    async moveBlocks(projectId, sessionId, moves) {
      for (const { from, to } of moves) {
        const { index, blobKey, offset } = from
        const place = [index, blobKey, offset, to.blobKey, to.offset]
        if ((await moveBlock.run(connection, projectId, sessionId, ...place)).length === 0) return false
      }
      return true
    },
  }
}
