/**
 * The property history has one row for each change, with all its keys, instead of one for each key. Rows that are there
 * stay as they are, are read as changes of one key, and are rewritten by a job while the server runs.
 */
import { type Kysely, sql } from 'kysely'

export async function propertyChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('property_history').addColumn('changes', 'text').execute()
  await sql`insert into jobs (kind, key, payload, run_at, attempts)
    select 'reformat-history', 'all', 'null', 0, 0 where exists (select 1 from property_history)`.execute(db)
}
