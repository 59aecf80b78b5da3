/** Deleted data is no longer in the SQLite file, whether it is deleted now or was deleted by an earlier version. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { usedFreePages } from '../../../../test/support/data-folder/inspect-data-folder.ts'
import { openSql } from '../../open.ts'

const TEXT = 'ann-9b21@example.com'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-secure-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const file = () => join(dataDir, 'hedgerow.db')
const open = () => openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
const migrate = async () => {
  const { migrated, close } = await open()
  await close()
  return migrated
}
const isInFile = () => readFileSync(file()).includes(TEXT)
function direct<T>(work: (database: Database.Database) => T): T {
  const database = new Database(file())
  try {
    return work(database)
  } finally {
    database.close()
  }
}
const edition = () => direct((database) => database.pragma('user_version', { simple: true }))

/** Leaves remains of short and long rows, as an earlier version deleted them. */
const deleteCarelessly = () =>
  direct((database) => {
    database.pragma('secure_delete = OFF')
    const add = database.prepare('insert into secrets (name, value) values (?, ?)')
    for (let n = 0; n < 500; n++) add.run(`${n}`, `${TEXT} `.repeat(n % 5 === 0 ? 900 : 1))
    database.exec('delete from secrets')
    database.pragma('user_version = 0')
  })

it('a file of an earlier version is rewritten, once', async () => {
  await migrate()
  deleteCarelessly()
  expect(isInFile()).toBe(true)
  await migrate()
  expect([isInFile(), edition()]).toEqual([false, 1])
  const pages = () => direct((database) => database.pragma('page_count', { simple: true }))
  const before = pages()
  direct((database) => {
    database.exec(`insert into secrets (name, value) values ('room', zeroblob(400000)); delete from secrets`)
  })
  await migrate()
  expect(pages()).toBeGreaterThan(before as number)
})

it('one that was interrupted before its mark is rewritten by the next start', async () => {
  await migrate()
  deleteCarelessly()
  direct((database) => database.exec('VACUUM'))
  expect(edition()).toBe(0)
  await migrate()
  expect([isInFile(), edition()]).toEqual([false, 1])
})

it('deleted data is overwritten, and the log is truncated when there is no reader', async () => {
  const { stores, close } = await open()
  const log = () => statSync(`${file()}-wal`).size
  await stores.transaction(async (tx) => {
    for (let n = 0; n < 50; n++) {
      const details = { distinctId: TEXT, text: `${TEXT} `.repeat(n % 5 === 0 ? 900 : 1) }
      await tx.intake.addWarnings(1, [{ id: `w${n}`, type: 't', details, createdAt: n }])
    }
  })
  const reader = new Database(file(), { readonly: true })
  const rows = reader.prepare('select id from ingestion_warnings').iterate()
  rows.next()
  await stores.transaction((tx) => tx.intake.eraseWarnings(1, [TEXT]))
  expect(await stores.truncateLog()).toBe(false)
  rows.return?.()
  reader.close()
  expect(await stores.truncateLog()).toBe(true)
  expect([log(), isInFile(), usedFreePages(file())]).toEqual([0, false, []])
  await close()
})

/** Reverts the migration step, so that the next start runs it again. */
const unstep = (database: Database.Database) =>
  database.exec(`
    alter table deletions drop column earlier_ids;
    alter table projects drop column erasures;
    delete from schema_migrations where name = '0013-secure-delete'`)

it('a migrated store removes what was kept of persons whose deletion is done, and of no others', async () => {
  await migrate()
  direct((database) => {
    unstep(database)
    database.exec(`
      insert into personless_ids (project_id, distinct_id) values (1, '${TEXT}'), (1, 'bob');
      insert into ingestion_warnings (id, project_id, type, details, created_at) values
        ('a', 1, 't', '{"distinctId":"${TEXT}"}', 5), ('b', 1, 't', '{"distinctId":"bob"}', 5),
        ('e', 1, 't', '{"number":7,"list":[{"to":"cid"}]}', 5), ('f', 1, 't', '{"number":7}', 5),
        ('c', 2, 't', '{"distinctId":"${TEXT}"}', 5), ('d', 1, 't', '{"distinctId":"${TEXT}"}', 15);
      insert into deletions (project_id, person_id, person_uuid, distinct_ids, cutoff_seq, created_at, scheduled_for, status)
      values (1, 1, 'u', '["${TEXT}"]', 3, 10, 20, 'completed'), (1, 2, 'v', '["cid"]', 3, 10, 20, 'pending'),
        (1, 3, 'w', '["7"]', 3, 10, 20, 'pending')`)
  })
  expect(await migrate()).toEqual(['0013-secure-delete'])
  direct((database) => {
    const column = (sql: string) => database.prepare(sql).pluck().all()
    expect(column('select id from ingestion_warnings order by id')).toEqual(['b', 'c', 'd', 'f'])
    expect(column('select distinct_ids from deletions order by id')).toEqual(['[]', '["cid"]', '["7"]'])
    expect(column('select distinct_id from personless_ids')).toEqual(['bob'])
  })
})

it('a migrated store keeps of each project the newest 10,000 warnings, and none that quotes a person it does not name', async () => {
  await migrate()
  // Many of both: each warning against each deletion would be 50 million.
  const deletions = Array.from({ length: 2_000 }, (_, n) => ({ project: 1 + (n % 2), id: `gone-${n}`, at: n * 10 }))
  const types = ['ignored_invalid_timestamp', 'event_timestamp_in_future', 'invalid_process_person_profile', 'other']
  const warnings = Array.from({ length: 25_000 }, (_, at) => {
    const named = at % 3 > 0
    const distinctId = `gone-${(at * 7) % 4_000}`
    const details = { value: `raw-${at}`, ...(named ? { distinctId } : {}) }
    return { id: `w${at}`, project: at % 5 === 0 ? 2 : 1, type: types[at % 4] as string, details, at }
  })
  direct((database) => {
    unstep(database)
    const request = database.prepare(`insert into deletions
      (project_id, person_id, person_uuid, distinct_ids, cutoff_seq, created_at, scheduled_for, status)
      values (?, ?, 'u', ?, 3, ?, 20, 'completed')`)
    const warn = database.prepare(
      'insert into ingestion_warnings (id, project_id, type, details, created_at) values (?, ?, ?, ?, ?)',
    )
    database.transaction(() => {
      for (const [n, { project, id, at }] of deletions.entries()) request.run(project, n, JSON.stringify([id]), at)
      for (const { id, project, type, details, at } of warnings) {
        warn.run(id, project, type, JSON.stringify(details), at)
      }
    })()
  })
  const goneAt = new Map(deletions.map(({ project, id, at }) => [`${project}/${id}`, at]))
  const expected = [1, 2].flatMap((project) =>
    warnings
      .filter((warning) => warning.project === project)
      .slice(-10_000)
      .filter(({ type, details: { distinctId } }) => distinctId !== undefined || type === 'other')
      .filter(({ details: { distinctId }, at }) => (goneAt.get(`${project}/${distinctId}`) ?? -1) < at),
  )
  await migrate()
  const left = direct((database) => database.prepare('select id from ingestion_warnings').pluck().all())
  expect(left.length).toBeLessThan(warnings.length / 2)
  expect(left.sort()).toEqual(expected.map(({ id }) => id).sort())
})
