/** The installation's id and the progress of the SQL store: one row, and the sequence. */
import { sql } from 'kysely'
import type { InstallationReader, InstallationWriter, NewestBlock, SecretWriter } from '../../../model/installation.ts'
import { arg, type Connection, prepared } from '../connection.ts'

type Growing = { project_id: number; session_id: string; last_ingest_at: number }

async function lastBlock(db: Connection['db'], recording: Growing): Promise<NewestBlock> {
  const row = await db
    .selectFrom('recording_blocks')
    .selectAll()
    .where('project_id', '=', recording.project_id)
    .where('session_id', '=', recording.session_id)
    .orderBy('block', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return {
    sessionId: row.session_id,
    blobKey: row.blob_key,
    offset: row.byte_offset,
    length: row.byte_length,
    lastIngestAt: recording.last_ingest_at,
  }
}

const lastSeq = prepared((db, dialect) => dialect.seq.last(db))
const raiseSeq = prepared((db, dialect) => dialect.seq.raise(db, arg<number>(0)))

export function installationReader(connection: Connection): InstallationReader {
  const { db } = connection
  return {
    async find() {
      const row = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow()
      const [seq] = await lastSeq.run(connection)
      if (!seq) throw new Error('There is no sequence to number changes with.')
      return {
        id: row.id,
        isStamped: row.is_stamped === 1,
        lastSeq: seq.value,
        handedSeq: row.handed_seq,
        starts: row.starts,
        blobsLostUntil: row.blobs_lost_until,
      }
    },
    async newestBlocks(after, limit) {
      // Reads every recording, once at a start: an index would have to be updated with each block that comes in.
      const newest = await db
        .selectFrom('recordings')
        .select(['project_id', 'session_id', 'last_ingest_at'])
        .where('last_ingest_at', '>', after)
        // The bytes of a removed project are deleted before its rows.
        .where('project_id', 'in', db.selectFrom('projects').select('id').where('removed_at', 'is', null))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('recording_blocks')
              .select('block')
              .whereRef('recording_blocks.project_id', '=', 'recordings.project_id')
              .whereRef('recording_blocks.session_id', '=', 'recordings.session_id'),
          ),
        )
        .orderBy('last_ingest_at', 'desc')
        .limit(limit)
        .execute()
      return Promise.all(newest.map((recording) => lastBlock(db, recording)))
    },
  }
}

export function installationWriter(connection: Connection): InstallationWriter {
  const { db } = connection
  return {
    ...installationReader(connection),
    async stamped(starts) {
      await db.updateTable('installation').set({ is_stamped: 1, starts }).execute()
    },
    async raiseSeq(seq) {
      await raiseSeq.run(connection, seq)
    },
    async acceptLostBlobs(until) {
      await db
        .updateTable('installation')
        .set({ blobs_lost_until: until })
        .where('blobs_lost_until', '<', until)
        .execute()
    },
  }
}

/** Records that the batches with these ids are about to leave the outbox for the event store. */
export async function noteHandedOn({ db }: Connection, ids: string[]): Promise<void> {
  const highest = db
    .selectFrom('outbox')
    .select((eb) => eb.fn.max<number>('seq').as('seq'))
    .where('id', 'in', ids)
  await db
    .updateTable('installation')
    .set({ handed_seq: sql<number>`coalesce(${highest}, handed_seq)` })
    .where('handed_seq', '<', highest)
    .execute()
}

/** Kept with the data, so that every process knows them. */
export function secretWriter({ db }: Connection): SecretWriter {
  return {
    async findOrCreate(name, make) {
      const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
      if (row) return row.value
      const value = make()
      await db.insertInto('secrets').values({ name, value }).execute()
      return value
    },
  }
}
