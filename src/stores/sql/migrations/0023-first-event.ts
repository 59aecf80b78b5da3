/** A project knows whether it ever took an event. Of before, what is left of capture tells. */
import { type Kysely, sql } from 'kysely'

export async function firstEvent(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('projects')
    .addColumn('ingested_event', 'integer', (c) => c.notNull().defaultTo(sql.lit(0)))
    .execute()
  await sql`update projects set ingested_event = 1
    where exists (select 1 from event_uuids e where e.project_id = projects.id)
      or exists (select 1 from distinct_ids d where d.project_id = projects.id)
      or exists (select 1 from personless_ids p where p.project_id = projects.id)`.execute(db)
}
