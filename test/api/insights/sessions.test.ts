/** Session properties and their values. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../src/lib/ids.ts'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeEvents, makeKey, makeProject, makeStranger } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const ask = (rest: string, query: Record<string, string> = {}, project: number | string = 1, key?: string | null) =>
  app.call('GET', `/api/environments/${project}/sessions/${rest}/`, { query, ...(key === undefined ? {} : { key }) })

describe('GET sessions/property_definitions/', () => {
  const names = async (query: Record<string, string> = {}): Promise<string[]> => {
    const { count, results } = (await ask('property_definitions', query)).json()
    expect(results).toHaveLength(count)
    return results.map((item: { name: string }) => item.name)
  }

  it('requires a key, of any scope, that may access the project', async () => {
    expect((await ask('property_definitions', {}, 1, null)).statusCode).toBe(401)
    expect((await ask('property_definitions', {}, 1, 'phx_wrong')).statusCode).toBe(401)
    const key = await makeKey(app, { scopes: ['survey:read'] })
    expect((await ask('property_definitions', {}, 1, key)).statusCode).toBe(200)
    expect((await ask('property_definitions', {}, 999)).statusCode).toBe(404)
    const stranger = await makeStranger(app)
    const refused = await ask('property_definitions', {}, 1, stranger.key)
    expect(refused.statusCode).toBe(403)
    expect(refused.json().detail).toBe("You don't have access to the project.")
    const other = await makeProject(app)
    const confined = await makeKey(app, { scopedTeams: [other.id] })
    expect((await ask('property_definitions', {}, 1, confined)).statusCode).toBe(403)
  })

  it('lists all 37 in their order', async () => {
    expect(await names()).toEqual([
      '$start_timestamp',
      '$end_timestamp',
      '$entry_current_url',
      '$entry_pathname',
      '$entry_hostname',
      '$end_current_url',
      '$end_pathname',
      '$end_hostname',
      '$entry_referring_domain',
      '$entry_utm_source',
      '$entry_utm_campaign',
      '$entry_utm_medium',
      '$entry_utm_term',
      '$entry_utm_content',
      '$entry_gclid',
      '$entry_gad_source',
      '$entry_gclsrc',
      '$entry_dclid',
      '$entry_gbraid',
      '$entry_wbraid',
      '$entry_fbclid',
      '$entry_msclkid',
      '$entry_twclid',
      '$entry_li_fat_id',
      '$entry_mc_cid',
      '$entry_igshid',
      '$entry_ttclid',
      '$entry__kx',
      '$entry_irclid',
      '$pageview_count',
      '$autocapture_count',
      '$screen_count',
      '$channel_type',
      '$session_duration',
      '$is_bounce',
      '$last_external_click_url',
      '$vitals_lcp',
    ])
  })

  it('says of each what it is', async () => {
    const response = await ask('property_definitions')
    expect(response.statusCode).toBe(200)
    expect(Object.keys(response.json())).toEqual(['count', 'results'])
    const { count, results } = response.json()
    expect(count).toBe(37)
    const types = Object.fromEntries(
      results.map((item: { name: string; property_type: string }) => [item.name, item.property_type]),
    )
    expect(types).toMatchObject({
      $start_timestamp: 'DateTime',
      $entry_current_url: 'String',
      $pageview_count: 'Numeric',
      $session_duration: 'Duration',
      $is_bounce: 'Boolean',
      $vitals_lcp: 'Numeric',
    })
    for (const item of results) {
      expect(item).toEqual({
        id: item.name,
        name: item.name,
        is_numerical: ['Numeric', 'Duration'].includes(item.property_type),
        property_type: expect.toBeOneOf(['String', 'Numeric', 'DateTime', 'Boolean', 'Duration']),
        is_seen_on_filtered_events: null,
        tags: [],
      })
    }
  })

  it.each<[Record<string, string>, string[]]>([
    [{ search: 'utm source' }, ['$entry_utm_source']],
    [{ search: 'SOURCE utm' }, ['$entry_utm_source']],
    [{ search: '$is.bounce!' }, ['$is_bounce']],
    [{ search: 'tomato' }, []],
    [
      { is_numerical: 'true' },
      ['$pageview_count', '$autocapture_count', '$screen_count', '$session_duration', '$vitals_lcp'],
    ],
    [{ is_numerical: '1', search: 'duration' }, ['$session_duration']],
    [{ is_numerical: 'false', search: 'duration' }, []],
  ])('finds by %j', async (query, found) => {
    expect(await names(query)).toEqual(found)
  })
  it('finds everything by a search without words', async () => {
    expect(await names({ search: ' $ ' })).toHaveLength(37)
    expect(await names({ is_numerical: 'FALSE' })).toHaveLength(32)
    expect(await names({ limit: '3', offset: '2', tomato: '1' })).toHaveLength(37)
  })
  it('refuses what is not a boolean', async () => {
    const response = await ask('property_definitions', { is_numerical: 'maybe' })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      detail: 'Must be a valid boolean.',
      attr: 'is_numerical',
    })
  })
})

describe('GET sessions/values/', () => {
  itIsGuarded(() => app, { method: 'GET', path: () => '/sessions/values/', scope: 'query:read', status: 200 })

  it.each(['person:read', 'session_recording:read', 'session_recording:write'])('is open to %s too', async (scope) => {
    const key = await makeKey(app, { scopes: [scope] })
    expect((await ask('values', { key: '$entry_utm_source' }, 1, key)).statusCode).toBe(200)
  })

  /** A project with one session per source, each a single page view. */
  const withSources = async (sources: (string | number | boolean | null)[]): Promise<number> => {
    const project = await makeProject(app)
    const events = sources.map((utm_source, index) => ({
      projectId: project.id,
      sessionId: uuidV7(app.clock.now() + index),
      properties: {
        utm_source,
        $current_url: `https://shop.example.com:8443/p/${index}?q=1`,
        $referring_domain: '$direct',
      },
    }))
    await makeEvents(app, events)
    return project.id
  }
  const values = async (project: number, query: Record<string, string>) => {
    const response = await ask('values', query, project)
    expect(response.statusCode).toBe(200)
    const { results, refreshing } = response.json()
    expect(refreshing).toBe(false)
    return results as { key?: string; name: string; count: number }[]
  }

  it('counts sessions by value, the most frequent first, text unchanged', async () => {
    const project = await withSources(['google', 'bing', 'google', '', null, '1.50', 'true', 'bing', 'google'])
    expect(await values(project, { key: '$entry_utm_source' })).toEqual([
      { name: 'google', count: 3 },
      { name: 'bing', count: 2 },
      { name: '1.50', count: 1 },
      { name: 'true', count: 1 },
    ])
  })
  it('filters by text, whatever the case, with % and _ taken literally', async () => {
    const project = await withSources(['50%', '50 off', 'a_b', 'axb', 'Google'])
    const found = async (value: string) =>
      (await values(project, { key: '$entry_utm_source', value })).map((row) => row.name)
    expect(await found('50%')).toEqual(['50%'])
    expect(await found('a_b')).toEqual(['a_b'])
    expect(await found('OOGL')).toEqual(['Google'])
    expect(await found("' or 1=1 --")).toEqual([])
  })
  it('lists hostnames too', async () => {
    const project = await withSources(['x'])
    expect(await values(project, { key: '$entry_hostname' })).toEqual([{ name: 'shop.example.com', count: 1 }])
    expect(await values(project, { key: '$end_hostname' })).toEqual([{ name: 'shop.example.com', count: 1 }])
  })
  it('offers every channel in a fixed order, with its count', async () => {
    const project = await withSources([null, null])
    const rows = await values(project, { key: '$channel_type' })
    expect(rows.map((row) => row.name)).toEqual([
      'Cross Network',
      'Paid Search',
      'Paid Social',
      'Paid Video',
      'Paid Shopping',
      'Paid Unknown',
      'Direct',
      'Organic Search',
      'Organic Social',
      'Organic Video',
      'Organic Shopping',
      'Push',
      'SMS',
      'Audio',
      'Email',
      'Referral',
      'Affiliate',
      'Unknown',
    ])
    expect(rows.filter((row) => row.count > 0)).toEqual([{ name: 'Direct', count: 2 }])
    const search = await values(project, { key: '$channel_type', value: 'SEARCH' })
    expect(search.map((row) => row.name)).toEqual(['Paid Search', 'Organic Search'])
  })
  it('offers booleans as 1 and 0', async () => {
    const project = await withSources(['x', 'y'])
    expect(await values(project, { key: '$is_bounce' })).toEqual([
      { name: '1', count: 2 },
      { name: '0', count: 0 },
    ])
  })
  it.each(['$session_duration', '$start_timestamp', '$pageview_count', 'tomato', '__proto__', 'distinct_id'])(
    'has nothing to list for %s',
    async (key) => {
      expect(await values(await withSources(['x']), { key })).toEqual([])
    },
  )
  it('gives the top values of every property without a key, each row naming its own', async () => {
    const project = await withSources(['google', 'google'])
    const rows = await values(project, {})
    expect(rows).toContainEqual({ key: '$entry_utm_source', name: 'google', count: 2 })
    expect(rows).toContainEqual({ key: '$channel_type', name: expect.any(String), count: 2 })
    expect(rows).toContainEqual({ key: '$is_bounce', name: '1', count: 2 })
    expect(rows.every((row) => row.count > 0)).toBe(true)
    expect(await values(project, { value: 'goog' })).toEqual([{ key: '$entry_utm_source', name: 'google', count: 2 }])
  })
  it('returns at most twenty values', async () => {
    const project = await withSources(Array.from({ length: 25 }, (_, index) => `source-${index}`))
    expect(await values(project, { key: '$entry_utm_source' })).toHaveLength(20)
  })
  it('knows nothing of another project', async () => {
    await withSources(['secret'])
    const other = await makeProject(app)
    expect(await values(other.id, { key: '$entry_utm_source' })).toEqual([])
    expect(await values(other.id, {})).toEqual([])
  })
  it('refuses text that no store can hold', async () => {
    const response = await ask('values', { key: '$entry_utm_source', value: 'a\0b' })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ attr: 'value', code: 'invalid_input' })
  })
})
