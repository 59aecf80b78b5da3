/** The list of persons with its filters and its CSV. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeProject } from '../../support/make.ts'
import { makeList } from '../../support/persons/person-list.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const filter = (key: string, operator: string, value?: unknown) =>
  JSON.stringify([{ key, operator, type: 'person', ...(value === undefined ? {} : { value }) }])

describe('GET persons/', () => {
  itIsGuarded(() => app, { method: 'GET', path: () => '/persons/', scope: 'person:read', status: 200 })

  it('answers rows with every field, newest first, in the envelope', async () => {
    const { made, get } = await makeList(app, [
      { id: 'old', properties: { email: 'old@example.com', deep: { a: [null, 1.5] } }, more: ['a-b-c-d-e', 'z'] },
      { id: 'new' },
    ])
    const response = await get()
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [
        {
          type: 'person',
          id: made[1]?.id,
          uuid: made[1]?.uuid,
          created_at: '2026-03-04T11:59:59Z',
          last_seen_at: null,
          properties: {},
          is_identified: true,
          name: 'new',
          distinct_ids: ['new'],
          matched_recordings: [],
          value_at_data_point: null,
        },
        expect.objectContaining({
          id: made[0]?.id,
          name: 'old@example.com',
          properties: { email: 'old@example.com', deep: { a: [null, 1.5] } },
          distinct_ids: ['old', 'a-b-c-d-e', 'z'],
        }),
      ],
    })
  })

  it('pages exactly, with links that keep the filters, and null at both ends', async () => {
    const { get, url } = await makeList(
      app,
      ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, properties: { x: 'y z' } })),
    )
    const query = { properties: filter('x', 'exact', 'y z'), limit: '2' }
    const seen: string[] = []
    const links: [string | null, string | null][] = []
    let response = await get(query)
    for (;;) {
      const page = response.json()
      expect(page.count).toBe(5)
      seen.push(...page.results.map((row: { distinct_ids: string[] }) => row.distinct_ids[0]))
      const offset = (link: string | null) => link && new URL(link).searchParams.get('offset')
      links.push([offset(page.previous), offset(page.next)])
      if (!page.next) break
      expect(page.next.startsWith(`http://localhost${url}?`)).toBe(true)
      response = await app.call('GET', page.next)
    }
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a'])
    expect(links).toEqual([
      [null, '2'],
      [null, '4'],
      ['2', null],
    ])
    expect((await get({ offset: '4', limit: '1' })).json()).toMatchObject({ next: null, results: [{ name: 'a' }] })
    expect((await get({ offset: '5' })).json()).toMatchObject({ count: 5, next: null, results: [] })
  })

  it('accepts include_total without an effect', async () => {
    const { get } = await makeList(app, [{ id: 'a' }])
    expect((await get({ include_total: '1' })).json().count).toBe(1)
  })

  it.each([
    ['limit', 'abc'],
    ['limit', '-1'],
    ['limit', '0'],
    ['limit', '1.5'],
    ['offset', '-1'],
    ['offset', 'abc'],
  ])('refuses %s=%s', async (name, value) => {
    const response = await app.call('GET', '/api/environments/1/persons/', { query: { [name]: value } })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ type: 'validation_error', attr: name })
  })

  it('clamps a limit above 1,000, and takes an offset of any size', async () => {
    const { get } = await makeList(app, [{ id: 'a' }])
    expect((await get({ limit: '1000000000' })).json().results).toHaveLength(1)
    expect((await get({ offset: '9007199254740991' })).json().results).toEqual([])
    expect((await get({ offset: '99999999999999999999' })).json()).toMatchObject({ count: 1, next: null, results: [] })
    expect((await get({ limit: '1e9' })).statusCode).toBe(400)
  })

  it('finds by search: part of e-mail, name, uuid or distinct id, whatever the case', async () => {
    const { ids, made } = await makeList(app, [
      { id: 'one', properties: { email: 'Jürgen.Ÿ@Example.com' } },
      { id: 'two', properties: { name: 'Müller' } },
      { id: 'THREE-distinct', more: ['hidden-alias'] },
      { id: 'four', properties: { city: 'Müllerstadt' } },
    ])
    expect(await ids({ search: 'JÜRGEN.ÿ@' })).toEqual(['one'])
    expect(await ids({ search: 'MÜLLER' })).toEqual(['two'])
    expect(await ids({ search: 'three-D' })).toEqual(['THREE-distinct'])
    expect(await ids({ search: 'den-ali' })).toEqual(['THREE-distinct'])
    expect(await ids({ search: made[3]?.uuid.slice(4, 20) ?? '' })).toEqual(['four'])
    expect(await ids({ search: '%' })).toEqual([])
    expect(await ids({ search: '' })).toHaveLength(4)
  })

  it('finds by exact e-mail, exact distinct id, and both', async () => {
    const { ids } = await makeList(app, [
      { id: 'one', properties: { email: 'a@x' }, more: ['uno'] },
      { id: 'two', properties: { email: 'A@x' } },
    ])
    expect(await ids({ email: 'a@x' })).toEqual(['one'])
    expect(await ids({ distinct_id: 'uno' })).toEqual(['one'])
    expect(await ids({ distinct_id: 'un' })).toEqual([])
    expect(await ids({ distinct_id: 'uno', email: 'A@x' })).toEqual([])
  })

  it('does not find a distinct id of another project', async () => {
    const { ids } = await makeList(app, [{ id: 'same' }])
    await makeList(app, [{ id: 'same', properties: { email: 'other@x' } }])
    expect(await ids({ distinct_id: 'same', email: 'other@x' })).toEqual([])
  })

  it('finds what was written after a time', async () => {
    const { ids, made, project } = await makeList(app, [{ id: 'one' }, { id: 'two' }])
    app.clock.advance(60_000)
    await app.call('PATCH', `/api/environments/${project.id}/persons/${made[0]?.id}/`, {
      body: { properties: { x: 1 } },
    })
    app.clock.advance(-60_000)
    expect(await ids({ updated_after: '2026-03-04T12:00:30Z' })).toEqual(['one'])
    expect(await ids({ updated_after: '2026-03-04T13:00:30+01:00' })).toEqual(['one'])
    expect(await ids({ updated_after: '2026-03-04' })).toEqual(['two', 'one'])
  })

  it.each(['2026-02-30', '-1', '9999999', 'yesterday'])('refuses updated_after=%s', async (date) => {
    const response = await app.call('GET', '/api/environments/1/persons/', { query: { updated_after: date } })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ attr: 'updated_after', code: 'invalid_input' })
  })

  describe('by property filters', () => {
    let list: Awaited<ReturnType<typeof makeList>>
    beforeAll(async () => {
      list = await makeList(app, [
        { id: 'p1', properties: { age: 30, email: 'ann@example.com', v: '1.2.3', when: '2026-01-10T12:00:00Z' } },
        { id: 'p2', properties: { age: '40', email: 'Bob@Example.org', v: '1.10.0', when: '2026-01-11' } },
        { id: 'p3', properties: { age: 'old', email: null, flag: true, 'a.b': 'dotted', a: { b: 'nested' } } },
        { id: 'p4' },
      ])
    })

    it.each<[string, string, unknown, string[]]>([
      ['age', 'exact', '30', ['p1']],
      ['age', 'exact', ['30', 40], ['p2', 'p1']],
      ['flag', 'exact', 'true', ['p3']],
      ['age', 'is_not', 30, ['p4', 'p3', 'p2']],
      ['email', 'icontains', 'EXAMPLE', ['p2', 'p1']],
      ['email', 'not_icontains', 'example', ['p4', 'p3']],
      ['email', 'regex', '^[a-z]+@example\\.com$', ['p1']],
      ['email', 'not_regex', '@', ['p4', 'p3']],
      ['email', 'regex', '(', []],
      ['age', 'gt', 30, ['p2']],
      ['age', 'gte', '30', ['p2', 'p1']],
      ['age', 'lt', 40, ['p1']],
      ['age', 'lte', 40, ['p2', 'p1']],
      ['email', 'is_set', undefined, ['p3', 'p2', 'p1']],
      ['email', 'is_not_set', undefined, ['p4']],
      ['when', 'is_date_exact', '2026-01-10', ['p1']],
      ['when', 'is_date_before', '2026-01-11', ['p1']],
      ['when', 'is_date_after', '2026-01-10', ['p2']],
      ['v', 'semver_gt', '1.9.0', ['p2']],
      ['v', 'semver_caret', '1.2.0', ['p2', 'p1']],
      ['v', 'semver_tilde', '1.2.0', ['p1']],
      ['v', 'semver_wildcard', '1.10.*', ['p2']],
      ['a.b', 'exact', 'dotted', ['p3']],
      ['a.b', 'exact', 'nested', []],
    ])('%s %s %j finds %j', async (key, operator, value, expected) => {
      expect(await list.ids({ properties: filter(key, operator, value) })).toEqual(expected)
    })

    it('combines conditions by AND, groups as they say', async () => {
      const both = JSON.stringify([
        { key: 'age', operator: 'gte', value: 30, type: 'person' },
        { key: 'email', operator: 'icontains', value: 'ann' },
      ])
      expect(await list.ids({ properties: both })).toEqual(['p1'])
      const either = JSON.stringify({
        type: 'OR',
        values: [
          { key: 'age', value: 'old', type: 'person' },
          { key: 'email', value: 'ann@example.com', type: 'person' },
        ],
      })
      expect(await list.ids({ properties: either })).toEqual(['p3', 'p1'])
      expect(await list.ids({ properties: either, search: 'ann' })).toEqual(['p1'])
    })

    it.each(['[{"key":', 'nonsense', '[1', '{"a":1'])('refuses %s as unparsable', async (properties) => {
      const response = await list.get({ properties })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toEqual({
        type: 'validation_error',
        code: 'invalid_input',
        detail: 'Properties are unparsable!',
        attr: 'properties',
      })
    })

    it.each(['"text"', '[1]', '[{"key":"a","operator":"like","value":"x"}]', '[{"key":"a","type":"event","value":1}]'])(
      'refuses the filter %s and says why',
      async (properties) => {
        const response = await list.get({ properties })
        expect(response.statusCode).toBe(400)
        expect(response.json()).toMatchObject({ type: 'validation_error', attr: 'properties' })
        expect(response.json().detail).not.toBe('Properties are unparsable!')
      },
    )

    it('treats values that look like SQL as values', async () => {
      expect(await list.ids({ properties: filter(`x' or 1=1 --`, 'exact', `" or ""="`) })).toEqual([])
    })
  })

  describe('as CSV', () => {
    it('is the whole result, however long, with columns of all rows', async () => {
      const project = await makeProject(app)
      await app.stores.transaction(async (tx) => {
        for (let i = 0; i < 2_345; i++) {
          const properties = i === 0 ? { only_first: 1 } : {}
          const person = { projectId: project.id, uuid: `u-${i}`, properties, isIdentified: false, createdAt: i % 7 }
          await tx.persons.create(person, [`id-${i}`])
        }
      })
      const response = await app.call('GET', `/api/environments/${project.id}/persons/?format=csv`)
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(response.headers['content-disposition']).toBe('attachment; filename="persons.csv"')
      const [header, ...rows] = response.body.trimEnd().split('\r\n')
      expect(header).toBe(
        'created_at,distinct_ids.0,id,is_identified,last_seen_at,name,properties.only_first,type,uuid,value_at_data_point',
      )
      expect(new Set(rows.map((row) => row.split(',')[1])).size).toBe(2_345)
      expect(rows).toHaveLength(2_345)
    })

    it('follows limit and offset when they are given, and filters', async () => {
      const { get } = await makeList(app, [
        { id: 'a', properties: { x: 1 } },
        { id: 'b', properties: { x: 1 } },
        { id: 'c' },
      ])
      const names = async (query: Record<string, string>) =>
        (await get({ format: 'csv', ...query })).body
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .map((row) => row.split(',')[1])
      expect(await names({ limit: '2' })).toEqual(['c', 'b'])
      expect(await names({ offset: '2' })).toEqual(['a'])
      expect(await names({ properties: filter('x', 'is_set') })).toEqual(['b', 'a'])
    })

    it('has its header without any row', async () => {
      const { get } = await makeList(app, [])
      expect((await get({ format: 'csv' })).body).toBe(
        'created_at,id,is_identified,last_seen_at,name,type,uuid,value_at_data_point\r\n',
      )
    })

    it('keeps its errors in JSON', async () => {
      const { get } = await makeList(app, [])
      const response = await get({ format: 'csv', properties: '[' })
      expect([response.statusCode, response.json().attr]).toEqual([400, 'properties'])
    })
  })
})

describe('POST persons/', () => {
  it('is refused with a hint', async () => {
    const response = await app.call('POST', '/api/environments/1/persons/', { body: { properties: {} } })
    expect(response.statusCode).toBe(405)
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS')
    expect(response.json()).toEqual({
      type: 'invalid_request',
      code: 'method_not_allowed',
      detail:
        'Creating persons via this API is not allowed. Please create persons by sending an $identify event. See https://posthog.com/docs/product-analytics/identify for details.',
      attr: null,
    })
  })
})
