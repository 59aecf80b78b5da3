/** What a project has the browser SDK capture, all off, and that events are stored without addresses. */
import type { Kysely } from 'kysely'

const OFF = ['autocapture_exceptions_opt_in', 'autocapture_web_vitals_opt_in', 'heatmaps_opt_in', 'capture_dead_clicks']

export async function projectSwitches(db: Kysely<unknown>): Promise<void> {
  const add = (name: string, value: 0 | 1) =>
    db.schema
      .alterTable('projects')
      .addColumn(name, 'integer', (c) => c.notNull().defaultTo(value))
      .execute()
  for (const name of OFF) await add(name, 0)
  await add('anonymize_ips', 1)
}
