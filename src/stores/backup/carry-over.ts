/**
 * Brings rows of restored stores up to date with the stores they replace (attached as `old`) where the state of the
 * backup would give something back that was taken away since: access by keys, users, memberships, passwords, sign-ins, links
 * and shares, reports to
 * people who have left, reports that were sent, and the state of the clock.
 */
import type Database from 'better-sqlite3'

/** Columns of a table taken over from the row with the same key, where they differ. */
interface Taken {
  table: string
  key: string[]
  columns: string[]
}

const REVOKED = 'delete from main.personal_api_keys where id not in (select id from old.personal_api_keys)'

const KEYS: Taken = {
  table: 'personal_api_keys',
  key: ['id'],
  columns: ['hash', 'mask_value', 'scopes', 'scoped_teams', 'scoped_organizations', 'last_rolled_at', 'expires_at'],
}

const REMOVED_USERS = `update main.users set is_active = 0
  where is_active = 1 and id not in (select id from old.users where is_active = 1)`

const ENDED_MEMBERSHIPS = `delete from main.memberships where not exists (select 1 from old.memberships o
  where o.organization_id = memberships.organization_id and o.user_id = memberships.user_id)`

const LEVELS: Taken = { table: 'memberships', key: ['organization_id', 'user_id'], columns: ['level'] }

const USER_PASSWORDS: Taken = { table: 'users', key: ['id'], columns: ['password_hash'] }

const ENDED_SIGN_INS = 'delete from main.sign_ins where hash not in (select hash from old.sign_ins)'

const USED_LINKS = `delete from main.account_links
  where used_at is null and hash not in (select hash from old.account_links where used_at is null)`

/** A share that is off, or whose recording is gone, has no row that is enabled. */
const ENDED_SHARES = `update main.sharing set enabled = 0 where enabled = 1 and not exists (select 1 from old.sharing o
  where o.project_id = sharing.project_id and o.session_id = sharing.session_id and o.enabled = 1)`

const SHARES: Taken = {
  table: 'sharing',
  key: ['project_id', 'session_id'],
  columns: ['settings', 'password_required'],
}

const SHARE_TOKENS: Taken = { table: 'sharing_tokens', key: ['token'], columns: ['expires_at'] }

const ENDED_TOKENS = 'delete from main.sharing_tokens where token not in (select token from old.sharing_tokens)'

const ENDED_PASSWORDS = `delete from main.sharing_passwords where not exists (select 1 from old.sharing_passwords o
  where o.id = sharing_passwords.id and o.hash = sharing_passwords.hash)`

/** A share with a password stays shut when its password is newer than the backup. */
const NEW_PASSWORDS = `insert into main.sharing_passwords (id, project_id, session_id, hash, note, created_by, created_at)
  select o.id, o.project_id, o.session_id, o.hash, o.note, o.created_by, o.created_at from old.sharing_passwords o
  join main.sharing s on s.project_id = o.project_id and s.session_id = o.session_id
  where o.id not in (select id from main.sharing_passwords)`

const SUBSCRIPTIONS: Taken = {
  table: 'subscriptions',
  key: ['id'],
  columns: ['target_value', 'next_delivery_date', 'deleted', 'disabled_at', 'disabled_reason'],
}

const DEPARTURES = `insert into main.subscription_departures (project_id, subscription_id, address, departed_at)
  select o.project_id, o.subscription_id, o.address, o.departed_at from old.subscription_departures o
  where exists (select 1 from main.subscriptions s where s.id = o.subscription_id)
    and not exists (select 1 from main.subscription_departures m
      where m.subscription_id = o.subscription_id and m.address = o.address)`

const DELIVERIES: Taken = {
  table: 'deliveries',
  key: ['id'],
  columns: ['status', 'error', 'updated_at', 'finished_at'],
}

const RECIPIENTS: Taken = {
  table: 'delivery_recipients',
  key: ['id'],
  columns: ['status', 'attempts', 'resends', 'message_id', 'possible_repeat', 'error', 'updated_at', 'sent_at'],
}

const SENT = `delete from main.jobs where kind in (select value from json_each(?))
  and not exists (select 1 from old.jobs o where o.kind = jobs.kind and o.key = jobs.key)`

/** The clock is then compared with the last time that the replaced server knew, as at any start. */
const CLOCK = `insert or replace into main.clock_state (name, seen_at, trusted_at, hold_left)
  select name, seen_at, trusted_at, hold_left from old.clock_state`

/** Named columns, as an earlier version may have others besides. */
function take(database: Database.Database, { table, key, columns }: Taken): number {
  const same = key.map((name) => `o.${name} = ${table}.${name}`).join(' and ')
  const differs = columns.map((name) => `o.${name} is not ${table}.${name}`).join(' or ')
  const set = columns.map((name) => `${name} = o.${name}`).join(', ')
  return database.prepare(`update main.${table} set ${set} from old.${table} o where ${same} and (${differs})`).run()
    .changes
}

/** Returns how many rows of each kind were brought up to date. */
export function carryOver(database: Database.Database, sendingKinds: string[]): Record<string, number> {
  const run = (sql: string, ...values: unknown[]) => database.prepare(sql).run(...values).changes
  const counts = {
    'keys revoked': run(REVOKED),
    'keys changed': take(database, KEYS),
    'users removed': run(REMOVED_USERS),
    'memberships ended': run(ENDED_MEMBERSHIPS),
    'levels changed': take(database, LEVELS),
    'passwords changed': take(database, USER_PASSWORDS),
    'sign-ins and links ended': run(ENDED_SIGN_INS) + run(USED_LINKS),
    'shares ended': run(ENDED_SHARES) + run(ENDED_TOKENS) + run(ENDED_PASSWORDS),
    'shares changed': take(database, SHARES) + take(database, SHARE_TOKENS) + run(NEW_PASSWORDS),
    'subscriptions brought up to date': take(database, SUBSCRIPTIONS) + run(DEPARTURES),
    'reports not sent again': run(SENT, JSON.stringify(sendingKinds)),
  }
  take(database, RECIPIENTS)
  take(database, DELIVERIES)
  run(CLOCK)
  return counts
}
