/** A membership has a level. Whoever was a member before could do everything, and is an owner. */
import { type Kysely, sql } from 'kysely'

const OWNER = 15

export async function levels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('memberships')
    .addColumn('level', 'integer', (c) => c.notNull().defaultTo(sql.lit(OWNER)))
    .execute()
}
