/** What a restore takes over from the stores that it replaces, what it says, and what it refuses. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backup } from '../../src/cli/backup/backup.ts'
import { restore } from '../../src/cli/backup/restore.ts'
import { readConfig } from '../../src/config.ts'
import { DAY } from '../../src/lib/time/time.ts'
import { bootstrap } from '../../src/rules/accounts/bootstrap.ts'
import { createProject } from '../../src/rules/accounts/new-project.ts'
import { openSql } from '../../src/stores/open.ts'
import { printed, sentenceOf } from '../support/command.ts'

let folder: string
let dataDir: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hedgerow-restore-'))
  dataDir = join(folder, 'data')
  await makeStore(dataDir)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const configOf = (path: string) => readConfig({ HEDGEROW_DATA_DIR: path, HEDGEROW_LOG_LEVEL: 'silent' })
const backUp = (name: string) => printed(() => backup([join(folder, name)], configOf(dataDir)))
const restoreFrom = (name: string, ...options: string[]) =>
  printed(() => restore([join(folder, name), ...options], configOf(dataDir)))

async function makeStore(path: string): Promise<void> {
  const { stores, close } = await openSql(configOf(path))
  await stores.transaction(async (tx) => {
    await bootstrap(tx, { apiKey: null, projectToken: null }, Date.now())
    const [organization] = await tx.users.listOrganizations()
    const organizationId = organization?.id ?? ''
    await createProject(tx, { name: 'Two', organizationId, createdById: null }, Date.now())
  })
  await close()
}

function sql(text: string, ...values: unknown[]): unknown[] {
  const database = new Database(join(dataDir, 'hedgerow.db'))
  try {
    const statement = database.prepare(text)
    return statement.reader ? statement.raw().all(...values) : [statement.run(...values).changes]
  } finally {
    database.close()
  }
}

/** A row with these columns; the others get what their type allows. */
function insert(table: string, given: Record<string, unknown>): void {
  const columns = sql(`select name, type, "notnull", dflt_value, pk from pragma_table_info('${table}')`) as unknown[][]
  const row = Object.fromEntries(
    columns
      .filter(([name, , isNotNull, fallback]) => (name as string) in given || (isNotNull === 1 && fallback === null))
      .map(([name, type]) => [name, given[name as string] ?? (/text/i.test(String(type)) ? '' : 0)]),
  )
  const names = Object.keys(row)
  sql(`insert into ${table} (${names}) values (${names.map(() => '?')})`, ...Object.values(row))
}

const NOW = Date.now()
const SESSION = '018f0000-0000-7000-8000-000000000001'
const subscription = (id: number, given: object) =>
  insert('subscriptions', {
    id,
    project_id: 1,
    target_type: 'email',
    target_value: 'ann@example.com,bob@example.com',
    frequency: 'daily',
    interval: 1,
    start_date: NOW,
    timezone: 'UTC',
    created_by: 1,
    next_delivery_date: NOW - DAY,
    ...given,
  })

function fill(): void {
  for (const id of ['stays', 'revoked', 'rolled']) {
    insert('personal_api_keys', { id, user_id: 1, label: id, hash: `hash of ${id}`, mask_value: id, scopes: '["*"]' })
  }
  insert('users', { id: 50, uuid: 'u', distinct_id: 'd', email: 'left@example.com', is_active: 1 })
  sql('insert into memberships select id, 50, 8 from organizations')
  insert('users', {
    id: 51,
    uuid: 'v',
    distinct_id: 'e',
    email: 'stays@example.com',
    is_active: 1,
    password_hash: 'old',
  })
  sql('insert into memberships select id, 51, 8 from organizations')
  for (const id of ['ended', 'goes on']) insert('sign_ins', { id, user_id: 1, hash: id, via: 'password' })
  for (const hash of ['used', 'unused']) insert('account_links', { hash, user_id: 1, purpose: 'setup' })
  for (const id of [1, 2]) subscription(id, {})
  insert('deliveries', { id: 'delivery', project_id: 1, subscription_id: 1, idempotency_key: 'k', status: 'starting' })
  for (const id of ['sent', 'waiting']) {
    insert('delivery_recipients', { id, delivery_id: 'delivery', project_id: 1, recipient: id, status: 'pending' })
    insert('jobs', { kind: 'deliver', key: id, project_id: 1, payload: '{}', run_at: NOW + DAY })
  }
  insert('recordings', {
    project_id: 1,
    session_id: SESSION,
    distinct_id: 'ann',
    snapshot_source: 'web',
    last_ingest_at: 0,
  })
  insert('sharing', { project_id: 1, session_id: SESSION, enabled: 1 })
  insert('sharing_tokens', { token: 'public', project_id: 1, session_id: SESSION })
}

function changeLater(): void {
  sql("delete from personal_api_keys where id = 'revoked'")
  sql("update personal_api_keys set hash = 'new', last_rolled_at = ? where id = 'rolled'", NOW)
  sql('update users set is_active = 0 where id = 50')
  sql('delete from memberships where user_id = 50')
  sql('update memberships set level = 0 where user_id = 51')
  sql("update users set password_hash = 'new' where id = 51")
  sql("delete from sign_ins where id = 'ended'")
  sql("update account_links set used_at = ? where hash = 'used'", NOW)
  sql("update subscriptions set next_delivery_date = ?, target_value = 'ann@example.com' where id = 1", NOW + DAY)
  insert('subscription_departures', { project_id: 1, subscription_id: 1, address: 'bob@example.com', departed_at: NOW })
  sql('update subscriptions set deleted = 1 where id = 2')
  sql("update delivery_recipients set status = 'sent', sent_at = ? where id = 'sent'", NOW)
  sql("delete from jobs where key = 'sent'")
  sql('update sharing set enabled = 0')
  sql("delete from sharing_tokens where token = 'public'")
  sql('update projects set removed_at = ? where id = 2', NOW)
}

describe('hedgerow restore', () => {
  it('gives nothing back that was taken away since, and sends nothing twice', async () => {
    fill()
    await backUp('b')
    changeLater()
    const words = await restoreFrom('b')
    for (const line of [
      'project 2: removed again',
      'keys revoked: 1',
      'keys changed: 1',
      'users removed: 1',
      'memberships ended: 1',
      'levels changed: 1',
      'passwords changed: 1',
      'sign-ins and links ended: 2',
      'shares ended: 2',
      'subscriptions brought up to date: 3',
      'reports not sent again: 1',
    ]) {
      expect(words).toContain(`  ${line}\n`)
    }
    const keys = sql("select id, hash from personal_api_keys where id in ('stays', 'revoked', 'rolled') order by id")
    expect(keys).toEqual([
      ['rolled', 'new'],
      ['stays', 'hash of stays'],
    ])
    expect(sql('select is_active from users where id = 50')).toEqual([[0]])
    expect(sql('select password_hash, level from users join memberships on user_id = id where id = 51')).toEqual([
      ['new', 0],
    ])
    expect(sql('select id from sign_ins')).toEqual([['goes on']])
    expect(sql('select hash from account_links')).toEqual([['unused']])
    expect(sql('select next_delivery_date, target_value, deleted from subscriptions order by id')).toEqual([
      [NOW + DAY, 'ann@example.com', 0],
      [NOW - DAY, 'ann@example.com,bob@example.com', 1],
    ])
    expect(sql('select address from subscription_departures')).toEqual([['bob@example.com']])
    expect(sql("select key from jobs where kind = 'deliver'")).toEqual([['waiting']])
    expect(sql('select id, status from delivery_recipients order by id')).toEqual([
      ['sent', 'sent'],
      ['waiting', 'pending'],
    ])
    expect(sql('select enabled from sharing')).toEqual([[0]])
    expect(sql('select count(*) from sharing_tokens')).toEqual([[0]])
    expect(sql('select id from projects')).toEqual([[1]])
    expect(sql("select activity from activity where activity = 'restored' and project_id = 1")).toEqual([['restored']])
  })

  it('says when nothing was deleted, and when it was not looked for', async () => {
    fill()
    await backUp('b')
    expect(await restoreFrom('b')).toContain('Nothing was deleted after the backup was made.\n')
    changeLater()
    expect(await restoreFrom('b', '--ignore-replaced')).toContain('What was deleted after the backup was made is back')
    expect(sql("select count(*) from personal_api_keys where id = 'revoked'")).toEqual([[1]])
  })

  it('compares with another folder, and not with another installation', async () => {
    fill()
    await backUp('b')
    changeLater()
    const other = dataDir
    dataDir = join(folder, 'new machine')
    expect(await restoreFrom('b', '--replaces', other)).toContain('  keys revoked: 1\n')
    dataDir = join(folder, 'stranger')
    await makeStore(dataDir)
    expect(await restoreFrom('b')).toContain(`${dataDir} has no stores of this installation`)
    expect(sql("select count(*) from personal_api_keys where id = 'revoked'")).toEqual([[1]])
    dataDir = join(folder, 'empty')
    expect(await restoreFrom('b')).toContain(`${dataDir} has no stores of this installation`)
  })

  it('refuses to compare with data that went on from an earlier backup', async () => {
    await backUp('first')
    fill()
    await backUp('second')
    await restoreFrom('first')
    const words = await sentenceOf(restoreFrom('second'))
    expect(words).toContain('it was restored from an earlier backup than this one')
    expect(words).toContain('--ignore-replaced')
    expect(sql("select count(*) from personal_api_keys where id = 'stays'")).toEqual([[0]])
    await restoreFrom('second', '--ignore-replaced')
    expect(sql("select count(*) from personal_api_keys where id = 'stays'")).toEqual([[1]])
    await backUp('third')
    expect(await restoreFrom('third')).toContain('Nothing was deleted')
  })

  it('tells when the clock is far ahead of the backup, unless the replaced data knows better', async () => {
    const setClock = (at: number) => sql("insert or replace into clock_state values ('server', ?, ?, null)", at, at)
    setClock(NOW - 10 * DAY)
    await backUp('b')
    expect(await restoreFrom('b')).toContain('until "hedgerow clock accept" says that the clock is right')
    setClock(NOW)
    expect(await restoreFrom('b')).not.toContain('clock')
    expect(sql('select trusted_at from clock_state')).toEqual([[NOW]])
  })

  it('refuses what it cannot read of the replaced data, and changes nothing', async () => {
    fill()
    await backUp('b')
    sql('alter table sharing_tokens rename to something_else')
    const words = await sentenceOf(restoreFrom('b'))
    expect(words).toMatch(/^What was deleted after the backup cannot be learned from .*no such table/)
    expect(sql('select count(*) from something_else')).toEqual([[1]])
  })

  it('needs one folder, and says so', async () => {
    expect(await sentenceOf(printed(() => restore([], configOf(dataDir))))).toContain('needs the folder of a backup')
    expect(await sentenceOf(printed(() => backup([], configOf(dataDir))))).toContain('needs the folder to write to')
    const both = ['--ignore-replaced', '--replaces', 'x']
    expect(await sentenceOf(restoreFrom('b', ...both))).toContain('not both')
  })
})
