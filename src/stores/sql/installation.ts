/** The installation's id and how far the SQL store has come: one row, and the sequence. */
import { sql } from 'kysely'
import type { InstallationReader, InstallationWriter } from '../../model/installation.ts'
import type { Connection } from './connection.ts'

export function installationReader({ db }: Connection): InstallationReader {
  return {
    async find() {
      const row = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow()
      const seq = await db.selectFrom('sequences').select('value').where('name', '=', 'seq').executeTakeFirstOrThrow()
      return {
        id: row.id,
        isStamped: row.is_stamped === 1,
        lastSeq: seq.value,
        handedSeq: row.handed_seq,
        starts: row.starts,
        blobsLostUntil: row.blobs_lost_until,
      }
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
      await db.updateTable('sequences').set({ value: seq }).where('name', '=', 'seq').where('value', '<', seq).execute()
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

/** Notes that the batches with these ids are about to leave the outbox for the event store. */
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
