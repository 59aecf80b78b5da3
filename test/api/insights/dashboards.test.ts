/** Dashboards as stored objects, and the one that every project starts with. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { expectFields, USER_FIELDS } from '../../support/deliveries/subscription.ts'
import { makeKey, makeProject, makeStranger } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const PATH = '/api/environments/1/dashboards/'
const LISTED: Record<string, string[]> = {
  id: ['integer'],
  name: ['string', 'null'],
  description: ['string'],
  pinned: ['boolean'],
  tags: ['array'],
  created_at: ['date-time'],
  created_by: ['object', 'null'],
  is_shared: ['boolean'],
  deleted: ['boolean'],
  creation_mode: ['string'],
}
const FIELDS = { ...LISTED, filters: ['object'], tiles: ['array'] }

const make = async (body: unknown = {}) => {
  const answer = await app.call('POST', PATH, { body })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}
/** A dashboard with tiles, each of an insight of its own. */
const makeFull = async (count: number) => {
  const { id } = await make()
  for (let i = 0; i < count; i++) {
    await app.call('POST', '/api/environments/1/insights/', { body: { name: `Insight ${i}`, dashboards: [id] } })
  }
  return (await app.call('GET', `${PATH}${id}/`)).json()
}
const patch = (id: number, body: unknown) => app.call('PATCH', `${PATH}${id}/`, { body })
const entries = async (id: number) => {
  const filter = { projectId: 1, scope: 'Dashboard', itemId: String(id) }
  return (await app.stores.activity.page(filter, { limit: 20, offset: 0 })).items
}

describe('the default dashboard', () => {
  it('of the first project is dashboard 1 with insights 1 to 6', async () => {
    const body = (await app.call('GET', `${PATH}1/`)).json()
    expectFields(body, FIELDS)
    expectFields(body.created_by, USER_FIELDS)
    expect(body).toMatchObject({ id: 1, name: 'My App Dashboard', pinned: true, creation_mode: 'template' })
    expect(body.tiles.map((tile: { insight: { id: number } }) => tile.insight.id)).toEqual([1, 2, 3, 4, 5, 6])
    for (const tile of body.tiles) {
      expect(Object.keys(tile).sort()).toEqual(['color', 'error', 'id', 'insight', 'layouts', 'order'])
      expect(tile.layouts.sm).toMatchObject({ w: 6, h: 5 })
      expect(tile.insight).toEqual((await app.call('GET', `/api/environments/1/insights/${tile.insight.id}/`)).json())
      expect(tile.insight.created_by.id).toBe(1)
    }
  })

  it('is created with every project that the API creates, and by its creator', async () => {
    const { key, userId } = await makeStranger(app)
    const project = (await app.call('POST', '/api/projects/', { key, body: { name: 'Third' } })).json()
    const { results } = (await app.call('GET', `/api/environments/${project.id}/dashboards/`, { key })).json()
    expect(results).toMatchObject([{ name: 'My App Dashboard', created_by: { id: userId } }])
    const { count } = (await app.call('GET', `/api/environments/${project.id}/insights/`, { key })).json()
    expect(count).toBe(6)
    expect((await app.stores.dashboards.findDefault(project.id))?.id).toBe(results[0].id)
  })

  it('is removed with its project, with subscriptions that name it', async () => {
    const project = await makeProject(app)
    const board = await app.stores.dashboards.findDefault(project.id)
    const path = `/api/environments/${project.id}/`
    const body = {
      target_type: 'email',
      target_value: 'a@example.com',
      frequency: 'daily',
      start_date: '2026-01-01',
      dashboard: board?.id,
    }
    expect((await app.call('POST', `${path}subscriptions/`, { body })).statusCode).toBe(201)
    expect((await app.call('DELETE', path)).statusCode).toBe(204)
    expect(await app.stores.dashboards.find(project.id, board?.id ?? 0)).toBeNull()
  })

  it('cannot be deleted, and says why', async () => {
    for (const [method, body, attr] of [
      ['DELETE', undefined, null],
      ['PATCH', { deleted: true, name: 'Gone' }, 'deleted'],
    ] as const) {
      const answer = await app.call(method, `${PATH}1/`, body ? { body } : {})
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({
        type: 'validation_error',
        code: 'invalid_input',
        detail: 'The default dashboard cannot be deleted: it is what subscriptions without a resource deliver.',
        attr,
      })
    }
    expect((await app.call('GET', `${PATH}1/`)).json().name).toBe('My App Dashboard')
  })
})

describe('every operation', () => {
  it.each([
    ['GET', PATH, 'dashboard:read', 200],
    ['POST', PATH, 'dashboard:write', 201],
    ['GET', `${PATH}1/`, 'dashboard:read', 200],
    ['PATCH', `${PATH}1/`, 'dashboard:write', 200],
  ])('%s %s asks for a key with %s, of a member', async (method, path, scope, done) => {
    const status = async (key: string | null) => (await app.call(method, path, { key })).statusCode
    expect(await status(null)).toBe(401)
    expect(await status(await makeKey(app, { scopes: [scope] }))).toBe(done)
    expect(await status((await makeStranger(app)).key)).toBe(403)
    const denied = await app.call(method, path, { key: await makeKey(app, { scopes: ['insight:write'] }) })
    expect(denied.statusCode).toBe(403)
    expect(denied.json().detail).toBe(`API key missing required scope '${scope}'`)
  })

  it.each(['GET', 'PATCH', 'DELETE'])('%s does not find what is unknown or another project’s', async (method) => {
    const other = await makeProject(app)
    const { id } = await make()
    for (const path of [
      `/api/environments/${other.id}/dashboards/${id}/`,
      `${PATH}99999/`,
      `${PATH}abc/`,
      `${PATH}-1/`,
    ]) {
      expect((await app.call(method, path)).statusCode).toBe(404)
    }
    expect((await app.call('GET', `${PATH}${id}/`)).statusCode).toBe(200)
  })
})

describe('making', () => {
  it('takes nothing at all', async () => {
    const made = await make()
    expectFields(made, FIELDS)
    expect(made).toMatchObject({ name: null, description: '', pinned: false, tags: [], filters: {}, tiles: [] })
    expect(made).toMatchObject({ creation_mode: 'default', is_shared: false, deleted: false })
    expect(await entries(made.id)).toMatchObject([{ activity: 'created', userId: 1 }])
  })

  it('takes everything, and keeps the filters as they were given', async () => {
    const filters = '{"date_from":null,"properties":[],"x":{"a.b":1.5,"__proto__":{"y":[]}}}'
    const answer = await app.call('POST', PATH, {
      body: `{"name": "Board", "description": "d", "pinned": true, "tags": ["B", " b"], "filters": ${filters}}`,
    })
    expect(answer.json()).toMatchObject({ name: 'Board', description: 'd', pinned: true, tags: ['b'] })
    expect(answer.body).toContain(`"filters":${filters}`)
    const read = await app.call('GET', `${PATH}${answer.json().id}/`)
    expect(read.body).toBe(answer.body)
    await app.call('DELETE', `${PATH}${answer.json().id}/`)
  })

  it.each<[unknown, string, string]>([
    [{ name: 'x'.repeat(401) }, 'name', 'max_length'],
    [{ description: null }, 'description', 'null'],
    [{ pinned: 1 }, 'pinned', 'invalid_input'],
    [{ filters: 'x' }, 'filters', 'not_a_dict'],
    [{ tags: [null] }, 'tags__0', 'null'],
  ])('refuses %j on %s as %s', async (body, attr, code) => {
    const answer = await app.call('POST', PATH, { body })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ type: 'validation_error', attr, code })
  })
})

describe('listing', () => {
  it('has pinned ones first, then names, and leaves out the tiles', async () => {
    const project = await makeProject(app)
    const path = `/api/environments/${project.id}/dashboards/`
    for (const body of [
      { name: 'beta' },
      { name: 'Älpha', tags: ['x'] },
      { name: 'Alpha' },
      { name: 'Zeta', pinned: true },
    ]) {
      await app.call('POST', path, { body })
    }
    const names = async (query: Record<string, string> = {}) =>
      (await app.call('GET', path, { query })).json().results.map(({ name }: { name: string }) => name)
    expect(await names()).toEqual(['My App Dashboard', 'Zeta', 'Alpha', 'beta', 'Älpha'])
    expect(await names({ pinned: 'true' })).toEqual(['My App Dashboard', 'Zeta'])
    expect(await names({ pinned: 'false', search: 'ÄLPHA x' })).toEqual(['Älpha'])
    expect(await names({ limit: '2', offset: '3' })).toEqual(['beta', 'Älpha'])
    const [first] = (await app.call('GET', path)).json().results
    expectFields(first, LISTED)
    expect(Object.keys(first).sort()).toEqual(Object.keys(LISTED).sort())
  })
})

describe('changing', () => {
  it('keeps what is not named', async () => {
    const made = await makeFull(1)
    const answer = await patch(made.id, { name: 'After', is_shared: true, creation_mode: 'x' })
    expect(answer.json()).toEqual({ ...made, name: 'After' })
    expect(await patch(made.id, { name: 'After' })).toMatchObject({ statusCode: 200 })
    const [entry, ...others] = await entries(made.id)
    expect(entry?.detail.changes).toEqual([
      { type: 'Dashboard', action: 'changed', field: 'name', before: null, after: 'After' },
    ])
    expect(others).toHaveLength(1)
  })

  it('moves, colours and removes tiles', async () => {
    const made = await makeFull(3)
    const [a, b, c] = made.tiles
    const layouts = { sm: { i: '1', x: 6, y: 0.5, w: 6, h: 5, extra: [null, {}] }, xs: { x: 0, y: 0, w: 1, h: 5 } }
    const answer = await patch(made.id, {
      tiles: [
        { ...b, layouts },
        { id: c.id, deleted: true },
        { id: a.id, color: 'blue', deleted: null },
      ],
    })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().tiles).toEqual([
      { ...a, color: 'blue', order: 1 },
      { ...b, layouts, order: 0 },
    ])
    expect((await app.call('GET', `${PATH}${made.id}/`)).json()).toEqual(answer.json())
    const insight = (await app.call('GET', `/api/environments/1/insights/${c.insight.id}/`)).json()
    expect(insight.dashboards).toEqual([])
  })

  it('numbers tiles in reading order: by row, from left to right, those without a place last', async () => {
    const made = await makeFull(5)
    const orders = (body: { tiles: { order: number }[] }) => body.tiles.map(({ order }) => order)
    expect(orders(made)).toEqual([0, 1, 2, 3, 4])
    const places = [
      { x: 6, y: 5 },
      { x: 0, y: 5 },
      { x: 6, y: 0 },
      { x: 0, y: 0 },
    ]
    const tiles = places.map((place, at) => ({ id: made.tiles[at].id, layouts: { sm: { ...place, w: 6, h: 5 } } }))
    // An order that is sent counts for nothing: the layout decides.
    expect(orders((await patch(made.id, { tiles: tiles.map((tile) => ({ ...tile, order: 7 })) })).json())).toEqual([
      3, 2, 1, 0, 4,
    ])
    await app.call('DELETE', `/api/environments/1/insights/${made.tiles[3].insight.id}/`)
    expect(orders((await app.call('GET', `${PATH}${made.id}/`)).json())).toEqual([2, 1, 0, 3])
  })
  it('refuses tiles of other dashboards and invalid layouts, all or nothing', async () => {
    const [made, other] = [await makeFull(1), await makeFull(1)]
    const [own] = made.tiles
    const answer = await patch(made.id, {
      name: 'Not kept',
      tiles: [
        { id: other.tiles[0].id, color: 'red' },
        { id: own.id, layouts: { sm: { x: 0 }, xs: null } },
        { layouts: {} },
      ],
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ attr: 'tiles__2__id', code: 'required' })
    const second = await patch(made.id, {
      tiles: [{ id: other.tiles[0].id }, { id: own.id, color: 'red', layouts: { sm: { x: 0 }, xs: null } }],
    })
    expect(second.json().errors.map(({ attr, code }: { attr: string; code: string }) => [attr, code])).toEqual([
      ['tiles__0__id', 'does_not_exist'],
      ['tiles__1__layouts__sm', 'invalid_input'],
      ['tiles__1__layouts__xs', 'invalid_input'],
    ])
    expect((await app.call('GET', `${PATH}${made.id}/`)).json()).toEqual(made)
  })
})

describe('deleting', () => {
  it('hides it and keeps its insights, until it is restored', async () => {
    const made = await makeFull(1)
    const path = `${PATH}${made.id}/`
    const insight = `/api/environments/1/insights/${made.tiles[0].insight.id}/`
    const answer = await app.call('DELETE', path)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE', 'PATCH']) expect((await app.call(method, path)).statusCode).toBe(404)
    expect((await app.call('GET', insight)).json().dashboards).toEqual([])
    const gone = await app.call('GET', PATH, { query: { deleted: 'true', limit: '1000' } })
    expect(gone.json().results.map(({ id }: { id: number }) => id)).toContain(made.id)
    expect((await patch(made.id, { deleted: false })).json()).toEqual(made)
    expect((await entries(made.id)).map((entry) => entry.activity)).toEqual(['updated', 'deleted', 'created'])
  })
})
