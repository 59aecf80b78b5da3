/** A data folder of every earlier version is opened, migrated and answers as it did; what it had begun goes on. */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { testClock } from '../../support/clock.ts'
import { dataFolders, expectedOf, unpackFolder } from '../../support/data-folder/folder-fixtures.ts'
import { linesOf } from '../../support/replay/replay.ts'

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
    const isKnown = Number(/step-(\d+)$/.exec(version)?.[1] ?? 0) >= 25
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
