/** Names of events and properties, derived from captured data. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson, makeProject } from '../../support/make.ts'

const NOON = Date.UTC(2026, 2, 4, 12)

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const capture = async (batch: object[], token = PROJECT_TOKEN) => {
  const response = await app.server.inject({ method: 'POST', url: '/batch/', payload: { api_key: token, batch } })
  expect(response.statusCode).toBe(200)
}
const ask = (list: string, query: Record<string, string> = {}, project = 1) =>
  app.call('GET', `/api/environments/${project}/${list}/`, { query })

interface Found {
  id: string
  name: string
  property_type?: string | null
  count?: number
}

const results = async (list: string, query: Record<string, string>, project: number): Promise<Found[]> => {
  const response = await ask(list, query, project)
  expect(response.statusCode).toBe(200)
  return response.json().results
}
const namesOf = async (...asked: Parameters<typeof results>) => (await results(...asked)).map(({ name }) => name)

function itIsPaged(list: string, fill: (projectId: number, names: string[]) => Promise<void>): void {
  it('comes in pages, by name, with links that keep the search', async () => {
    const { id } = await makeProject(app)
    await fill(id, ['x3', 'x1', 'y', 'x2'])
    const page = (await ask(list, { limit: '2', search: 'X' }, id)).json()
    expect(page).toMatchObject({ count: 3, previous: null })
    expect(page.results.map(({ name }: Found) => name)).toEqual(['x1', 'x2'])
    const next = new URL(page.next)
    expect(Object.fromEntries(next.searchParams)).toEqual({ limit: '2', offset: '2', search: 'X' })
    const rest = (await app.call('GET', next.pathname + next.search)).json()
    expect([rest.count, rest.next, rest.results.map(({ name }: Found) => name)]).toEqual([3, null, ['x3']])
    expect((await ask(list, { offset: '9' }, id)).json()).toMatchObject({ count: 4, next: null, results: [] })
  })

  it.each([
    [{ limit: '0' }, 'limit', 'min_value'],
    [{ limit: 'many' }, 'limit', 'invalid_input'],
    [{ offset: '-1' }, 'offset', 'min_value'],
    [{ search: Array.from({ length: 21 }, (_, i) => `w${i}`).join(' ') }, 'search', 'invalid_input'],
  ])('refuses %j', async (query, attr, code) => {
    const response = await ask(list, query as unknown as Record<string, string>)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ type: 'validation_error', code, attr })
  })

  it('is empty in a new project, and takes a search for what it is', async () => {
    const { id } = await makeProject(app)
    expect((await ask(list, {}, id)).json()).toEqual({ count: 0, next: null, previous: null, results: [] })
    await fill(id, ['100%', 'a_b', 'É "x" \\'])
    expect(await namesOf(list, { search: '%' }, id)).toEqual(['100%'])
    expect(await namesOf(list, { search: '_' }, id)).toEqual(['a_b'])
    expect(await namesOf(list, { search: 'é "X"' }, id)).toEqual(['É "x" \\'])
    expect(await namesOf(list, { search: "' OR 1=1" }, id)).toEqual([])
  })
}

describe('GET event_definitions/', () => {
  const list = 'event_definitions'
  itIsGuarded(() => app, { method: 'GET', path: () => `/${list}/`, scope: 'event_definition:read', status: 200 })
  itIsPaged(list, (projectId, names) =>
    makeEvents(
      app,
      names.map((event) => ({ projectId, event })),
    ),
  )

  it('shows what was just captured', async () => {
    const { id, apiToken } = await makeProject(app)
    const at = (event: string, time: string) => ({ event, distinct_id: 'x', timestamp: `2026-03-04T${time}Z` })
    await capture([at('bought', '11:00:00.5'), at('bought', '10:00:00'), at('seen', '09:00:00')], apiToken)
    const [bought, seen, ...others] = await results(list, {}, id)
    expect(others).toEqual([])
    expect(bought).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      name: 'bought',
      created_at: '2026-03-04T10:00:00Z',
      last_seen_at: '2026-03-04T11:00:00.500000Z',
      volume: 2,
      tags: [],
    })
    expect(seen).toMatchObject({ name: 'seen', volume: 1 })
    await capture([at('bought', '11:30:00')], apiToken)
    expect((await results(list, { search: 'bought' }, id))[0]).toMatchObject({ id: bought?.id, volume: 3 })
  })

  it('gives the same name another id in another project', async () => {
    const projects = [await makeProject(app), await makeProject(app)]
    const ids = []
    for (const { id } of projects) {
      await makeEvents(app, [{ projectId: id, event: 'same' }])
      const [found, ...others] = await results(list, {}, id)
      expect(others).toEqual([])
      ids.push(found?.id)
    }
    expect(new Set(ids).size).toBe(2)
  })
})

describe('GET property_definitions/', () => {
  const list = 'property_definitions'
  itIsGuarded(() => app, { method: 'GET', path: () => `/${list}/`, scope: 'property_definition:read', status: 200 })
  itIsPaged(list, (projectId, names) =>
    makeEvents(
      app,
      names.map((name) => ({ projectId, properties: { [name]: 1 } })),
    ),
  )

  it('learns the types of what was just captured', async () => {
    const { id, apiToken } = await makeProject(app)
    const send = (properties: object) => ({ event: 'e', distinct_id: 'x', properties })
    const odd = JSON.parse('{"__proto__": 1.5}')
    await capture(
      [
        send({ ...odd, text: 'a', number: 1, yes: true, day: '2026-03-04', mixed: 1, list: [], nothing: null }),
        send({ text: '', number: 1.5, yes: false, day: '2026-03-04T10:00:00Z', mixed: 'a', list: { a: 1 } }),
        send({ number: null }),
      ],
      apiToken,
    )
    const found = await results(list, {}, id)
    expect(found.map(({ name, property_type, count }) => [name, property_type, count])).toEqual([
      ['__proto__', 'Numeric', 1],
      ['day', 'DateTime', 2],
      ['list', null, 2],
      ['mixed', 'String', 2],
      ['nothing', null, 1],
      ['number', 'Numeric', 3],
      ['text', 'String', 2],
      ['yes', 'Boolean', 2],
    ])
    expect(found[5]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'number',
      type: 'event',
      property_type: 'Numeric',
      is_numerical: true,
      count: 3,
      is_seen_on_filtered_events: null,
      tags: [],
    })
    expect(await namesOf(list, { is_numerical: 'true' }, id)).toEqual(['__proto__', 'number'])
    expect(await namesOf(list, { is_numerical: '0', search: 't' }, id)).toEqual(['list', 'nothing', 'text'])
  })

  it('uses the current properties of persons', async () => {
    const { id } = await makeProject(app)
    await makePerson(app, { projectId: id, properties: { plan: 'pro', age: 30 }, createdAt: NOON })
    const person = await makePerson(app, { projectId: id, properties: { plan: 'free' } })
    await makeEvents(app, [{ projectId: id, properties: { plan: 1 } }])
    const types = async (query: Record<string, string>) =>
      (await results(list, query, id)).map((found) => [found.name, found.property_type, found.count])
    expect(await types({ type: 'person' })).toEqual([
      ['age', 'Numeric', 1],
      ['plan', 'String', 2],
    ])
    expect(await types({ type: 'event' })).toEqual([['plan', 'Numeric', 1]])
    const [ofPerson] = await results(list, { type: 'person', search: 'plan' }, id)
    const [ofEvent] = await results(list, {}, id)
    expect(ofPerson).toMatchObject({ type: 'person' })
    expect(ofPerson?.id).not.toBe(ofEvent?.id)

    const path = `/api/environments/${id}/persons/${person.id}/`
    await app.call('PATCH', path, { body: { properties: { born: '2000-01-01' } } })
    expect(await namesOf(list, { type: 'person' }, id)).toEqual(['age', 'born', 'plan'])
    await app.call('DELETE', path)
    expect(await types({ type: 'person' })).toEqual([
      ['age', 'Numeric', 1],
      ['plan', 'String', 1],
    ])
  })

  it.each([
    [{ type: 'group' }, 'type', 'invalid_choice', '"group" is not a valid choice.'],
    [{ is_numerical: 'maybe' }, 'is_numerical', 'invalid_input', 'Must be a valid boolean.'],
  ])('refuses %j', async (query, attr, code, detail) => {
    const response = await ask(list, query as unknown as Record<string, string>)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ type: 'validation_error', code, detail, attr })
  })
})
