/** Removing a project: nothing of it stays, whatever comes in meanwhile and wherever it is interrupted. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../src/features/keys/authenticate.ts'
import { createProjectsFeature } from '../../../src/features/projects/projects.feature.ts'
import { unavailable } from '../../../src/lib/errors.ts'
import type { Project } from '../../../src/model/accounts/project.ts'
import { clearProject, markRemoved } from '../../../src/rules/accounts/project-removal.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { makeApp, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson, makeProject, makeRecording } from '../../support/make.ts'
import { click, makeSnapshot } from '../../support/replay/replay.ts'
import { eventTables } from '../../support/stores/event-tables.ts'
import { atScale } from '../../support/stores/stores.ts'
import { type Column, withTables } from '../../support/stores/tables.ts'

let app: TestApp
let dataDir: string
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-'))
  app = await makeApp({ dataDir })
})
afterEach(async () => {
  await app.end()
  rmSync(dataDir, { recursive: true, force: true })
})

const hasProject = (columns: Column[]): boolean => columns.some(({ name }) => name === 'project_id')

/** Which tables have rows of the project, and how many. */
const leftOf = (projectId: number): Promise<Record<string, number>> =>
  withTables(app, async ({ columns, value }) => {
    const left: Record<string, number> = {}
    for (const [table, ofTable] of await columns()) {
      const column = table === 'projects' ? 'id' : 'project_id'
      if (!ofTable.some(({ name }) => name === column)) continue
      const count = await value(`select count(*) from ${table} where ${column} = ?`, projectId)
      if (count) left[table] = count as number
    }
    return left
  })

function madeUpValue({ name, type }: Column, projectId: number, salt: string): unknown {
  if (type === 'number') return projectId
  if (type === 'bytes') return Buffer.from(salt)
  // Part of an index, which reads it.
  return name === 'properties' ? JSON.stringify({ email: salt }) : salt
}

/** A row with matching values, in every table that has the column. */
const fillEveryTable = (projectId: number, salt: string): Promise<string[]> =>
  withTables(app, async ({ columns, each }) => {
    const filled: string[] = []
    for (const [table, ofTable] of await columns()) {
      if (!hasProject(ofTable)) continue
      const needed = ofTable.filter(({ name, isNeeded }) => name === 'project_id' || isNeeded)
      const names = needed.map(({ name }) => `"${name}"`).join(', ')
      const marks = needed.map(() => '?').join(', ')
      await each(`insert into ${table} (${names}) values (${marks})`, [
        needed.map((column) => madeUpValue(column, projectId, salt)),
      ])
      filled.push(table)
    }
    return filled
  })

/** Tables of the event store that have rows of the project; the server is restarted for this. */
async function eventTablesWith(projectId: number): Promise<string[]> {
  await app.end()
  const { all, holding } = await eventTables(dataDir, projectId)
  app = await makeApp({ dataDir, clock: app.clock })
  expect(all.length).toBeGreaterThan(5)
  return holding
}

/** Whether anything of the project is there, even an empty folder. */
const hasBlobs = async (projectId: number): Promise<boolean> =>
  existsSync(join(dataDir, 'blobs', String(projectId))) || (await app.stores.blobs.list(`${projectId}/`)).length > 0

const remove = (projectId: number) => app.call('DELETE', `/api/projects/${projectId}/`)
const capture = (project: Project, body: object) =>
  app.call('POST', '/i/v0/e/', { key: null, body: { api_key: project.apiToken, ...body } })
const replay = (project: Project, session: string) => {
  const snapshot = makeSnapshot({ session, distinctId: 'd', events: [click(app.clock.now())] })
  return app.call('POST', '/s/', { key: null, body: { api_key: project.apiToken, ...snapshot } })
}

describe('what belongs to a project', () => {
  it('is cleared from every table of the SQL store, and no other project’s is', async () => {
    const [gone, kept] = [await makeProject(app), await makeProject(app)]
    const filled = await fillEveryTable(gone.id, 'gone')
    await fillEveryTable(kept.id, 'kept')
    const before = await leftOf(kept.id)
    expect(Object.keys(await leftOf(gone.id)).sort()).toEqual([...filled, 'projects'].sort())
    expect((await remove(gone.id)).statusCode).toBe(204)
    expect(await leftOf(gone.id)).toEqual({})
    expect(await leftOf(kept.id)).toEqual(before)
  })

  it('references it by other keys too: those rows are removed with their parents, and no user stays in it', async () => {
    await withTables(app, async ({ columns, parentsOf }) => {
      const tables = [...(await columns())]
      const owned = tables.filter(([, ofTable]) => hasProject(ofTable)).map(([name]) => name)
      const parts = ['token', 'session_id', 'person_id', 'delivery_id', 'subscription_id', 'insight_id', 'dashboard_id']
      const hanging = tables.filter(
        ([name, ofTable]) => !owned.includes(name) && ofTable.some((column) => parts.includes(column.name)),
      )
      for (const [name] of hanging) {
        const parents = await parentsOf(name)
        expect([name, parents.some((parent) => owned.includes(parent))]).toEqual([name, true])
      }
    })
    const project = await makeProject(app)
    await app.call('PATCH', '/api/users/@me/', { body: { set_current_team: project.id } })
    await remove(project.id)
    const count = 'select count(*) from users where current_project_id = ?'
    expect(await withTables(app, ({ value }) => value(count, project.id))).toBe(0)
  })

  it('is cleared from every table of the event store and from the disk', async () => {
    const project = await makeProject(app)
    const long = 'x'.repeat(200_000)
    await makePerson(app, { projectId: project.id, distinctIds: ['d'], properties: { long } })
    await makePerson(app, { distinctIds: ['kept'] })
    await makeEvents(app, [{ projectId: project.id, distinctId: 'd', properties: { long } }, { distinctId: 'kept' }])
    expect((await replay(project, 'session-1')).statusCode).toBe(200)
    expect(await hasBlobs(project.id)).toBe(true)
    expect(await countEvents(app.stores.events, project.id)).toBe(1)
    expect((await remove(project.id)).statusCode).toBe(204)
    expect(await hasBlobs(project.id)).toBe(false)
    expect(await countEvents(app.stores.events, 1)).toBe(1)
    expect(await eventTablesWith(project.id)).toEqual([])
  })

  it('goes in portions, between which others write', async () => {
    const project = await makeProject(app)
    const numbers = Array.from({ length: 12_000 }, (_, n) => n)
    await withTables(app, async ({ each }) => {
      await each(
        'insert into event_uuids (project_id, uuid, noted_at) values (?, ?, 0)',
        numbers.map((n) => [project.id, Buffer.from(String(n))]),
      )
      await each(
        `insert into property_history (project_id, person_id, key, removed, once, at, seq)
          values (?, 0, 'k', 0, 0, 0, 0)`,
        numbers.map((n) => [n % 2 === 0 ? project.id : 1]),
      )
    })
    await app.stores.transaction((tx) => markRemoved(tx, project.id, app.clock.now()))
    const seen: number[] = []
    const walked: number[] = []
    const relaxed: TestApp['stores']['relaxed'] = async (work) => {
      const result = await app.stores.relaxed(work)
      await app.stores.transaction((tx) => tx.outbox.nextSeq())
      const left = await leftOf(project.id)
      seen.push(left.event_uuids ?? 0)
      walked.push(left.property_history ?? 0)
      return result
    }
    await clearProject({ ...app.stores, relaxed }, project.id)
    // 5,000 rows at most, fewer where a table is in parts.
    const steps = seen.map((left, place) => (seen[place - 1] ?? left) - left)
    expect(Math.max(...steps)).toBeLessThanOrEqual(5_000)
    expect(steps.filter((rows) => rows > 0).length).toBeGreaterThan(2)
    // 5,000 rows are read, of any project.
    expect(walked).toEqual(expect.arrayContaining([3_500, 1_000]))
    expect(await leftOf(project.id)).toEqual({})
    expect((await leftOf(1)).property_history).toBe(6_000)
  })
})

describe('while a project is removed', () => {
  it('it is gone at once, for the API and for capture', async () => {
    const project = await makeProject(app)
    await app.stores.transaction((tx) => markRemoved(tx, project.id, app.clock.now()))
    expect(await app.stores.projects.find(project.id)).toBeNull()
    expect(await app.stores.projects.findByToken(project.apiToken)).toBeNull()
    expect((await app.call('GET', `/api/projects/${project.id}/`)).statusCode).toBe(404)
    const { results } = (await app.call('GET', '/api/projects/')).json()
    expect(results.map(({ id }: { id: number }) => id)).not.toContain(project.id)
    expect((await capture(project, { event: 'e', distinct_id: 'd' })).statusCode).toBe(401)
    expect((await remove(project.id)).statusCode).toBe(404)
  })

  it('capture and replay that were admitted before are refused by their transaction', async () => {
    const project = await makeProject(app)
    // Caches the token, as it does for half a second.
    expect((await capture(project, { event: 'e', distinct_id: 'd' })).statusCode).toBe(200)
    await app.stores.transaction((tx) => markRemoved(tx, project.id, app.clock.now()))
    const other = app.call('POST', '/i/v0/e/', {
      key: null,
      body: { api_key: 'phc_test_project_token_0123', event: 'e', distinct_id: 'other' },
    })
    const [late, recorded, good] = await Promise.all([
      capture(project, { event: 'late', distinct_id: 'late' }),
      replay(project, 'late-session'),
      other,
    ])
    const text = 'API key is not valid: no project has it'
    expect([late.statusCode, late.body]).toEqual([401, text])
    expect([recorded.statusCode, recorded.body]).toEqual([401, text])
    expect(good.statusCode).toBe(200)
    await clearProject(app.stores, project.id)
    expect(await leftOf(project.id)).toEqual({})
    expect(await hasBlobs(project.id)).toBe(false)
  })

  it('its shares stop working at once', async () => {
    const project = await makeProject(app)
    expect((await replay(project, 'shared-session')).statusCode).toBe(200)
    const path = `/api/environments/${project.id}/session_recordings/shared-session/`
    const shared = await app.call('PATCH', `${path}sharing/`, { body: { enabled: true } })
    const token = shared.json().access_token
    const urls = [
      `/shared/${token}`,
      `/embedded/${token}`,
      `/shared/${token}/snapshots`,
      `/embedded/${token}/snapshots`,
      `${path}snapshots/?sharing_access_token=${token}`,
    ]
    const codes = () => Promise.all(urls.map(async (url) => (await app.call('GET', url, { key: null })).statusCode))
    const before = await codes()
    expect(before).toEqual([200, 200, 200, 200, 200])
    await app.stores.transaction((tx) => markRemoved(tx, project.id, app.clock.now()))
    expect(await codes()).toEqual([404, 404, 404, 404, 401])
  })

  it('it is removed also while the event store is behind: the job clears it', async () => {
    const project = await makeProject(app)
    await makePerson(app, { projectId: project.id, distinctIds: ['d'] })
    const { stores, clock } = app
    const removeProject = () => Promise.reject(unavailable('The event store is behind.', 5))
    const reported: unknown[] = []
    const projects = createProjectsFeature({
      stores: { ...stores, events: { ...stores.events, removeProject } },
      clock,
      findOrganization: app.features.organizations.find,
      currentOrganization: app.features.keys.authenticator.currentOrganization,
      changed: () => {},
      uncleared: (id, error) => reported.push([id, (error as Error).message]),
    })
    const { authenticate, hashKey } = createAuthenticator({ stores, clock, failed: () => {} })
    const caller = await authenticate(hashKey(ROOT_KEY))
    if (!caller) throw new Error('The first key is not there.')
    await projects.remove(caller, project)
    expect(reported).toEqual([[project.id, 'The event store is behind.']])
    expect(await leftOf(project.id)).not.toEqual({})
    expect((await remove(project.id)).statusCode).toBe(404)
    app.clock.advance(61_000)
    await app.runner.runDue()
    expect(await leftOf(project.id)).toEqual({})
  })

  it('under load nothing of it stays, repeatedly', async () => {
    // A removal waits for the servers to write their parts anew.
    const rounds = atScale ? 3 : 12
    const codes = new Set<number>()
    for (let round = 0; round < rounds; round++) {
      const project = await makeProject(app)
      let isOver = false
      const load = async (n: number) => {
        for (let i = 0; !isOver; i++) {
          const distinct_id = `user-${n}-${i}`
          const sent = await capture(project, { event: 'e', distinct_id, properties: { $set: { i } } })
          codes.add(sent.statusCode)
          if (n === 0) codes.add((await replay(project, `session-${round}-${i}`)).statusCode)
        }
      }
      const senders = [0, 1, 2, 3].map(load)
      await app.stores.transaction((tx) => tx.outbox.nextSeq())
      await expect.poll(async () => (await leftOf(project.id)).persons ?? 0).toBeGreaterThan(2)
      expect((await remove(project.id)).statusCode).toBe(204)
      isOver = true
      await Promise.all(senders)
      expect([round, await leftOf(project.id)]).toEqual([round, {}])
      expect(await countEvents(app.stores.events, project.id)).toBe(0)
      expect(await hasBlobs(project.id)).toBe(false)
    }
    expect(codes).toEqual(new Set([200, 401]))
  })
})

describe('a removal that was interrupted', () => {
  it.each([0, 1])('after %i portions is finished by the job that it left, also after a restart', async (portions) => {
    const project = await makeProject(app)
    await makePerson(app, { projectId: project.id, distinctIds: ['d'] })
    await makeRecording(app, { projectId: project.id, sessionId: 's' })
    expect((await replay(project, 'with-bytes')).statusCode).toBe(200)
    await app.stores.transaction((tx) => markRemoved(tx, project.id, app.clock.now()))
    await app.stores.blobs.removeAll(`${project.id}/`)
    if (portions > 0) await app.stores.relaxed((tx) => tx.projects.clear(project.id, null))
    expect(await leftOf(project.id)).not.toEqual({})
    await app.end()
    app = await makeApp({ dataDir, clock: app.clock })
    app.clock.advance(61_000)
    await app.runner.runDue()
    expect(await leftOf(project.id)).toEqual({})
    expect(await app.stores.jobs.find('clear-project', String(project.id))).toBeNull()
  })

  it('and one that was not leaves a job that removes what came late', async () => {
    const project = await makeProject(app)
    expect((await remove(project.id)).statusCode).toBe(204)
    await makePerson(app, { projectId: project.id, distinctIds: ['late'] })
    expect(await leftOf(project.id)).not.toEqual({})
    app.clock.advance(61_000)
    await app.runner.runDue()
    expect(await leftOf(project.id)).toEqual({})
    expect(await eventTablesWith(project.id)).toEqual([])
  })
})
