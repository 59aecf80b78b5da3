/** Organisations, users, projects, keys; the server's secrets and stored responses. */
import type { Kysely } from 'kysely'
import type { SqlDialect } from '../dialect.ts'

export async function accounts(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant, bigint } = dialect.types
  await db.schema
    .createTable('organizations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('projects')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('uuid', 'text', (c) => c.notNull().unique())
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('api_token', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('timezone', 'text', (c) => c.notNull())
    .addColumn('person_display_name_properties', 'text')
    .addColumn('session_recording_opt_in', 'integer', (c) => c.notNull())
    .addColumn('capture_console_log_opt_in', 'integer', (c) => c.notNull())
    .addColumn('session_recording_retention_period', 'text', (c) => c.notNull())
    .addColumn('session_recording_quota_bytes', bigint)
    .addColumn('events_retention_days', 'integer')
    .addColumn('is_demo', 'integer', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', (c) => dialect.identity(c))
    .addColumn('uuid', 'text', (c) => c.notNull().unique())
    .addColumn('distinct_id', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('first_name', 'text', (c) => c.notNull())
    .addColumn('last_name', 'text', (c) => c.notNull())
    .addColumn('is_email_verified', 'integer', (c) => c.notNull())
    .addColumn('is_active', 'integer', (c) => c.notNull())
    .addColumn('current_project_id', 'integer')
    .addColumn('created_at', instant, (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('memberships')
    .addColumn('organization_id', 'text', (c) => c.notNull().references('organizations.id'))
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('memberships_pk', ['organization_id', 'user_id'])
    .execute()
  await keysAndSecrets(db, dialect)
}

async function keysAndSecrets(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { instant } = dialect.types
  await db.schema
    .createTable('personal_api_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id'))
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('mask_value', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('scoped_teams', 'text')
    .addColumn('scoped_organizations', 'text')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('last_used_at', instant)
    .addColumn('last_rolled_at', instant)
    .addColumn('expires_at', instant)
    .execute()
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('idempotency')
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('project_id', 'integer', (c) => c.notNull())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('body_hash', 'text', (c) => c.notNull())
    .addColumn('status', 'integer')
    .addColumn('body', 'text')
    .addColumn('claimed_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_pk', ['key_id', 'project_id', 'token'])
    .execute()
  await db.schema.createIndex('idempotency_claimed').on('idempotency').column('claimed_at').execute()
}
