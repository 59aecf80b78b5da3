/** The pages of the list of persons: by offset, and by following `next`, which carries a cursor. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeProject } from '../../support/make.ts'
import { makePersons } from '../../support/persons/many-persons.ts'
import { makeList } from '../../support/persons/person-list.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

interface Page {
  count: number
  next: string | null
  previous: string | null
  results: { id: number; distinct_ids: string[] }[]
}

const read = async (url: string): Promise<Page> => {
  const response = await app.call('GET', url)
  expect(response.statusCode).toBe(200)
  return response.json()
}

const firstIds = ({ results }: Page) => results.map(({ distinct_ids }) => distinct_ids[0])

const PEOPLE = 5_000
const START = Date.UTC(2026, 1, 1)
/** Of persons that are added: newer than all others, older, and in between. */
const ADDED_AT = [START + PEOPLE * 1_000, START - 1_000, START + Math.floor(PEOPLE / 14) * 1_000 + 500]

describe('following next', () => {
  it.each([
    ['the plain list', ''],
    ['a filtered list', '?properties=[{"key":"kind","value":"listed","type":"person"}]'],
  ])('through 5,000 persons of %s, none comes twice and none is missed that stays', async (_name, query) => {
    const { id: projectId } = await makeProject(app)
    // Many share an instant: ties span pages.
    const createdAt = (n: number) => START + Math.floor(n / 7) * 1_000
    const properties = () => ({ kind: 'listed' })
    const before = await makePersons(app, { projectId, count: PEOPLE, createdAt, properties })
    const base = `/api/environments/${projectId}/persons/`
    const removed = new Set<number>()
    const seen: number[] = []
    let pages = 0
    for (let url: string | null = `${base}${query}`; url; pages += 1) {
      const page: Page = await read(url)
      expect(page.count).toBe(PEOPLE)
      seen.push(...page.results.map(({ id }) => id))
      const addedAt = (n: number) => ADDED_AT[n % 3] as number
      await makePersons(app, { projectId, count: 9, createdAt: addedAt, properties, name: `added-${pages}` })
      // One of those shown already, one of those still to come.
      const victims = [seen[(pages * 37) % seen.length], before[(pages * 61) % PEOPLE]?.id]
      for (const id of victims) {
        if (id === undefined || removed.has(id)) continue
        removed.add(id)
        expect((await app.call('DELETE', `${base}${id}/`)).statusCode).toBe(204)
      }
      url = page.next
    }
    expect(pages).toBeGreaterThanOrEqual(PEOPLE / 100)
    expect(new Set(seen).size).toBe(seen.length)
    const missed = before.filter(({ id }) => !removed.has(id) && !seen.includes(id))
    expect(missed).toEqual([])
    expect((await read(base)).count).not.toBe(PEOPLE)
  })

  it('gives the count of the first page, and a new one with previous', async () => {
    const { url, project } = await makeList(
      app,
      ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id })),
    )
    const first = await read(`${url}?limit=2`)
    await makePersons(app, { projectId: project.id, count: 3, createdAt: () => app.clock.now() })
    const second = await read(first.next as string)
    expect([second.count, firstIds(second)]).toEqual([5, ['c', 'b']])
    const third = await read(second.next as string)
    expect([third.count, firstIds(third), third.next]).toEqual([5, ['a'], null])
    expect(new URL(third.previous as string).searchParams.get('cursor')).toBeNull()
    expect(await read(third.previous as string)).toMatchObject({ count: 8, results: [{}, {}] })
  })

  it('keeps limit, filters and the offset that a client may count by itself', async () => {
    const { url } = await makeList(
      app,
      ['a', 'b', 'c'].map((id) => ({ id, properties: { email: 'x@y' } })),
    )
    const { next } = await read(`${url}?email=x%40y&limit=1&offset=1`)
    const parameters = new URL(next as string).searchParams
    expect(Object.fromEntries(parameters)).toEqual({
      email: 'x@y',
      limit: '1',
      offset: '2',
      cursor: expect.stringMatching(/^3_\d+_\d+$/),
    })
    expect(firstIds(await read(`${url}?email=x%40y&limit=1&offset=2`))).toEqual(['a'])
    expect(firstIds(await read(`${url}?limit=1&offset=0`))).toEqual(['c'])
  })

  it('works as CSV too', async () => {
    const { url } = await makeList(
      app,
      ['a', 'b', 'c', 'd'].map((id) => ({ id })),
    )
    const { next } = await read(`${url}?limit=1`)
    const cursor = new URL(next as string).searchParams.get('cursor')
    const names = async (query: string) =>
      (await app.call('GET', `${url}?format=csv&${query}`)).body
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((row) => row.split(',')[1])
    expect(await names(`cursor=${cursor}&limit=2`)).toEqual(['c', 'b'])
    expect(await names(`cursor=${cursor}`)).toEqual(['c', 'b', 'a'])
  })
})

describe('another order', () => {
  it('is by when a person was created or seen, both ways, page by page, as CSV and with a filter', async () => {
    const { id: projectId } = await makeProject(app)
    const token = (await app.call('GET', `/api/projects/${projectId}/`)).json().api_token
    const hour = 3_600_000
    // Seen once more in another order than made.
    const send = (distinct_id: string, hoursAgo: number) => {
      const timestamp = new Date(app.clock.now() - hoursAgo * hour).toISOString()
      const body = { api_key: token, event: 'seen', distinct_id, timestamp, properties: { $set: { team: 'red' } } }
      return app.call('POST', '/i/v0/e/', { key: null, body })
    }
    for (const id of ['a', 'b', 'c', 'd']) {
      await send(id, 30)
      app.clock.advance(1_000)
    }
    for (const [id, hoursAgo] of [
      ['c', 1],
      ['a', 2],
      ['d', 3],
      ['b', 4],
    ] as const)
      await send(id, hoursAgo)
    const base = `/api/environments/${projectId}/persons/`
    const walk = async (query: string) => {
      const ids: (string | undefined)[] = []
      for (let url: string | null = `${base}?limit=1&${query}`; url; ) {
        const page: Page = await read(url)
        expect(page.count).toBe(4)
        ids.push(...firstIds(page))
        url = page.next
      }
      return ids.join('')
    }
    for (const more of ['', '&properties=[{"key":"team","value":"red","type":"person"}]']) {
      expect(await walk(`ordering=-created_at${more}`)).toBe('dcba')
      expect(await walk(`ordering=created_at${more}`)).toBe('abcd')
      expect(await walk(`ordering=-last_seen_at${more}`)).toBe('cadb')
      expect(await walk(`ordering=last_seen_at${more}`)).toBe('bdac')
    }
    const csv = (await app.call('GET', `${base}?ordering=last_seen_at&format=csv`)).body
    expect(
      csv
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((row) => row.split(',')[1]),
    ).toEqual(['b', 'd', 'a', 'c'])
  })

  it('is one that the list has', async () => {
    const response = await app.call('GET', '/api/environments/1/persons/?ordering=name')
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_choice', attr: 'ordering' })
  })
})

describe('a cursor', () => {
  it.each([
    '',
    'x',
    '1',
    '1_2',
    '1_2_3_4',
    '1_2_x',
    '1_2_',
    '_1_2',
    '-1_2_3',
    '1.5_2_3',
    '9007199254740993_2_3',
    '1e3_2_3',
    '01_2_3',
    ' 1_2_3',
    '1_NaN_3',
    '1_Infinity_3',
    '1_2_3%00',
    "1_2_3'--",
    '1_0x10_3',
    '0_1e+300_5',
    '0_8640000000000001_5',
    '0_1_1.5',
    '0_1_9007199254740992',
  ])('that the server did not write is refused: %s', async (cursor) => {
    for (const format of ['json', 'csv']) {
      const response = await app.call('GET', `/api/environments/1/persons/?format=${format}&cursor=${cursor}`)
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ type: 'validation_error' })
      // A NUL is refused before anyone reads the parameter.
      if (!cursor.includes('%00')) expect(response.json()).toMatchObject({ code: 'invalid_input', attr: 'cursor' })
    }
  })

  it.each(['0_1787022459955.123_5', '0_-8640000000000000_1', '0_0_-9007199254740991', '3_5e-324_0'])(
    'of a place that no person has is one like any other: %s',
    async (cursor) => {
      const { url } = await makeList(app, [{ id: 'a' }])
      const response = await app.call('GET', url, { query: { cursor } })
      expect(response.statusCode).toBe(200)
      expect(response.json().count).toBe(Number(cursor[0]))
    },
  )

  it('of another project shows nothing of it', async () => {
    const [mine, theirs] = [await makeList(app, [{ id: 'mine' }]), await makeList(app, [{ id: 'a' }, { id: 'b' }])]
    const { next } = await read(`${theirs.url}?limit=1`)
    const cursor = new URL(next as string).searchParams.get('cursor') as string
    const page: Page = (await mine.get({ cursor })).json()
    expect(firstIds(page).filter((id) => id !== 'mine')).toEqual([])
  })
})
