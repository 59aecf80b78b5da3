/** Batches that the event store refuses: where they are reported, and that nothing deleted comes back from them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Route } from '../../../src/http/route.ts'
import { routes } from '../../../src/routes.ts'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeParked, parkedContent, parkedEvent, retryParked } from '../../support/data-folder/parked.ts'
import { doctorSays } from '../../support/doctor.ts'
import { makeEvents, makePerson, makeProject } from '../../support/make.ts'

const DAY = 86_400_000
const HEADER = 'hedgerow-parked-batches'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

const ready = async () => (await app.call('GET', '/_ready')).json()
const metric = async () => /^hedgerow_outbox_parked (\d+)$/m.exec((await app.call('GET', '/metrics')).body)?.[1]
const doctor = () => doctorSays(app, 'outbox')
const read = (path: string, project = 1) => app.call('GET', `/api/environments/${project}/${path}`)
const countOf = async (distinctId: string, projectId = 1) =>
  (await app.stores.events.listEvents(projectId, { distinctIds: [distinctId] }, { limit: 100 })).events.length
const parked = () => app.stores.outbox.parkedCount()

const reads = () =>
  routes(app.features).filter(({ method, level, goesOn }) => method === 'GET' && level === 'project' && !goesOn)
const byPlace = (reported: object) => (a: string, b: string) =>
  Object.keys(reported).indexOf(a) - Object.keys(reported).indexOf(b)
/** So that the result is computed by the event store. */
const QUERIES: Record<string, string> = {
  '/events/values/': '?key=a',
  '/sessions/values/': '?key=$channel_type',
  '/insights/:id/': '?refresh=blocking',
  '/dashboards/:id/': '?refresh=blocking',
  '/session_recordings/matching_events/': '?session_ids=["018f0000-0000-7000-8000-000000000001"]&events=[{"id":"x"}]',
  '/session_recordings/': '?events=[{"id":"x"}]',
}

describe('a parked batch', () => {
  it('is shown where parked jobs are: the server works, but data is missing', async () => {
    expect(await ready()).toMatchObject({ status: 'ok', checks: { outbox: 'ok' } })
    expect([await metric(), (await doctor()).split(':')[0]]).toEqual(['0', 'ok'])
    await makeParked(app, { events: [parkedEvent('ann')] })
    const answer = await app.call('GET', '/_ready')
    expect([answer.statusCode, answer.json().checks.outbox]).toEqual([
      200,
      '1 parked: "hedgerow outbox list" shows them',
    ])
    expect(await metric()).toBe('1')
    expect(await doctor()).toMatch(/^warn: 1 batches are refused/)
  })

  it('does not hold up capture, reads of events or the backlog', async () => {
    const env = { HEDGEROW_OUTBOX_ROWS: '1' }
    const own = await makeApp({ env })
    for (let i = 0; i < 3; i++) await makeParked(own, { events: [parkedEvent('ann')] })
    const body = { api_key: 'phc_test_project_token_0123', event: 'x', distinct_id: 'ann' }
    expect((await own.call('POST', '/i/v0/e/', { body })).statusCode).toBe(200)
    expect((await own.call('GET', '/api/environments/1/events/')).json().results).toHaveLength(1)
    expect(await own.stores.outbox.backlog()).toEqual({ length: 0, again: 0, oldestAt: null, lowestSeq: null })
    await own.end()
  })

  it('is reported with each read of events of its project, and only there', async () => {
    const other = await makeProject(app)
    expect((await read('events/')).headers).not.toHaveProperty(HEADER)
    await makeParked(app, { events: [parkedEvent('ann')] })
    await makeParked(app, { events: [parkedEvent('bob')] })
    expect((await read('events/')).headers).toMatchObject({ [HEADER]: '2' })
    expect((await read('events/?format=csv')).headers).toMatchObject({ [HEADER]: '2' })
    expect((await read('events/', other.id)).headers).not.toHaveProperty(HEADER)
    expect((await read('persons/')).headers).not.toHaveProperty(HEADER)
    await makeParked(app, { unreadable: true })
    expect((await read('events/', other.id)).headers).toMatchObject({ [HEADER]: '1' })
  })

  it('is reported by every route that reads the event store', async () => {
    const person = await makePerson(app, { distinctIds: ['ann'] })
    const uuid = '018f0000-0000-7000-8000-000000000001'
    await makeEvents(app, [{ distinctId: 'ann', uuid }])
    await makeParked(app, { events: [parkedEvent('ann')] })
    const addressOf = ({ path }: Route) => {
      const id = path.startsWith('/persons/') ? String(person.id) : path.startsWith('/events/') ? uuid : '1'
      return `/api/environments/1${path.replace(/:\w+/g, id)}${QUERIES[path] ?? ''}`
    }
    const asked = async () => {
      const { body } = await app.call('GET', '/metrics')
      const counts = [...body.matchAll(/^hedgerow_store_duration_seconds_count\{store="events",.* (\d+)$/gm)]
      return counts.reduce((sum, [, count]) => sum + Number(count), 0)
    }
    const reported: Record<string, boolean> = {}
    const readingEvents: string[] = []
    for (const route of reads()) {
      const before = await asked()
      const { statusCode, headers } = await app.call('GET', addressOf(route))
      if (statusCode === 200) reported[route.path] = HEADER in headers
      if (statusCode === 200 && (await asked()) > before) readingEvents.push(route.path)
    }
    // The list of insights shows cached results: computed from events, too.
    expect(Object.keys(reported).filter((path) => reported[path])).toEqual(
      [...readingEvents, '/insights/'].sort(byPlace(reported)),
    )
    expect(readingEvents).toHaveLength(17)
    const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'x' }] }
    const computed = await app.call('POST', '/api/environments/1/query/', { body: { query } })
    expect([computed.statusCode, computed.headers[HEADER]]).toEqual([200, '1'])
  })

  it('is named by the API document at each of these routes, and at no other', async () => {
    const { paths } = (await app.call('GET', '/api/schema/?format=json')).json() as {
      paths: Record<string, Record<string, { responses: Record<string, { headers?: object }> }>>
    }
    for (const route of reads().filter((one) => !one.undocumented)) {
      const operation = paths[`/api/environments/{project_id}${route.path.replace(/:(\w+)/g, '{$1}')}`]?.get
      const isNamed = operation?.responses['200']?.headers !== undefined
      expect([route.path, isNamed]).toEqual([route.path, route.readsEvents === true])
    }
  })

  it('comes in with a retry, once', async () => {
    await makeParked(app, { events: [parkedEvent('ann')] })
    expect(await countOf('ann')).toBe(0)
    await retryParked(app.stores)
    expect([await countOf('ann'), await parked()]).toEqual([1, 0])
    expect((await read('events/')).headers).not.toHaveProperty(HEADER)
  })
})

describe('a deleted person', () => {
  const untilSunday = () => app.clock.set(nextDeletionRun(app.clock.now()) + 1)
  const personRow = (personId: number, properties: Record<string, string>) => ({
    projectId: 1,
    personId,
    uuid: '018f0000-0000-7000-8000-00000000000a',
    properties: JSON.stringify(properties),
    createdAt: 0,
    updatedAt: 0,
    lastSeenAt: null,
    isIdentified: false,
    deleted: false,
  })

  it('does not come back by a retry, nor do its events; nothing of others is lost', async () => {
    const ann = await makePerson(app, { distinctIds: ['ann', 'ann-2'] })
    const bob = await makePerson(app, { distinctIds: ['bob'] })
    const error = 'Could not convert "ann@example.com"'
    const events = [parkedEvent('ann'), parkedEvent('bob'), parkedEvent('ann-2')]
    const persons = [personRow(ann.id, { email: 'ann@example.com' }), personRow(bob.id, { plan: 'free' })]
    const distinctIds = [
      { projectId: 1, distinctId: 'ann-2', personId: ann.id },
      { projectId: 1, distinctId: 'bob', personId: bob.id },
    ]
    await makeParked(app, { events, persons, distinctIds, error })
    await makeParked(app, { events: [parkedEvent('ann')], error })
    await app.call('DELETE', `/api/environments/1/persons/${ann.id}/`, { query: { delete_events: 'true' } })
    // Sent again after the deletion, as a new person, and refused.
    await makeParked(app, { events: [parkedEvent('ann', { event: 'later' })] })
    untilSunday()
    await app.runner.runDue()
    const { items } = await app.stores.outbox.parked({ limit: 10, offset: 0 })
    expect(JSON.stringify([items, await parkedContent(app.stores)])).not.toContain('ann@example.com')
    expect(items.map(({ events, changes }) => [events, changes]).sort()).toEqual([
      [1, 0],
      [1, 2],
    ])
    await retryParked(app.stores)
    const left = await app.stores.events.listEvents(1, { distinctIds: ['ann', 'ann-2'] }, { limit: 10 })
    expect(left.events.map(({ event }) => event)).toEqual(['later'])
    expect([await countOf('bob'), await parked()]).toEqual([1, 0])
    expect(await app.stores.events.personOf(1, 'ann-2')).toBeNull()
    expect(await app.stores.events.personOf(1, 'bob')).toMatchObject({ personId: bob.id })
  })

  it('of which only the events were deleted keeps its properties', async () => {
    const ann = await makePerson(app, { distinctIds: ['ann'] })
    const distinctIds = [{ projectId: 1, distinctId: 'ann', personId: ann.id }]
    await makeParked(app, { events: [parkedEvent('ann')], persons: [personRow(ann.id, { plan: 'new' })], distinctIds })
    await app.call('POST', `/api/environments/1/persons/${ann.id}/delete_events/`)
    untilSunday()
    await app.runner.runDue()
    await retryParked(app.stores)
    expect(await countOf('ann')).toBe(0)
    expect(await app.stores.events.personOf(1, 'ann')).toMatchObject({ properties: { plan: 'new' } })
  })

  it('leaves nothing of its properties at once, also when its events stay', async () => {
    const { stores } = app
    const ann = await makePerson(app, { distinctIds: ['ann'] })
    const bob = await makePerson(app, { distinctIds: ['bob'] })
    const row = personRow(ann.id, { email: 'ann@example.com' })
    await makeParked(app, { persons: [row, personRow(bob.id, { plan: 'free' })], error: 'not ann@example.com' })
    await makeParked(app, { persons: [row], events: [parkedEvent('ann')], error: 'not ann@example.com' })
    await makeParked(app, { persons: [row] })
    await app.call('DELETE', `/api/environments/1/persons/${ann.id}/`)
    const shown = async () => {
      const { items } = await stores.outbox.parked({ limit: 10, offset: 0 })
      expect(JSON.stringify([items, await parkedContent(stores)])).not.toContain('ann@example.com')
      return items.map(({ events, changes }) => [events, changes]).sort()
    }
    expect(await shown()).toEqual([
      [0, 1],
      [1, 0],
    ])
    // A batch that was being relayed and is refused only now; the mark of the deletion may be refused, too.
    await makeParked(app, { persons: [row], events: [parkedEvent('ann')] })
    await makeParked(app, { persons: [row] })
    await makeParked(app, { persons: [{ ...row, properties: '{}', deleted: true }] })
    expect(await shown()).toEqual([
      [0, 1],
      [0, 1],
      [1, 0],
      [1, 0],
    ])
  })

  it('also removes unreadable batches, which may contain it', async () => {
    const ann = await makePerson(app, { distinctIds: ['ann'] })
    await makeParked(app, { unreadable: true })
    await app.call('DELETE', `/api/environments/1/persons/${ann.id}/`, { query: { delete_events: 'true' } })
    await makeParked(app, { unreadable: true })
    untilSunday()
    await app.runner.runDue()
    expect(await parked()).toBe(1)
    expect(app.logs.filter((line) => line.includes('cannot be read was removed'))).toHaveLength(1)
  })
})

describe('a removed project', () => {
  it('does not come back by a retry, and other projects keep what they have', async () => {
    const gone = await makeProject(app)
    await makeParked(app, { projectId: gone.id, events: [parkedEvent('ann', { projectId: gone.id })] })
    await makeParked(app, { unreadable: true })
    await makeParked(app, { events: [parkedEvent('ann')] })
    expect((await app.call('DELETE', `/api/projects/${gone.id}/`)).statusCode).toBe(204)
    expect(await parked()).toBe(1)
    await retryParked(app.stores)
    expect([await countOf('ann', gone.id), await countOf('ann')]).toEqual([0, 1])
  })
})

describe('expired events', () => {
  it('do not come back by a retry', async () => {
    const { stores, clock } = app
    await app.call('PATCH', '/api/projects/1/', { body: { events_retention_days: 10 } })
    const old = parkedEvent('ann', { event: 'old', timestamp: clock.now() - 11 * DAY })
    const young = parkedEvent('ann', { event: 'young', timestamp: clock.now() - 8 * DAY })
    await makeParked(app, { events: [old, young] })
    await makeParked(app, { unreadable: true })
    clock.advance(DAY)
    await app.runner.runDue()
    expect((await stores.outbox.parked({ limit: 10, offset: 0 })).items.map(({ events }) => events).sort()).toEqual([
      0, 1,
    ])
    const { events } = await stores.transaction(async (tx) => {
      const [row] = (await tx.outbox.parkedTexts({ after: '', limit: 10 })).filter(({ projectId }) => projectId === 1)
      await tx.outbox.unpark(row?.id ?? '', 0)
      return { events: row }
    })
    expect(events?.text).not.toContain('"old"')
    const left = await stores.events.listEvents(1, { distinctIds: ['ann'] }, { limit: 10 })
    expect(left.events.map(({ event }) => event)).toEqual(['young'])
  })
})
