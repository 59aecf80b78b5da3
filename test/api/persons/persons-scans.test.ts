/** Lists that look through persons: thousands of them against a plain computation, and what may happen meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPersonPages } from '../../../src/features/persons/person-pages.ts'
import type { Person } from '../../../src/model/persons/person.ts'
import { NEWEST_FIRST } from '../../../src/model/persons/person-search.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeProject } from '../../support/make.ts'
import { makePersons } from '../../support/persons/many-persons.ts'
import { makeList } from '../../support/persons/person-list.ts'

const PEOPLE = 6_000
const START = Date.UTC(2026, 1, 1)
const CITIES = ['Bern', 'Basel', 'Zürich']

let app: TestApp
let projectId: number
let people: Person[]
beforeAll(async () => {
  app = await makeApp()
  projectId = (await makeProject(app)).id
  people = await makePersons(app, {
    projectId,
    count: PEOPLE,
    // Many share an instant, out of order.
    createdAt: (n) => START + (n % 7 === 0 ? 0 : Math.floor(n / 3) * 1_000),
    properties: (n) => ({
      n,
      city: CITIES[n % 3],
      email: `User-${n}@example.com`,
      ...(n % 10 === 0 ? { vip: null } : {}),
    }),
  })
  people.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
  const other = await makeProject(app)
  await makePersons(app, {
    projectId: other.id,
    count: 50,
    createdAt: () => START,
    properties: () => ({ city: 'Basel' }),
  })
})
afterAll(() => app.end())

const condition = (key: string, operator: string, value?: unknown) => ({
  properties: JSON.stringify([{ key, operator, value, type: 'person' }]),
})
const nOf = ({ properties }: { properties: Record<string, unknown> }) => properties.n as number

type Holds = (n: number) => boolean
const CASES: [name: string, query: Record<string, string>, holds: Holds][] = [
  ['exact', condition('city', 'exact', 'Basel'), (n) => n % 3 === 1],
  ['is_not', condition('city', 'is_not', 'Basel'), (n) => n % 3 !== 1],
  ['icontains', condition('city', 'icontains', 'ZÜR'), (n) => n % 3 === 2],
  ['regex', condition('email', 'regex', '^User-\\d*77@'), (n) => n % 100 === 77],
  ['not_regex', condition('email', 'not_regex', '[02468]@'), (n) => n % 2 === 1],
  ['a broken pattern', condition('email', 'regex', '('), () => false],
  ['a broken pattern, negated', condition('email', 'not_regex', '('), () => false],
  ['lt', condition('n', 'lt', 3), (n) => n < 3],
  ['gte', condition('n', 'gte', '5990'), (n) => n >= 5_990],
  ['is_set', condition('vip', 'is_set'), (n) => n % 10 === 0],
  ['search by e-mail', { search: 'uSER-599' }, (n) => String(n).startsWith('599')],
  ['search by distinct id', { search: 'ID-1234' }, (n) => n === 1_234],
  ['search and a filter', { search: 'user-', ...condition('n', 'lt', 50) }, (n) => n < 50],
  ['an e-mail and a filter', { email: 'User-7@example.com', ...condition('n', 'lt', 50) }, (n) => n === 7],
  ['an e-mail and another’s distinct id', { email: 'User-7@example.com', distinct_id: 'id-8' }, () => false],
  ['nobody', { search: 'nobody at all' }, () => false],
]

const get = async (query: Record<string, string>, project = projectId) => {
  const response = await app.call('GET', `/api/environments/${project}/persons/`, { query })
  expect(response.statusCode).toBe(200)
  return response.json()
}

describe.each(CASES)('persons by %s', (_name, query, holds) => {
  const expected = () => people.map(nOf).filter(holds)

  it('are those of a plain computation, in pages by number and by next', async () => {
    const first = await get(query)
    expect(first.count).toBe(expected().length)
    expect(first.results.map(nOf)).toEqual(expected().slice(0, 100))
    const middle = await get({ ...query, limit: '37', offset: '411' })
    expect(middle.results.map(nOf)).toEqual(expected().slice(411, 448))
    const seen: number[] = []
    for (let page = await get({ ...query, limit: '1000' }); ; page = (await app.call('GET', page.next)).json()) {
      expect(page.count).toBe(expected().length)
      seen.push(...page.results.map(nOf))
      if (!page.next) break
    }
    expect(seen).toEqual(expected())
  })

  it('are all in the CSV', async () => {
    const { body } = await app.call('GET', `/api/environments/${projectId}/persons/`, {
      query: { ...query, format: 'csv' },
    })
    const [header = '', ...rows] = body.trimEnd().split('\r\n')
    const place = header.split(',').indexOf('properties.n')
    expect(rows.map((row) => Number(row.split(',')[place]))).toEqual(expected())
  })
})

it('several at once do not mix', async () => {
  const asked = [...CASES, ...CASES]
  const counts = await Promise.all(asked.map(async ([, query]) => (await get(query)).count))
  expect(counts).toEqual(asked.map(([, , holds]) => people.map(nOf).filter(holds).length))
})

it('an empty project has none, and no values', async () => {
  const { id } = await makeProject(app)
  for (const [, query] of CASES) expect(await get(query, id)).toMatchObject({ count: 0, next: null, results: [] })
  const values = await app.call('GET', `/api/environments/${id}/persons/values/?key=city`)
  expect(values.json()).toEqual({ results: [], refreshing: false })
})

it('values are counted over all of them', async () => {
  const values = await app.call('GET', `/api/environments/${projectId}/persons/values/?key=city`)
  expect(values.json().results).toEqual(['Basel', 'Bern', 'Zürich'].map((name) => ({ name, count: PEOPLE / 3 })))
  const some = await app.call('GET', `/api/environments/${projectId}/persons/values/?key=city&value=ÜR`)
  expect(some.json().results).toEqual([{ name: 'Zürich', count: PEOPLE / 3 }])
})

describe('while they are looked for', () => {
  const signal = new AbortController().signal

  it('a person that goes is left out, and the page goes on where it would have', async () => {
    const { project, made } = await makeList(
      app,
      ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, properties: { x: 1 } })),
    )
    const [, b, , d] = made as Person[]
    const findPersons: typeof app.stores.events.findPersons = async (...asked) => {
      const found = await app.stores.events.findPersons(...asked)
      await app.stores.transaction((tx) => tx.persons.remove((d as Person).id))
      return found
    }
    const pages = createPersonPages({ ...app.stores, events: { ...app.stores.events, findPersons } })
    const wanted = { projectId: project.id, filter: { search: '-' }, order: NEWEST_FIRST, signal }
    const first = await pages.page(wanted, { limit: 2, offset: 0, count: null })
    expect(first.count).toBe(5)
    expect(first.persons.map(({ distinctIds }) => distinctIds[0])).toEqual(['e'])
    const second = await pages.page(wanted, { limit: 2, offset: 0, count: first.count, after: first.next })
    expect(second.persons.map(({ distinctIds }) => distinctIds[0])).toEqual(['c', 'b'])
    expect(second.next).toEqual({ time: (b as Person).createdAt, id: (b as Person).id })
    const rows: (string | undefined)[] = []
    for await (const part of pages.all(wanted)()) rows.push(...part.map(({ distinctIds }) => distinctIds[0]))
    expect(rows).toEqual(['e', 'c', 'b', 'a'])
  })

  it('the search ends when its caller is gone', async () => {
    const aborted = AbortSignal.abort()
    const pages = createPersonPages(app.stores)
    const wanted = { projectId, filter: { search: 'user' }, order: NEWEST_FIRST, signal: aborted }
    await expect(pages.page(wanted, { limit: 2, offset: 0, count: null })).rejects.toMatchObject({ kind: 'timeout' })
    expect((await get({ search: 'user-1@' })).count).toBe(1)
  })
})
