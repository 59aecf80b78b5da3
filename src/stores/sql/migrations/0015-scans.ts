/** A project that is being removed is hidden at once; its rows are deleted in portions afterwards. */
import type { Kysely } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function scans(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await db.schema.alterTable('projects').addColumn('removed_at', dialect.types.instant).execute()
}
