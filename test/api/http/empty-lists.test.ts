/** Lists of things that Hedgerow does not have: empty, as PostHog answers where none was made. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeKey, makeStranger } from '../../support/make.ts'

const LISTS = [
  ['feature_flags', 'feature_flag:read'],
  ['experiments', 'experiment:read'],
  ['surveys', 'survey:read'],
  ['cohorts', 'cohort:read'],
  ['actions', 'action:read'],
] as const
const EMPTY = { count: 0, next: null, previous: null, results: [] }

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

describe.each(LISTS)('/%s/', (name, scope) => {
  it('is empty, under both prefixes and both slash forms', async () => {
    const key = await makeKey(app, { scopes: [scope] })
    for (const project of ['environments/1', 'projects/1', 'projects/@current', 'environments/@current']) {
      for (const slash of ['/', '']) {
        const response = await app.call('GET', `/api/${project}/${name}${slash}`, { key })
        expect([response.statusCode, response.json()]).toEqual([200, EMPTY])
      }
    }
  })
  it('has pages as every list has', async () => {
    const path = `/api/environments/1/${name}/`
    expect((await app.call('GET', `${path}?limit=5&search=x&active=true`)).json()).toEqual(EMPTY)
    const later = (await app.call('GET', `${path}?limit=5&offset=5`)).json()
    expect(later).toEqual({ ...EMPTY, previous: expect.stringMatching(new RegExp(`/${name}/\\?limit=5$`)) })
    for (const bad of ['limit=0', 'limit=x', 'offset=-1', 'offset=x']) {
      const refused = await app.call('GET', `${path}?${bad}`)
      expect([refused.statusCode, refused.json().attr]).toEqual([400, bad.split('=')[0]])
    }
  })
  it('keeps the rules of every list: key, scope, project, method', async () => {
    const path = `/api/environments/1/${name}/`
    const status = async (method: string, key: string | null | undefined) =>
      (await app.call(method, path, key === undefined ? {} : { key })).statusCode
    expect(await status('GET', null)).toBe(401)
    expect(await status('GET', await makeKey(app, { scopes: ['person:read'] }))).toBe(403)
    expect(await status('GET', (await makeStranger(app)).key)).toBe(403)
    expect(await status('POST', undefined)).toBe(405)
    expect((await app.call('GET', `/api/environments/999/${name}/`)).statusCode).toBe(404)
    expect((await app.call('GET', `${path}1/`)).statusCode).toBe(404)
  })
  it('stands in the API document', async () => {
    const { paths } = (await app.call('GET', '/api/schema/')).json()
    const { get } = paths[`/api/environments/{project_id}/${name}/`]
    expect(get.operationId).toBe(`${name}_list`)
    expect(get['x-required-scopes']).toContain(scope)
  })
})
