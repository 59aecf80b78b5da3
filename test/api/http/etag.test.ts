/** Every answer that has an ETag is not sent again to who has it, however the client writes that down. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN } from '../../support/app.ts'

const app = await makeApp()
afterAll(() => app.end())

let insightId: number
beforeAll(async () => {
  const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'bought' }] }
  const answer = await app.call('POST', '/api/environments/1/insights/', { body: { name: 'Bought', query } })
  insightId = answer.json().id
})

describe.each([
  ['a script of the SDK', () => '/static/array.js'],
  ['the configuration', () => `/array/${PROJECT_TOKEN}/config`],
  ['the configuration as a script', () => `/array/${PROJECT_TOKEN}/config.js`],
  ['the API document', () => '/api/schema/'],
  ['the explorer', () => '/api/docs/'],
  ['what starts the explorer', () => '/api/docs/start.js'],
  ['the program of the explorer', () => '/api/docs/scalar.js'],
  ['a picture', () => `/api/environments/1/insights/${insightId}/chart.png`],
  ['a drawing', () => `/api/environments/1/insights/${insightId}/chart.svg`],
])('%s', (_, path) => {
  const get = (headers: Record<string, string> = {}) => app.call('GET', path(), { headers })

  it('is answered by 304 to its tag, strong or weak, alone or in a list, and to any', async () => {
    const first = await get()
    expect(first.statusCode).toBe(200)
    const tag = String(first.headers.etag)
    expect(tag).toMatch(/^"[^"]+"$/)
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, `W/"x",W/${tag}`, '*']) {
      const again = await get({ 'if-none-match': known })
      expect([known, again.statusCode, again.rawPayload.length]).toEqual([known, 304, 0])
      expect(again.headers).toMatchObject({
        // In the form that the client has.
        etag: known.includes(`W/${tag}`) ? `W/${tag}` : tag,
        'cache-control': first.headers['cache-control'],
      })
    }
  })

  it('is sent to who has another', async () => {
    for (const known of ['"x"', 'W/"x"', '"x", "y"', '']) {
      const answer = await get({ 'if-none-match': known })
      expect([known, answer.statusCode]).toEqual([known, 200])
      expect(answer.rawPayload.length).toBeGreaterThan(0)
    }
  })
})
