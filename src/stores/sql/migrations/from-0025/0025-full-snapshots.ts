/** Beside the place of each block, its full snapshots; null: of blocks from before, where nobody has looked. */
import type { Kysely } from 'kysely'

export async function fullSnapshots(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('recording_blocks').addColumn('full_snapshots', 'text').execute()
}
