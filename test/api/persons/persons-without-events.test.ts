/** What is answered about persons while the event store is stopped: everything that an index or a key finds. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makePerson } from '../../support/make.ts'

let app: TestApp
let id: number
let uuid: string
beforeAll(async () => {
  app = await makeApp()
  await makePerson(app, { distinctIds: ['bob'], createdAt: 1 })
  ;({ id, uuid } = await makePerson(app, { distinctIds: ['ann'], properties: { email: 'ann@x.org' } }))
  await app.stores.events.close()
  // Stored, and never applied.
  const changed = await app.call('PATCH', `/api/environments/1/persons/${id}/`, { body: { properties: { new: 1 } } })
  expect(changed.statusCode).toBe(200)
})
afterAll(() => app.end())

const get = (path: string) => app.call('GET', `/api/environments/1/persons/${path}`)

it.each([
  ['', 2, ['ann', 'bob']],
  ['?limit=1', 2, ['ann']],
  ['?offset=1', 2, ['bob']],
  ['?email=ann@x.org', 1, ['ann']],
  ['?email=nobody', 0, []],
  ['?distinct_id=bob', 1, ['bob']],
  ['?search=&email=', 2, ['ann', 'bob']],
])('the list %s is answered', async (query, count, ids) => {
  const response = await get(query)
  expect(response.statusCode).toBe(200)
  const page = response.json()
  expect(page.count).toBe(count)
  expect(page.results.map((row: { distinct_ids: string[] }) => row.distinct_ids[0])).toEqual(ids)
})

it('is answered by next, as CSV, and with what was written since', async () => {
  const { next } = (await get('?limit=1')).json()
  expect((await app.call('GET', next)).json()).toMatchObject({ count: 2, results: [{ name: 'bob' }] })
  expect((await get('?format=csv')).body.trimEnd().split('\r\n')).toHaveLength(3)
  expect((await get('')).json().results[0].properties).toEqual({ email: 'ann@x.org', new: 1 })
})

it('one person is answered, by any of its ids', async () => {
  for (const path of [`${id}/`, `${uuid}/`]) expect((await get(path)).json().distinct_ids).toEqual(['ann'])
  const body = { distinct_ids: ['ann', 'bob'] }
  const several = await app.call('POST', '/api/environments/1/persons/batch_by_distinct_ids/', { body })
  expect(Object.keys(several.json().results)).toEqual(['ann', 'bob'])
})

it('whatever looks through persons is refused until it can be answered', async () => {
  const paths = [
    '?search=ann',
    '?email=ann@x.org&distinct_id=ann',
    '?updated_after=2026-01-01',
    '?properties=[{"key":"email","operator":"is_set","type":"person"}]',
    '?search=ann&format=csv&limit=5',
    'values/?key=email',
  ]
  const responses = await Promise.all(paths.map(get))
  for (const [place, response] of responses.entries()) {
    expect([paths[place], response.statusCode, response.headers['retry-after']]).toEqual([paths[place], 503, '5'])
    expect(response.json()).toMatchObject({ type: 'server_error', attr: null })
  }
})
