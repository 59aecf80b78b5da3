/** Insights as stored objects: made, read, listed, changed, placed and deleted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { expectFields, USER_FIELDS } from '../../support/deliveries/subscription.ts'
import { makeKey, makeProject, makeStranger } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const PATH = '/api/environments/1/insights/'
const TRENDS = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
}
const FIELDS: Record<string, string[]> = {
  id: ['integer'],
  short_id: ['string'],
  name: ['string', 'null'],
  derived_name: ['string', 'null'],
  description: ['string', 'null'],
  query: ['object', 'null'],
  filters: ['object'],
  order: ['integer', 'null'],
  deleted: ['boolean'],
  dashboards: ['array'],
  dashboard_tiles: ['array'],
  favorited: ['boolean'],
  saved: ['boolean'],
  tags: ['array'],
  result: ['null'],
  last_refresh: ['null'],
  is_cached: ['boolean'],
  timezone: ['null'],
  created_at: ['date-time'],
  created_by: ['object'],
  updated_at: ['date-time'],
  last_modified_at: ['date-time'],
  last_modified_by: ['object'],
}

const make = async (body: unknown = {}) => {
  const answer = await app.call('POST', PATH, { body })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}
const board = async (body: unknown = {}) =>
  (await app.call('POST', '/api/environments/1/dashboards/', { body })).json() as { id: number }
const ids = async (query: Record<string, string> = {}) => {
  const answer = await app.call('GET', PATH, { query: { limit: '1000', ...query } })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().results.map(({ id }: { id: number }) => id)
}
const entries = async (id: number) => {
  const filter = { projectId: 1, scope: 'Insight', itemId: String(id) }
  return (await app.stores.activity.page(filter, { limit: 20, offset: 0 })).items
}

describe('every operation', () => {
  const operations = [
    ['GET', PATH, 'insight:read', 200],
    ['POST', PATH, 'insight:write', 201],
    ['GET', `${PATH}1/`, 'insight:read', 200],
    ['PATCH', `${PATH}1/`, 'insight:write', 200],
  ] as const

  it.each(operations)('%s %s asks for a key with %s, of a member', async (method, path, scope, done) => {
    const status = async (key: string | null) => (await app.call(method, path, { key })).statusCode
    expect(await status(null)).toBe(401)
    expect(await status(await makeKey(app, { scopes: [scope] }))).toBe(done)
    expect(await status((await makeStranger(app)).key)).toBe(403)
    const denied = await app.call(method, path, { key: await makeKey(app, { scopes: ['dashboard:write'] }) })
    expect(denied.statusCode).toBe(403)
    expect(denied.json().detail).toBe(`API key missing required scope '${scope}'`)
  })

  it.each(['GET', 'PATCH', 'DELETE'])('%s does not find an insight of another project', async (method) => {
    const other = await makeProject(app)
    const { id, short_id } = await make()
    for (const name of [id, short_id]) {
      const answer = await app.call(method, `/api/environments/${other.id}/insights/${name}/`)
      expect(answer.statusCode).toBe(404)
    }
  })
})

describe('making', () => {
  it('takes nothing at all', async () => {
    const made = await make()
    expectFields(made, FIELDS)
    expectFields(made.created_by, USER_FIELDS)
    expect(made).toMatchObject({ name: null, query: null, filters: {}, dashboards: [], tags: [], saved: true })
    expect(made.short_id).toMatch(/^[0-9A-Za-z]{8}$/)
  })

  it('takes everything, and cleans the tags', async () => {
    const { id: dashboard } = await board()
    const body = { name: 'Views', derived_name: '', description: 'x', query: TRENDS, order: -3, favorited: true }
    const made = await make({ ...body, dashboards: [dashboard, 1], tags: [' Growth ', 'growth', 'a\nb', ''] })
    expect(made).toMatchObject({ ...body, dashboards: [1, dashboard], tags: ['growth', 'a b'], deleted: false })
    expect(made.dashboard_tiles.map((tile: { dashboard_id: number }) => tile.dashboard_id)).toEqual([1, dashboard])
    expect((await app.call('GET', `${PATH}${made.id}/`)).json()).toEqual(made)
    expect((await app.call('GET', `${PATH}${made.short_id}/`)).json()).toEqual(made)
    expect(await entries(made.id)).toMatchObject([
      { activity: 'created', userId: 1, detail: { name: 'Views', short_id: made.short_id, changes: null } },
    ])
    await app.call('DELETE', `${PATH}${made.id}/`)
  })

  it('keeps query and filters as they were given', async () => {
    const free =
      '{"kind":"InsightVizNode","source":{"kind":"TrendsQuery","series":[],"x":null,"y":[],"z":{"a\\nb":1.5}},"__proto__":{"k":[]},"":"é"}'
    const answer = await app.call('POST', PATH, { body: `{"query": ${free}, "filters": ${free}}` })
    const made = answer.json()
    expect(answer.body).toContain(`"query":${free}`)
    expect(answer.body).toContain(`"filters":${free}`)
    const read = await app.call('GET', `${PATH}${made.id}/`)
    expect(read.body).toBe(answer.body)
    const listed = await app.call('GET', PATH, { query: { short_id: made.short_id } })
    expect(listed.body).toContain(`"query":${free}`)
  })

  it.each<[unknown, string, string]>([
    [{ name: 'x'.repeat(401) }, 'name', 'max_length'],
    [{ query: 'select 1' }, 'query', 'not_a_dict'],
    [{ query: {} }, 'query__kind', 'required'],
    [{ query: { kind: 'InsightVizNode' } }, 'query__source', 'required'],
    [{ query: { kind: 'MadeUp' } }, 'query__kind', 'invalid_choice'],
    [{ filters: null }, 'filters', 'null'],
    [{ filters: [] }, 'filters', 'not_a_dict'],
    [{ favorited: 'yes' }, 'favorited', 'invalid_input'],
    [{ order: 2 ** 31 }, 'order', 'max_value'],
    [{ tags: 'x' }, 'tags', 'not_a_list'],
    [{ tags: [5] }, 'tags__0', 'invalid_input'],
    [{ dashboards: [999] }, 'dashboards', 'does_not_exist'],
    [{ dashboards: ['1'] }, 'dashboards__0', 'incorrect_type'],
    [[], null as never, 'invalid_input'],
  ])('refuses %j on %s as %s', async (body, attr, code) => {
    const answer = await app.call('POST', PATH, { body })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ type: 'validation_error', attr, code })
  })

  it('reports all problems at once, and does not put it on another project’s dashboard', async () => {
    const other = await makeProject(app)
    const foreign = await app.stores.dashboards.findDefault(other.id)
    const body = { name: 5, query: { kind: 'HogQLQuery' }, dashboards: [foreign?.id, 1] }
    const { errors } = (await app.call('POST', PATH, { body })).json()
    expect(errors.map(({ attr, code }: { attr: string; code: string }) => [attr, code])).toEqual([
      ['name', 'invalid_input'],
      ['query__query', 'required'],
      ['dashboards', 'does_not_exist'],
    ])
  })
})

describe('listing', () => {
  it('is newest first, and filtered', async () => {
    const first = await make({ name: 'Erster Überblick', tags: ['fleet'], favorited: true })
    app.clock.advance(1_000)
    const { id: dashboard } = await board()
    const second = await make({ derived_name: 'überblick', description: 'two', dashboards: [dashboard] })
    expect((await ids()).slice(0, 2)).toEqual([second.id, first.id])
    expect(await ids({ search: 'ÜBERBLICK' })).toEqual([second.id, first.id])
    expect(await ids({ search: 'überblick fleet' })).toEqual([first.id])
    expect(await ids({ short_id: second.short_id })).toEqual([second.id])
    expect(await ids({ favorited: 'true', search: 'erster' })).toEqual([first.id])
    expect(await ids({ dashboard: String(dashboard) })).toEqual([second.id])
    expect(await ids({ saved: 'true', search: 'erster' })).toEqual([first.id])
    expect(await ids({ saved: 'false' })).toEqual([])
    expect(await ids({ created_by: first.created_by.uuid, search: 'erster' })).toEqual([first.id])
    const page = (await app.call('GET', PATH, { query: { limit: '1' } })).json()
    expect(page.results).toEqual([second])
    expect(page.next).toContain('offset=1')
  })

  it.each([
    [{ created_by: 'x' }, 'created_by'],
    [{ saved: 'x' }, 'saved'],
    [{ limit: '0' }, 'limit'],
  ])('refuses %j', async (query, attr) => {
    const answer = await app.call('GET', PATH, { query })
    expect([answer.statusCode, answer.json().attr]).toEqual([400, attr])
  })
})

describe('changing', () => {
  it('keeps what is not named, and records who changed it when', async () => {
    const made = await make({ name: 'Before', query: TRENDS })
    app.clock.advance(5_000)
    const key = await makeKey(app)
    const answer = await app.call('PATCH', `${PATH}${made.short_id}/`, {
      key,
      body: { name: 'After', id: 5, short_id: 'x' },
    })
    expect(answer.statusCode).toBe(200)
    const { last_modified_at, updated_at } = answer.json()
    expect(answer.json()).toEqual({ ...made, name: 'After', last_modified_at, updated_at })
    expect(last_modified_at > made.last_modified_at).toBe(true)
    const [entry] = await entries(made.id)
    expect(entry).toMatchObject({
      activity: 'updated',
      detail: { changes: [{ type: 'Insight', action: 'changed', field: 'name', before: 'Before', after: 'After' }] },
    })
  })

  it('without an effect logs nothing', async () => {
    const made = await make({ name: 'Same', tags: ['a'] })
    app.clock.advance(1_000)
    const body = { name: 'Same', tags: ['A'], dashboards: [] }
    expect((await app.call('PATCH', `${PATH}${made.id}/`, { body })).json()).toEqual(made)
    expect(await entries(made.id)).toHaveLength(1)
  })

  it('moves it between dashboards, and leaves the tiles that stay', async () => {
    const [a, b, c] = [await board(), await board(), await board()]
    const made = await make({ dashboards: [a.id, b.id] })
    const [, kept] = made.dashboard_tiles
    const moved = await app.call('PATCH', `${PATH}${made.id}/`, { body: { dashboards: [c.id, b.id, b.id] } })
    expect(moved.json().dashboards).toEqual([b.id, c.id])
    expect(moved.json().dashboard_tiles).toContainEqual(kept)
    expect((await app.call('PATCH', `${PATH}${made.id}/`, { body: { dashboards: null } })).json().dashboards).toEqual(
      [],
    )
  })

  it.each(['999999', 'abcdefgh', '99999999999999999999', '0'])('does not find %s', async (id) => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect((await app.call(method, `${PATH}${id}/`)).statusCode).toBe(404)
    }
  })
})

describe('deleting', () => {
  it('hides it everywhere until it is restored', async () => {
    const { id: dashboard } = await board()
    const made = await make({ name: 'Short-lived', dashboards: [dashboard] })
    const path = `${PATH}${made.id}/`
    const tiles = async () =>
      (await app.call('GET', `/api/environments/1/dashboards/${dashboard}/`)).json().tiles.length
    const answer = await app.call('DELETE', path)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect((await app.call('GET', path)).statusCode).toBe(404)
    expect((await app.call('DELETE', path)).statusCode).toBe(404)
    expect((await app.call('PATCH', path, { body: { name: 'x' } })).statusCode).toBe(404)
    expect(await ids()).not.toContain(made.id)
    expect(await ids({ deleted: 'true' })).toContain(made.id)
    expect(await tiles()).toBe(0)
    const restored = await app.call('PATCH', path, { body: { deleted: false } })
    expect(restored.json()).toMatchObject({ id: made.id, deleted: false, dashboards: [dashboard] })
    expect(await tiles()).toBe(1)
    expect((await entries(made.id)).map((entry) => entry.activity)).toEqual(['updated', 'deleted', 'created'])
  })

  it('works by PATCH as well', async () => {
    const made = await make()
    const answer = await app.call('PATCH', `${PATH}${made.id}/`, { body: { deleted: true } })
    expect(answer.json().deleted).toBe(true)
    expect((await app.call('GET', `${PATH}${made.id}/`)).statusCode).toBe(404)
  })
})
