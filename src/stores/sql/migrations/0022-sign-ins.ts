/** Users sign in: passwords, sign-ins, one-time links; tries of passwords are no longer those of shares alone. */
import type { Kysely } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function signIns(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant } = dialect.types
  await db.schema.alterTable('users').addColumn('password_hash', 'text').execute()
  await db.schema.alterTable('users').addColumn('theme_mode', 'text').execute()
  await db.schema
    .createTable('sign_ins')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('via', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text')
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('last_used_at', instant, (c) => c.notNull())
    .addColumn('proved_at', instant, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sign_ins_user').on('sign_ins').column('user_id').execute()
  await db.schema
    .createTable('account_links')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id'))
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('used_at', instant)
    .execute()
  await db.schema.dropTable('sharing_tries').execute()
  await db.schema
    .createTable('password_tries')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .execute()
  await db.schema.createIndex('password_tries_subject').on('password_tries').columns(['subject', 'at']).execute()
}
