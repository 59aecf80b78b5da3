/** What the README says of queries is so: which kinds are computed, and which requests are limited as queries. */
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { pathsOf } from '../../../src/http/mount.ts'
import { routes } from '../../../src/routes.ts'
import { makeApp } from '../../support/app.ts'

const app = await makeApp({ env: { HEDGEROW_RATE_LIMITS: 'on' } })
afterAll(() => app.end())

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const kinds = [...readme.matchAll(/^\| ((?:`\w+(?:Query|Node)`(?:, )?)+) \| (.*) \|$/gm)].flatMap(([, names, what]) =>
  (names ?? '').split(', ').map((name): [string, string] => [name.replaceAll('`', ''), what ?? '']),
)

const EVENT = { kind: 'EventsNode', event: '$pageview' }
const QUERIES: Record<string, object> = {
  TrendsQuery: { series: [EVENT] },
  FunnelsQuery: { series: [EVENT, EVENT] },
  RetentionQuery: { retentionFilter: {} },
  LifecycleQuery: { series: [EVENT] },
  InsightVizNode: { source: { kind: 'TrendsQuery', series: [EVENT] } },
}

describe('the table of query kinds', () => {
  it('names every kind that is computed', () => {
    const computed = kinds.filter(([, what]) => !what.startsWith('not computed')).map(([kind]) => kind)
    expect(computed).toEqual(Object.keys(QUERIES))
  })
  it.each(kinds)('%s: %s', async (kind, what) => {
    const body = { query: { kind, ...QUERIES[kind] } }
    const answer = await app.call('POST', '/api/environments/1/query/', { body })
    if (what.startsWith('not computed')) {
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'not_supported'])
    } else expect(answer.statusCode).toBe(200)
  })
})

it('names the requests that count as queries', async () => {
  const [, list = ''] = /for queries, which are all requests to (.*?) \|/.exec(readme) ?? []
  const [counted = '', not = ''] = [list.replace(/\(not .*?\)/, ''), /\(not (.*?)\)/.exec(list)?.[1] ?? '']
  const names = [...counted.matchAll(/`(\w+\/)`/g)].map(([, name]) => name ?? '')
  expect([names.length, not]).toEqual([6, '`…/sharing/`'])
  // One that goes on says it as well, but would be waited for.
  for (const route of routes(app.features).filter(({ level, goesOn }) => level === 'project' && !goesOn)) {
    const [path = ''] = pathsOf(route)
    const url = path.replace(':project_id', '1').replace(/:\w+/g, '1')
    const isQuery = names.some((name) => url.startsWith(`/api/environments/1/${name}`)) && !url.includes('/sharing/')
    const body = route.method === 'GET' ? {} : { body: '{broken' }
    const { headers } = await app.call(route.method, url, body)
    // Of the hour: more of it is left of the other.
    const limit = Number(headers['ratelimit-limit'])
    expect([240, 1_200].includes(limit), `${route.method} ${url} ${limit}`).toBe(isQuery)
  }
})
