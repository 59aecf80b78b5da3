/** Lists of large or many rows: pages that are cut short, and scans that take too long. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { READ_LIMIT_MS } from '../../../src/lib/time/deadline.ts'
import { activityEntry } from '../../../src/rules/activity/activity-entry.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makePerson, makeRecording } from '../../support/make.ts'

/** One column of a CSV whose cells hold no comma, quote or line break. */
function csvCells(csv: string, column: string): (string | undefined)[] {
  const [header = [], ...rows] = csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  return rows.map((row) => row[header.indexOf(column)])
}

const MAX = 16_000_000
const TEXT = 'x'.repeat(900_000)
const LARGE = 40
const SESSION = '0195a0b0-7e1c-7a4e-9d26-3f0e5f6c1a2d'

interface Page {
  count: number
  next: string | null
  previous: string | null
  results: Record<string, unknown>[]
}

describe('a page of large rows', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await makeApp()
    for (let n = 0; n < LARGE; n++) {
      const distinctIds = [`large-${n}`]
      await makePerson(app, { distinctIds, properties: { n, text: TEXT }, createdAt: app.clock.now() + n })
      await makeRecording(app, { distinctId: `large-${n}`, startAt: app.clock.now() - n })
    }
  })
  afterAll(() => app.end())

  const get = async (path: string): Promise<Page> => {
    const response = await app.call('GET', path)
    expect(response.statusCode).toBe(200)
    expect(response.body.length).toBeLessThan(MAX + 100_000)
    return response.json()
  }
  const pathOf = (link: string) => new URL(link).pathname + new URL(link).search
  /** Every result, by `next`; and the offsets of the links. */
  const follow = async (path: string) => {
    const all: Record<string, unknown>[] = []
    const links: { next: string | null; previous: string | null; given: number }[] = []
    for (let next: string | null = path; next; ) {
      const page: Page = await get(next)
      all.push(...page.results)
      links.push({ next: page.next, previous: page.previous, given: page.results.length })
      next = page.next && pathOf(page.next)
    }
    return { all, links }
  }
  const offsetOf = (link: string | null) => link && Number(new URL(link).searchParams.get('offset') ?? 0)

  it('has fewer rows than `limit`, and `next` goes on after them', async () => {
    const { all, links } = await follow('/api/environments/1/persons/?limit=30')
    expect(all.map((row) => (row.properties as { n: number }).n)).toEqual([...Array(LARGE).keys()].reverse())
    expect(links.map(({ given }) => given)).toEqual([17, 17, 6])
    expect(links.map(({ next }) => offsetOf(next))).toEqual([17, 34, null])
    // Reduced by `limit`, as always.
    expect(links.map(({ previous }) => offsetOf(previous))).toEqual([null, 0, 4])
  })

  it('is found by a filter in the same way', async () => {
    const properties = encodeURIComponent(JSON.stringify([{ key: 'n', operator: 'lt', value: 25 }]))
    const { all, links } = await follow(`/api/environments/1/persons/?limit=1000&properties=${properties}`)
    expect(all.map((row) => (row.properties as { n: number }).n)).toEqual([...Array(25).keys()].reverse())
    expect(links.map(({ given }) => given)).toEqual([17, 8])
  })

  it('counts what recordings show of their persons', async () => {
    const { all, links } = await follow('/api/environments/1/session_recordings/?limit=40')
    expect(all.map((row) => row.distinct_id)).toEqual([...Array(LARGE).keys()].map((n) => `large-${n}`))
    expect(links.map(({ given }) => given)).toEqual([17, 17, 6])
  })

  it('of CSV is not cut: neither the whole nor a page', async () => {
    const whole = await app.call('GET', '/api/environments/1/persons/?format=csv')
    expect(csvCells(whole.body, 'properties.n')).toHaveLength(LARGE)
    const page = await app.call('GET', '/api/environments/1/persons/?format=csv&limit=30&offset=5')
    expect(csvCells(page.body, 'properties.n')).toEqual([...Array(LARGE).keys()].reverse().slice(5, 35).map(String))
  })

  it('is refused where there are no pages', async () => {
    const ids = [...Array(LARGE).keys()].map((n) => `large-${n}`)
    const ask = (distinct_ids: string[]) =>
      app.call('POST', '/api/environments/1/persons/batch_by_distinct_ids/', { body: { distinct_ids } })
    const refused = await ask(ids)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      {
        type: 'validation_error',
        code: 'invalid_input',
        detail: 'These persons are more than 16 MB together. Ask for fewer at once.',
        attr: 'distinct_ids',
      },
    ])
    expect(Object.keys((await ask(ids.slice(0, 17))).json().results)).toHaveLength(17)
  })

  it('of the activity log goes on by offset, also where pages have numbers', async () => {
    const entries = 12
    const ids: string[] = []
    for (let n = 0; n < entries; n++) {
      const change = { type: 'Person', action: 'changed', field: 'properties', before: TEXT, after: TEXT } as const
      const about = { projectId: 1, caller: null, scope: 'Person', itemId: '1', activity: 'updated', name: null }
      const entry = activityEntry({ ...about, changes: [change] }, app.clock.now() + n)
      ids.unshift(entry.id)
      await app.stores.transaction((tx) => tx.activity.add(entry))
    }
    for (const path of ['persons/activity/?limit=20', 'activity_log/?limit=20&scope=Person']) {
      const { all, links } = await follow(`/api/environments/1/${path}`)
      expect(all.map(({ id }) => id)).toEqual(ids)
      expect(links.map(({ given }) => given)).toEqual([8, 4])
    }
    const csv = await app.call('GET', '/api/environments/1/persons/activity/?format=csv&limit=20')
    expect(csvCells(csv.body, 'id')).toEqual(ids)
  })
})

describe('a list that takes too long', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await makeApp({ scanLimitMs: 0 })
    await makePerson(app, { properties: { name: 'Ann' } })
  })
  afterAll(() => app.end())

  const refusal = {
    type: 'server_error',
    code: 'timeout',
    detail: 'This took longer than 0 seconds. Narrow the request.',
    attr: null,
  }

  it.each([
    'persons/?search=bob',
    'persons/values/?key=name&value=x',
    'persons/1/properties_timeline/',
    'events/',
    'events/?event=opened&limit=1',
    'events/values/?key=name',
    `events/${SESSION}/`,
    'event_definitions/',
    'property_definitions/',
    'property_definitions/?type=person',
    'sessions/values/?key=$entry_current_url',
    `session_recordings/?events=${encodeURIComponent('[{"id":"opened"}]')}`,
    `session_recordings/matching_events/?session_ids=["${SESSION}"]&events=[{"id":"opened"}]`,
  ])('is a 504: %s', async (path) => {
    const response = await app.call('GET', `/api/environments/1/${path}`)
    expect([response.statusCode, response.json()]).toEqual([504, refusal])
  })

  it('is none as whole CSV of events', async () => {
    const response = await app.call('GET', '/api/environments/1/events/?format=csv')
    expect(response.statusCode).toBe(200)
    expect(csvCells(response.body, 'event')).toEqual([])
  })

  it('is none as whole CSV', async () => {
    const response = await app.call('GET', '/api/environments/1/persons/?search=ann&format=csv')
    expect(response.statusCode).toBe(200)
    expect(csvCells(response.body, 'properties.name')).toEqual(['Ann'])
  })

  it('is in the API document', async () => {
    const { paths, components } = (await app.call('GET', '/api/schema/', { key: null })).json()
    const list = paths['/api/environments/{project_id}/persons/'].get
    expect(list.responses['504']).toEqual({ $ref: '#/components/responses/GatewayTimeout' })
    expect([READ_LIMIT_MS, components.responses.GatewayTimeout.description]).toEqual([
      10_000,
      'A list or a count took longer than 10 seconds and was given up.',
    ])
    expect(list.parameters.find(({ name }: { name: string }) => name === 'limit').description).toContain('16 MB')
  })
})
