/** Events as they arrive, over real connections: what is sent, what is left out, who may read, and when it ends. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MAX_READERS } from '../../../src/features/events/live/live-readers.ts'
import { markRemoved } from '../../../src/rules/accounts/project-removal.ts'
import { makeApp, PROJECT_TOKEN, ROOT_KEY, type TestApp } from '../../support/app.ts'
import { makeKey, makeProject, makeStranger } from '../../support/make.ts'
import { openEventSource, type TestEventSource } from '../../support/servers/event-source.ts'
import { listen } from '../../support/servers/socket.ts'
import { givePassword, OWN_PAGE, signIn } from '../../support/sign-in.ts'

const LIVE = '/api/environments/1/events/live/'
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

let app: TestApp
let port: number
const sources: TestEventSource[] = []
beforeAll(async () => {
  app = await makeApp()
  port = await listen(app.server)
})
afterEach(async () => {
  for (const source of sources.splice(0)) source.leave()
  await expect.poll(() => app.features.events.live.count()).toBe(0)
})
afterAll(() => app.end())

async function open(
  query: Record<string, string> = {},
  headers: Record<string, string> = bearer(ROOT_KEY),
  path = LIVE,
) {
  const source = await openEventSource(port, `${path}?${new URLSearchParams(query)}`, headers)
  sources.push(source)
  return source
}
const capture = async (batch: object[], token = PROJECT_TOKEN) => {
  const sent = batch.map((event) => ({ distinct_id: 'jane', ...event }))
  const response = await app.call('POST', '/batch/', { key: null, body: { api_key: token, batch: sent } })
  expect(response.statusCode).toBe(200)
}
const named = (...names: string[]) => names.map((event) => ({ event }))
const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ event: 'many', properties: { n } }))
const messages = (source: TestEventSource) =>
  source
    .events()
    .filter(({ name }) => name === 'message')
    .map(({ data }) => JSON.parse(data))
const namesIn = (source: TestEventSource) => messages(source).map(({ event }) => event)
const leftOut = (source: TestEventSource) =>
  source
    .events()
    .filter(({ name }) => name === 'left_out')
    .map(({ data }) => JSON.parse(data))

describe('GET events/live/', () => {
  it('begins at once, as a stream that nobody keeps or holds back', async () => {
    const source = await open({}, { ...bearer(ROOT_KEY), 'accept-encoding': 'gzip, br' })
    expect(source.status).toBe(200)
    expect(source.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    expect(source.headers['content-encoding']).toBeUndefined()
    await expect.poll(() => source.text()).toBe(': connected\n\n')
  })

  it('shows what is captured from then on, in order, as the list does', async () => {
    await capture(named('before'))
    const source = await open()
    const properties = { text: 'Ü\u2028"\\\n\r', nothing: null, $set: { email: 'jane@example.com' } }
    await capture([{ event: 'first', properties }, ...named('second')])
    await capture(named('third'))
    await expect.poll(() => namesIn(source)).toEqual(['first', 'second', 'third'])
    const { results } = (await app.call('GET', '/api/environments/1/events/?limit=3')).json()
    const byUuid = (a: { uuid: string }, b: { uuid: string }) => (a.uuid < b.uuid ? -1 : 1)
    expect(messages(source).sort(byUuid)).toEqual(results.sort(byUuid))
    expect(messages(source)[0]).toMatchObject({ properties, person: { name: 'jane@example.com' } })
  })

  it('shows no event of another project, and is read under the other path too', async () => {
    const other = await makeProject(app)
    const [own, others] = [await open(), await open({}, bearer(ROOT_KEY), `/api/projects/${other.id}/events/live`)]
    await capture(named('theirs'), other.apiToken)
    await capture(named('ours'))
    await expect.poll(() => [namesIn(own), namesIn(others)]).toEqual([['ours'], ['theirs']])
  })

  it('filters by name, by distinct id and by properties', async () => {
    const properties = JSON.stringify([{ key: 'plan', value: ['pro', 'max'] }])
    const filtered = [
      await open({ event: 'bought', properties: '' }),
      await open({ distinct_id: 'bob', event: '' }),
      await open({ properties }),
      await open({ properties, event: 'bought', distinct_id: 'bob' }),
    ]
    await capture([
      { event: 'bought', distinct_id: 'ann', properties: { plan: 'pro', n: 1 } },
      { event: 'bought', distinct_id: 'bob', properties: { plan: 'free', n: 2 } },
      { event: 'viewed', distinct_id: 'bob', properties: { plan: 'max', n: 3 } },
      { event: 'bought', distinct_id: 'bob', properties: { plan: 'pro', n: 4 } },
    ])
    const shown = () => filtered.map((source) => messages(source).map((event) => event.properties.n))
    await expect.poll(shown).toEqual([[1, 2, 4], [2, 3, 4], [1, 3, 4], [4]])
  })

  it.each([
    ['no JSON', '{', 'Properties are unparsable!'],
    ['of persons', '[{"key":"a","value":"b","type":"person"}]', /'person' are not supported here; only 'event' is/],
    ['patterns', '[{"key":"a","value":"b","operator":"regex"}]', /^Patterns cannot be matched/],
  ])('refuses filters that it cannot apply: %s', async (_title, properties, detail) => {
    const answer = await app.call('GET', LIVE, { query: { properties } })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { type: 'validation_error', code: 'invalid_input', detail: expect.stringMatching(detail), attr: 'properties' },
    ])
  })

  it('shows 20 events a second, and says how many more there were', async () => {
    const [all, half] = [await open(), await open({ properties: '[{"key":"n","value":9,"operator":"gt"}]' })]
    await capture(numbered(300))
    await expect.poll(() => [messages(all).length, messages(half).length]).toEqual([20, 20])
    expect(messages(all).map(({ properties }) => properties.n)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    app.clock.advance(1_000)
    await expect
      .poll(() => [leftOut(all), leftOut(half)])
      .toEqual([[{ count: 280, more: false }], [{ count: 270, more: false }]])
    await capture(named('after'))
    await expect.poll(() => [namesIn(all).at(-1), messages(half).length]).toEqual(['after', 20])
  })

  it('shows a sign of life every 15 seconds', async () => {
    const source = await open()
    app.clock.advance(14_999)
    await capture(named('meanwhile'))
    await expect.poll(() => namesIn(source)).toEqual(['meanwhile'])
    expect(source.comments()).toEqual([': connected'])
    app.clock.advance(1)
    await expect.poll(() => source.comments()).toEqual([': connected', ': '])
    app.clock.advance(15_000)
    await expect.poll(() => source.comments()).toHaveLength(3)
  })

  it('has places for 50 readers, and takes the next one when one leaves', async () => {
    for (let reader = 0; reader < MAX_READERS; reader++) expect((await open()).status).toBe(200)
    const refused = await app.call('GET', LIVE)
    expect([refused.statusCode, refused.headers['retry-after'], refused.json().code]).toEqual([
      503,
      '10',
      'unavailable',
    ])
    const [first] = sources
    first?.leave()
    await expect.poll(async () => (await open()).status).toBe(200)
    expect(app.features.events.live.count()).toBe(MAX_READERS)
    await capture(named('for all'))
    const reading = sources.filter((source) => source !== first && source.status === 200)
    await expect.poll(() => reading.every((source) => namesIn(source).includes('for all'))).toBe(true)
  })

  it('takes no place for a request that asks for the headers only', async () => {
    const answer = await app.call('HEAD', LIVE)
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, 'text/event-stream', ''])
    await expect.poll(() => app.features.events.live.count()).toBe(0)
  })
})

describe('who reads events as they arrive', () => {
  it.each(['query:read', 'person:read'])('may have a key with %s only', async (scope) => {
    const key = await makeKey(app, { scopes: [scope] })
    expect((await open({}, bearer(key))).status).toBe(200)
  })

  it('needs a key or a sign-in, the scope and the project', async () => {
    const status = async (headers: Record<string, string>, path = LIVE) => (await open({}, headers, path)).status
    expect(await status({})).toBe(401)
    expect(await status(bearer('phx_nobody_has_this_key'))).toBe(401)
    expect(await status(bearer(await makeKey(app, { scopes: ['insight:read'] })))).toBe(403)
    expect(await status(bearer((await makeStranger(app)).key))).toBe(403)
    expect(await status(bearer(ROOT_KEY), '/api/environments/999/events/live/')).toBe(404)
  })

  /** Once it has shown an event, `end` does something after which it must end, and show nothing more. */
  async function endsAfter(source: TestEventSource, end: () => Promise<unknown>, token = PROJECT_TOKEN) {
    await capture(named('seen'), token)
    await expect.poll(() => namesIn(source)).toEqual(['seen'])
    await end()
    app.clock.advance(1_000)
    await expect.poll(() => source.ending()).toBe('ended')
    expect(namesIn(source)).toEqual(['seen'])
  }

  it('is cut off when the key is revoked', async () => {
    const key = await makeKey(app)
    const keyId = (await app.call('GET', '/api/personal_api_keys/@current/', { key })).json().id
    await endsAfter(await open({}, bearer(key)), () => app.call('DELETE', `/api/personal_api_keys/${keyId}/`))
  })

  it('is cut off when the key is rolled', async () => {
    const key = await makeKey(app)
    await endsAfter(await open({}, bearer(key)), async () => {
      const { id } = (await app.call('GET', '/api/personal_api_keys/@current/', { key })).json()
      expect((await app.call('POST', `/api/personal_api_keys/${id}/roll/`, { key })).statusCode).toBe(200)
    })
  })

  it('is cut off when the key expires', async () => {
    const key = await makeKey(app, { expiresAt: app.clock.now() + 500 })
    await endsAfter(await open({}, bearer(key)), async () => {})
  })

  it('may be signed in, and is cut off when that ends', async () => {
    await givePassword(app)
    const headers = { cookie: await signIn(app), ...OWN_PAGE }
    await endsAfter(await open({}, headers), () => app.call('POST', '/logout', { key: null, headers }))
  })

  it('is cut off when the user leaves the organization', async () => {
    const { key, project, userId } = await makeStranger(app)
    const source = await open({}, bearer(key), `/api/environments/${project.id}/events/live/`)
    const leave = () => app.stores.transaction((tx) => tx.users.removeMember(project.organizationId, userId))
    await endsAfter(source, leave, project.apiToken)
  })

  it('is cut off when the project is removed, also by its name @current', async () => {
    const { key, project } = await makeStranger(app)
    const source = await open({}, bearer(key), '/api/environments/@current/events/live/')
    await endsAfter(
      source,
      () => app.stores.transaction((tx) => markRemoved(tx, project.id, app.clock.now())),
      project.apiToken,
    )
  })
})

it('all of them end when the server stops, and nobody is let in any more', async () => {
  const stopping = await makeApp()
  const there = await listen(stopping.server)
  const readers = await Promise.all(Array.from({ length: 3 }, () => openEventSource(there, LIVE, bearer(ROOT_KEY))))
  await stopping.end()
  // A client that has to be disconnected is cut off.
  await expect.poll(() => readers.map((source) => source.ending())).toEqual(['ended', 'ended', 'ended'])
  const refused = stopping.features.events.live.open({ id: 1 } as never, {}, {} as never)
  await expect(refused).rejects.toThrow('The server is about to stop.')
})
