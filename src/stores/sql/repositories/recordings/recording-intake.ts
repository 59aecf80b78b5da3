/** Recordings in SQL for replay intake: every statement is compiled and prepared once. */
import { type Insertable, sql } from 'kysely'
import { chunks } from '../../../../lib/lists/lists.ts'
import type {
  RecordingBlock,
  RecordingProgress,
  RecordingReader,
  RecordingWriter,
} from '../../../../model/recordings/recording.ts'
import { arg, type Connection, prepared } from '../../connection.ts'
import type { RecordingBlockTable } from '../../recording-tables.ts'
import { toBlock, toRecording } from './recording-rows.ts'

const findRecording = prepared((db) =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where('project_id', '=', arg<number>(0))
    .where('session_id', '=', arg<string>(1)),
)
const findProgress = prepared((db) =>
  db
    .selectFrom('recording_progress')
    .select(['activity', 'urls', 'stored_bytes'])
    .where('project_id', '=', arg<number>(0))
    .where('session_id', '=', arg<string>(1)),
)
const findLastBlock = prepared((db) =>
  db
    .selectFrom('recording_blocks')
    .selectAll()
    .where('project_id', '=', arg<number>(0))
    .where('session_id', '=', arg<string>(1))
    .orderBy('block', 'desc')
    .limit(1),
)
const findSnapshot = prepared((db) =>
  db
    .selectFrom('recording_snapshots')
    .select('project_id')
    .where('project_id', '=', arg<number>(0))
    .where('session_id', '=', arg<string>(1))
    .where('snapshot', '=', arg<Uint8Array>(2)),
)
const insertSnapshots = prepared((db, dialect) =>
  db
    .insertInto('recording_snapshots')
    .columns(['project_id', 'session_id', 'snapshot'])
    .expression(
      db
        .selectFrom(dialect.jsonTexts(arg<string>(2)).as('given'))
        .select([
          sql<number>`${arg<number>(0)}`.as('project_id'),
          sql<string>`${arg<string>(1)}`.as('session_id'),
          dialect.bytesOfUuid('given.value').as('snapshot'),
        ])
        // Without a condition SQLite would read the following clause as that of a join.
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('project_id'),
)
const insertBlock = prepared((db) =>
  db
    .insertInto('recording_blocks')
    .values({
      project_id: arg<number>(0),
      session_id: arg<string>(1),
      block: arg<number>(2),
      blob_key: arg<string>(3),
      byte_offset: arg<number>(4),
      byte_length: arg<number>(5),
      first_at: arg<number>(6),
      last_at: arg<number>(7),
      follows: arg<number | null>(8),
      full_snapshots: arg<string | null>(9),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('block'),
)
const growRecording = prepared((db) =>
  db
    .updateTable('recordings')
    .set({
      start_at: arg<number>(2),
      end_at: arg<number>(3),
      active_ms: arg<number>(4),
      click_count: arg<number>(5),
      keypress_count: arg<number>(6),
      mouse_activity_count: arg<number>(7),
      console_log_count: arg<number>(8),
      console_warn_count: arg<number>(9),
      console_error_count: arg<number>(10),
      start_url: arg<string>(11),
      total_size: arg<number>(12),
      event_count: arg<number>(13),
      expires_at: arg<number>(14),
      last_ingest_at: arg<number>(15),
    })
    .where('project_id', '=', arg<number>(0))
    .where('session_id', '=', arg<string>(1))
    .returning('project_id'),
)
const upsertProgress = prepared((db) =>
  db
    .insertInto('recording_progress')
    .values({
      project_id: arg<number>(0),
      session_id: arg<string>(1),
      activity: arg<string>(2),
      urls: arg<string>(3),
      stored_bytes: arg<number>(4),
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'session_id']).doUpdateSet((eb) => ({
        activity: eb.ref('excluded.activity'),
        urls: eb.ref('excluded.urls'),
        stored_bytes: eb.ref('excluded.stored_bytes'),
      })),
    )
    .returning('project_id'),
)

export const blockRow = (
  projectId: number,
  sessionId: string,
  block: RecordingBlock,
): Insertable<RecordingBlockTable> => ({
  project_id: projectId,
  session_id: sessionId,
  block: block.index,
  blob_key: block.blobKey,
  byte_offset: block.offset,
  byte_length: block.length,
  first_at: block.firstAt,
  last_at: block.lastAt,
  follows: block.follows,
  full_snapshots: block.fullSnapshots,
})

const toProgress = (row: { activity: string; urls: string; stored_bytes: number }): RecordingProgress => ({
  activity: row.activity,
  urls: JSON.parse(row.urls),
  storedBytes: row.stored_bytes,
})

/** Look-ups of one turn: an engine may answer them together. */
const SOUGHT_AT_ONCE = 100

type IntakeReads = Pick<RecordingReader, 'standing' | 'knownSnapshots' | 'storedBytes' | 'drafts'>

export function recordingIntakeReader(connection: Connection): IntakeReads {
  const { db } = connection
  return {
    async standing(projectId, sessionId) {
      const [recording] = await findRecording.run(connection, projectId, sessionId)
      if (!recording) return null
      const [progress] = await findProgress.run(connection, projectId, sessionId)
      const [block] = await findLastBlock.run(connection, projectId, sessionId)
      return {
        recording: toRecording(recording),
        progress: progress ? toProgress(progress) : null,
        lastBlock: block ? toBlock(block) : null,
      }
    },
    async knownSnapshots(projectId, sessionId, snapshots) {
      const known = new Set<string>()
      for (const some of chunks(snapshots, SOUGHT_AT_ONCE)) {
        const found = await Promise.all(
          some.map((snapshot) => findSnapshot.run(connection, projectId, sessionId, Buffer.from(snapshot, 'hex'))),
        )
        for (const [place, rows] of found.entries()) if (rows.length > 0) known.add(some[place] as string)
      }
      return known
    },
    async storedBytes(projectId) {
      const { total } = await db
        .selectFrom('recording_progress')
        .select((eb) => eb.fn.sum<number | string | null>('stored_bytes').as('total'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return Number(total ?? 0)
    },
    async drafts(begunBefore, limit) {
      const begun = db.selectFrom('recording_drafts').selectAll().where('begun_at', '<', begunBefore)
      const rows = await begun.limit(limit).execute()
      return rows.map((row) => ({ projectId: row.project_id, blobKey: row.blob_key, begunAt: row.begun_at }))
    },
  }
}

type IntakeWrites = Pick<RecordingWriter, 'grow' | 'saveProgress' | 'noteSnapshots' | 'addDraft' | 'removeDraft'>

export function recordingIntakeWriter(connection: Connection): IntakeWrites {
  const { db } = connection
  return {
    async grow(projectId, sessionId, block, { counters, ...growth }) {
      const grown = await growRecording.run(
        connection,
        projectId,
        sessionId,
        growth.startAt,
        growth.endAt,
        growth.activeMs,
        counters.clicks,
        counters.keypresses,
        counters.mouseActivity,
        counters.consoleLogs,
        counters.consoleWarns,
        counters.consoleErrors,
        growth.startUrl,
        growth.totalSize,
        growth.eventCount,
        growth.expiresAt,
        growth.lastIngestAt,
      )
      if (grown.length === 0) return false
      const { index, blobKey, offset, length, firstAt, lastAt, follows, fullSnapshots } = block
      const values = [index, blobKey, offset, length, firstAt, lastAt, follows, fullSnapshots]
      const added = await insertBlock.run(connection, projectId, sessionId, ...values)
      return added.length > 0
    },
    async saveProgress(projectId, sessionId, { activity, urls, storedBytes }) {
      await upsertProgress.run(connection, projectId, sessionId, activity, JSON.stringify(urls), storedBytes)
    },
    async noteSnapshots(projectId, sessionId, snapshots) {
      const rows = await insertSnapshots.run(connection, projectId, sessionId, JSON.stringify(snapshots))
      return rows.length === snapshots.length
    },
    async addDraft({ projectId, blobKey, begunAt }) {
      await db
        .insertInto('recording_drafts')
        .values({ project_id: projectId, blob_key: blobKey, begun_at: begunAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async removeDraft({ projectId, blobKey }) {
      const { numDeletedRows } = await db
        .deleteFrom('recording_drafts')
        .where('project_id', '=', projectId)
        .where('blob_key', '=', blobKey)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
