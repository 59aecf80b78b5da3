/**
 * Nothing of a deleted person stays: completed deletions forget whose events they removed, and what was warned of
 * these ids goes. `earlier_ids` keeps the cut-off of ids that left a person between two requests; `erasures` counts
 * what was removed of a project, so that results computed before it are not kept after it.
 */
import { type Kysely, sql } from 'kysely'

export async function secureDelete(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('deletions')
    .addColumn('earlier_ids', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
  await db.schema
    .alterTable('projects')
    .addColumn('erasures', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`delete from ingestion_warnings where id in (
    select ingestion_warnings.id from ingestion_warnings, json_tree(ingestion_warnings.details) as said
    join deletions on deletions.project_id = ingestion_warnings.project_id and deletions.created_at >= ingestion_warnings.created_at
    join json_each(deletions.distinct_ids) as gone on gone.value = said.atom)`.execute(db)
  await sql`delete from personless_ids where (project_id, distinct_id) in (
    select deletions.project_id, gone.value from deletions, json_each(deletions.distinct_ids) as gone
    where deletions.status = 'completed' and not exists (
      select 1 from persons where persons.id = deletions.person_id))`.execute(db)
  await sql`update deletions set distinct_ids = '[]' where status = 'completed'`.execute(db)
}
