/**
 * Unknown fields of a body are ignored: they appear neither in the answer nor in the activity log. Uses the list of
 * routes, so that a new route with a body has to be added here.
 */
import { afterAll, describe, expect, it } from 'vitest'
import type { Route } from '../../../src/http/route.ts'
import { routes } from '../../../src/routes.ts'
import { makeApp, ROOT_KEY } from '../../support/app.ts'
import { SMALLEST, subscribe } from '../../support/deliveries/subscription.ts'
import { makePerson, makeRecording } from '../../support/make.ts'
import { makeLink, OWN_PAGE } from '../../support/sign-in.ts'

const app = await makeApp()
afterAll(() => app.end())

const withBody = routes(app.features).filter(({ method, body }) => method !== 'GET' && body !== undefined)

interface Ready {
  /** Values of the path's parameters, in their order. */
  ids?: (string | number)[]
  body: Record<string, unknown>
  headers?: Record<string, string>
}

const person = async (...distinctIds: string[]) =>
  (await makePerson(app, { ...(distinctIds.length > 0 ? { distinctIds } : {}), properties: { plan: 'pro' } })).id
const recording = async () => (await makeRecording(app)).sessionId
const made = async (path: string, body: object): Promise<number> => {
  const answer = await app.call('POST', `/api/projects/1/${path}/`, { body })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().id
}
const key = async () =>
  (await app.call('POST', '/api/personal_api_keys/', { body: { label: 'x', scopes: ['person:read'] } })).json().id

async function protectedRecording(): Promise<string> {
  const id = await recording()
  await app.call('PATCH', `/api/projects/1/session_recordings/${id}/sharing/`, { body: { password_required: true } })
  return id
}

/** A request that succeeds, for each route that takes a body. */
const READY: Record<string, () => Promise<Ready>> = {
  'POST /api/login/': async () => ({ body: { personal_api_key: ROOT_KEY }, headers: OWN_PAGE }),
  'POST /api/signup/': async () => ({ body: { token: await makeLink(app) }, headers: OWN_PAGE }),
  'POST /api/reset/': async () => ({ body: { email: 'nobody@example.com' }, headers: OWN_PAGE }),
  'POST /api/personal_api_keys/': async () => ({ body: { label: 'Made', scopes: ['person:read'] } }),
  'PATCH /api/personal_api_keys/:id/': async () => ({ ids: [await key()], body: { label: 'Changed' } }),
  'PATCH /api/users/@me/': async () => ({ body: { first_name: `Ada ${Math.floor(app.clock.now())}` } }),
  'POST /api/projects/': async () => ({ body: { name: 'Made' } }),
  'POST /api/environments/': async () => ({ body: { name: 'Made' } }),
  'PATCH /': async () => ({ body: { name: 'Changed', session_recording_quota_bytes: 1e9 } }),
  'PATCH /persons/:id/': async () => ({ ids: [await person()], body: { properties: { plan: 'free' } } }),
  'PUT /persons/:id/': async () => ({ ids: [await person()], body: { properties: { plan: 'free' } } }),
  'POST /persons/:id/update_property/': async () => ({ ids: [await person()], body: { key: 'plan', value: 'free' } }),
  'POST /persons/:id/delete_property/': async () => ({ ids: [await person()], body: { $unset: 'plan' } }),
  'POST /persons/:id/split/': async () => {
    const main = `main-${app.clock.now()}`
    return { ids: [await person(main, `${main}-too`)], body: { main_distinct_id: main } }
  },
  'POST /persons/:id/merge/': async () => ({ ids: [await person()], body: { person: await person() } }),
  'POST /persons/batch_by_distinct_ids/': async () => ({ body: { distinct_ids: ['one'] } }),
  'POST /persons/batch_by_uuids/': async () => ({ body: { uuids: ['00000000-0000-4000-8000-000000000000'] } }),
  'POST /persons/bulk_delete/': async () => ({ body: { ids: [await person()] } }),
  'POST /persons/reset_person_distinct_id/': async () => ({ body: { distinct_id: 'nobody-has-it' } }),
  'PATCH /session_recordings/:id/': async () => ({ ids: [await recording()], body: { person: await person() } }),
  'PUT /session_recordings/:id/': async () => ({ ids: [await recording()], body: { viewed: true } }),
  'POST /session_recordings/bulk_delete/': async () => ({ body: { session_recording_ids: [await recording()] } }),
  'POST /session_recordings/bulk_viewed/': async () => ({ body: { session_recording_ids: [await recording()] } }),
  'POST /session_recordings/bulk_not_viewed/': async () => ({ body: { session_recording_ids: [await recording()] } }),
  'POST /session_recordings/batch_check_exists/': async () => ({ body: { session_ids: [await recording()] } }),
  'PATCH /session_recordings/:recording_id/sharing/': async () => ({
    ids: [await recording()],
    body: { enabled: true },
  }),
  'POST /session_recordings/:recording_id/sharing/passwords/': async () => ({
    ids: [await protectedRecording()],
    body: { note: 'For the board' },
  }),
  'POST /subscriptions/': async () => ({ body: SMALLEST }),
  'PATCH /subscriptions/:id/': async () => ({ ids: [(await subscribe(app)).id], body: { title: 'Changed' } }),
  'PUT /subscriptions/:id/': async () => ({
    ids: [(await subscribe(app)).id],
    body: { ...SMALLEST, title: 'Changed' },
  }),
  'POST /insights/': async () => ({ body: { name: 'Made' } }),
  'PATCH /insights/:id/': async () => ({ ids: [await made('insights', { name: 'x' })], body: { name: 'Changed' } }),
  'POST /dashboards/': async () => ({ body: { name: 'Made' } }),
  'PATCH /dashboards/:id/': async () => ({ ids: [await made('dashboards', { name: 'x' })], body: { name: 'Changed' } }),
  'POST /query/': async () => ({
    body: { query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] } },
  }),
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** Names of all fields in the schema, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, ...rest } = schema as { properties?: Record<string, unknown> }
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, field]) => [name, ...fieldsOf(field)]),
    ...Object.values(rest).flatMap((part) => (Array.isArray(part) ? part.flatMap(fieldsOf) : fieldsOf(part))),
  ]
}

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
/** Fields of our own rows that no answer has under this name. */
const INNER = ['projectId', 'organizationId', 'createdById', 'hash', 'apiToken', 'signingSecret', 'activity', 'detail']

const TEXT = 'f0f0f0f0-forged'
const NUMBER = 987_654_321

/** Every field of the answer, in both spellings, that the body does not have. */
function extraOf(route: Route, value: unknown): Record<string, unknown> {
  const own = new Set(Object.keys((route.body as { properties?: object }).properties ?? {}))
  const names = [...fieldsOf(route.response), ...INNER].flatMap((name) => [name, camel(name)])
  return Object.fromEntries(names.filter((name) => !own.has(name)).map((name) => [name, value]))
}

async function activityText(): Promise<string> {
  const { items } = await app.stores.activity.page({ projectId: 1 }, { limit: 5, offset: 0 })
  const organizationId = (await app.stores.projects.find(1))?.organizationId ?? ''
  const wide = await app.stores.activity.page({ projectId: 1, organizationId }, { limit: 5, offset: 0 })
  return JSON.stringify([items, wide.items])
}

const addressOf = ({ level, path }: Route, ids: Ready['ids'] = []): string => {
  const left = [...ids]
  const filled = path.replace(/:\w+/g, () => encodeURIComponent(String(left.shift())))
  return level === 'project' ? `/api/projects/1${filled}` : filled
}

it('covers every route that takes a body', () => {
  expect(withBody.map(nameOf).sort()).toEqual(Object.keys(READY).sort())
})

describe.each(withBody.map((route): [string, Route] => [nameOf(route), route]))('%s', (name, route) => {
  it.each([
    ['text', TEXT],
    ['a number', NUMBER],
    ['a list', [TEXT, NUMBER]],
  ])('ignores fields of its answer in its body, given as %s', async (_kind, value) => {
    app.clock.advance(1_000)
    const ready = await READY[name]?.()
    expect(ready).toBeDefined()
    const body = { ...extraOf(route, value), ...ready?.body }
    expect(Object.keys(body).length).toBeGreaterThan(Object.keys(ready?.body ?? {}).length)
    const answer = await app.call(route.method, addressOf(route, ready?.ids), { body, headers: ready?.headers ?? {} })
    expect(answer.statusCode, answer.body).toBe(route.status ?? 200)
    for (const text of [answer.body, await activityText()]) {
      expect(text).not.toContain(TEXT)
      expect(text).not.toContain(String(NUMBER))
    }
  })
})
