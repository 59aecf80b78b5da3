/** `hedgerow migrate`: migrates the SQL store's schema only. */
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { openSql } from '../stores/open.ts'

export async function migrateCommand(args: string[], config: Config): Promise<void> {
  parseArgs({ args, options: {} })
  const sql = await openSql(config)
  const { migrated } = sql
  await sql.close()
  process.stdout.write(migrated.length === 0 ? 'The schema is up to date.\n' : `Applied ${migrated.join(', ')}.\n`)
}
