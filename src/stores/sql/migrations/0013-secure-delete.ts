/**
 * Nothing of a deleted person stays: completed deletions forget whose events they removed, and warnings about these ids
 * are deleted. `earlier_ids` keeps the cut-off of ids that left a person between two requests; `erasures` counts the
 * erasures of a project, so that results computed before one are not cached after it.
 */
import { type Kysely, sql } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

/**
 * There may be half a million warnings and thousands of deletions. So the warnings are first reduced to the number that
 * is kept from now on, and each looks its texts up among the deleted ids, by key.
 */
async function eraseWarnings(db: Kysely<unknown>): Promise<void> {
  await sql`delete from ingestion_warnings where id in (
    select id from (
      select id, row_number() over (partition by project_id order by created_at desc) as place from ingestion_warnings)
    where place > 10000)`.execute(db)
  // They quote what was sent, and do not name the sender.
  await sql`delete from ingestion_warnings
    where type in ('event_timestamp_in_future', 'ignored_invalid_timestamp', 'invalid_process_person_profile')
    and json_extract(details, '$.distinctId') is null`.execute(db)
  await sql`create temp table gone_ids (
    project_id integer, distinct_id text, gone_at integer, primary key (project_id, distinct_id)) without rowid`.execute(
    db,
  )
  await sql`insert into gone_ids select deletions.project_id, gone.value, max(deletions.created_at)
    from deletions, json_each(deletions.distinct_ids) as gone group by 1, 2`.execute(db)
  // A cross join keeps this order: the other way round each warning would be compared with each id.
  await sql`delete from ingestion_warnings where exists (
    select 1 from json_tree(ingestion_warnings.details) as said
    cross join gone_ids on gone_ids.project_id = ingestion_warnings.project_id and gone_ids.distinct_id = said.atom
    where said.type = 'text' and gone_ids.gone_at >= ingestion_warnings.created_at)`.execute(db)
  await sql`drop table gone_ids`.execute(db)
}

export async function secureDelete(db: Kysely<unknown>, { hasEarlierRows }: SqlDialect): Promise<void> {
  await db.schema
    .alterTable('deletions')
    .addColumn('earlier_ids', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
  await db.schema
    .alterTable('projects')
    .addColumn('erasures', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  if (!hasEarlierRows) return
  await eraseWarnings(db)
  await sql`delete from personless_ids where (project_id, distinct_id) in (
    select deletions.project_id, gone.value from deletions, json_each(deletions.distinct_ids) as gone
    where deletions.status = 'completed' and not exists (
      select 1 from persons where persons.id = deletions.person_id))`.execute(db)
  await sql`update deletions set distinct_ids = '[]' where status = 'completed'`.execute(db)
}
