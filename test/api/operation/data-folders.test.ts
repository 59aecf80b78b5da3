/** A data folder of every earlier version is opened, migrated and answers as it did; what it had begun goes on. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { testClock } from '../../support/clock.ts'
import { dataFolders, expectedOf, unpackFolder } from '../../support/data-folder/folder-fixtures.ts'
import { linesOf } from '../../support/replay/replay.ts'

/** The last step of its migrations; 0 where its name does not say. */
const stepOf = (version: string): number => Number(/step-(\d+)$/.exec(version)?.[1] ?? 0)

it('there are folders of earlier versions', () => {
  expect(dataFolders()).toContain('0.1.0')
})

describe.each(dataFolders())('the data folder of %s', (version) => {
  const { now, answers } = expectedOf(version)
  let dataDir: string
  let app: TestApp
  beforeAll(async () => {
    dataDir = unpackFolder(version)
    app = await makeApp({ dataDir, clock: testClock(now) })
  })
  afterAll(async () => {
    await app.end()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const get = async (path: string, project = 1) =>
    (await app.call('GET', `/api/environments/${project}/${path}`)).json()

  it.each(Object.keys(answers))('%s is answered as before', async (path) => {
    expect(await get(path)).toMatchObject(answers[path] as object)
  })

  it('what waited in the outbox when it was killed is there, once', async () => {
    const { results } = await get('events/', 2)
    expect(results).toMatchObject([{ event: 'late', distinct_id: 'late' }])
  })

  it('recordings play', async () => {
    const [{ id, event_count }] = (await get('session_recordings/?date_from=-7d')).results
    expect(await linesOf(app, id)).toHaveLength(event_count)
    const { sources } = await get(`session_recordings/${id}/snapshots/`)
    // Nobody looked for them before step 25.
    const isKnown = stepOf(version) >= 25
    for (const source of sources) expect(source.full_snapshots).toEqual(isKnown ? expect.any(Array) : null)
  })

  it('deletions that were asked for are carried out', async () => {
    const [pending] = (await get('persons/deletion_status/')).results
    app.clock.set(Date.parse(pending.scheduled_for))
    await app.features.deletions.run({ dueAt: app.clock.now() }, new AbortController().signal)
    const [done] = (await get('persons/deletion_status/')).results
    expect(done).toMatchObject({ person_id: pending.person_id, status: 'completed', events_deleted: 10 })
  })

  it('every project captures and keeps no more than it did', async () => {
    const { results } = (await app.call('GET', '/api/projects/')).json()
    const unswitched = {
      autocapture_exceptions_opt_in: false,
      autocapture_web_vitals_opt_in: false,
      heatmaps_opt_in: false,
      capture_dead_clicks: false,
      anonymize_ips: true,
    }
    expect(results).toMatchObject([
      { name: 'Default project', ...unswitched },
      { name: 'Second', ...unswitched },
    ])
  })

  it('opens again, with nothing lost', async () => {
    const persons = await get('persons/')
    await app.close()
    app = await makeApp({ dataDir, clock: testClock(now) })
    expect(await get('persons/')).toEqual(persons)
  })
})

interface Column {
  of: string
  name: string
  type: string
  notnull: number
  dflt_value: string | null
}

/** Of all tables of the SQL store. */
function columnsOf(dataDir: string): Map<string, Column> {
  const database = new Database(join(dataDir, 'hedgerow.db'))
  const columns = database
    .prepare(`select t.name as "of", c.name, c.type, c."notnull", c.dflt_value
      from sqlite_master as t, pragma_table_info(t.name) as c where t.type = 'table'`)
    .all() as Column[]
  database.close()
  return new Map(columns.map((column) => [`${column.of}.${column.name}`, column]))
}

/** From step 25 on, servers of the version before go on beside one that has migrated (docs/operations.md, "Several processes"). */
const fromAdditive = dataFolders().filter((version) => stepOf(version) >= 24)

it.each(fromAdditive)(
  'the tables of %s keep their columns, and those that they gain need no value',
  async (version) => {
    const dataDir = unpackFolder(version)
    const before = columnsOf(dataDir)
    await (await makeApp({ dataDir, clock: testClock(expectedOf(version).now) })).end()
    const after = columnsOf(dataDir)
    for (const [name, column] of before) expect([name, after.get(name)]).toEqual([name, column])
    const tables = new Set([...before.values()].map((column) => column.of))
    const gained = [...after].filter(([name, column]) => !before.has(name) && tables.has(column.of))
    expect(gained.filter(([, { notnull, dflt_value }]) => notnull === 1 && dflt_value === null)).toEqual([])
    rmSync(dataDir, { recursive: true, force: true })
  },
)
