/** Names, labels, titles and tags: invisible characters are refused everywhere; those that scripts need are kept. */
import { afterAll, describe, expect, it } from 'vitest'
import { routes } from '../../../src/routes.ts'
import { makeApp } from '../../support/app.ts'
import { SMALLEST } from '../../support/deliveries/subscription.ts'
import { makeRecording } from '../../support/make.ts'

const app = await makeApp()
afterAll(() => app.end())

const P = '/api/projects/1'
const { sessionId } = await makeRecording(app)
await app.call('PATCH', `${P}/session_recordings/${sessionId}/sharing/`, { body: { password_required: true } })
const subscription = (await app.call('POST', `${P}/subscriptions/`, { body: SMALLEST })).json().id
const { id: keyId } = (
  await app.call('POST', '/api/personal_api_keys/', { body: { label: 'x', scopes: ['*'] } })
).json()

interface Field {
  method: string
  path: string
  field: string
  /** The rest of the body. */
  rest?: object
}

const keyScopes = { scopes: ['person:read'] }

const FIELDS: Field[] = [
  { method: 'POST', path: '/api/personal_api_keys/', field: 'label', rest: keyScopes },
  { method: 'PATCH', path: `/api/personal_api_keys/${keyId}/`, field: 'label' },
  { method: 'PATCH', path: '/api/users/@me/', field: 'first_name' },
  { method: 'PATCH', path: '/api/users/@me/', field: 'last_name' },
  { method: 'POST', path: '/api/projects/', field: 'name' },
  { method: 'PATCH', path: `${P}/`, field: 'name' },
  { method: 'POST', path: `${P}/insights/`, field: 'name' },
  { method: 'POST', path: `${P}/insights/`, field: 'derived_name' },
  { method: 'PATCH', path: `${P}/insights/1/`, field: 'name' },
  { method: 'POST', path: `${P}/dashboards/`, field: 'name' },
  { method: 'PATCH', path: `${P}/dashboards/1/`, field: 'name' },
  { method: 'POST', path: `${P}/subscriptions/`, field: 'title', rest: SMALLEST },
  { method: 'PATCH', path: `${P}/subscriptions/${subscription}/`, field: 'title' },
  { method: 'PUT', path: `${P}/subscriptions/${subscription}/`, field: 'title', rest: SMALLEST },
  { method: 'POST', path: `${P}/session_recordings/${sessionId}/sharing/passwords/`, field: 'note' },
]

const send = ({ method, path, field, rest }: Field, value: unknown) =>
  app.call(method, path, { body: { ...rest, [field]: value } })

const DETAIL = 'This field may not hold control characters, nor characters that change the direction of text.'
const UNSEEN = ['a\u001b[31mb', 'a\nb', 'a\tb', 'a\u0085b', 'a\u007fb', '\u202egnp.exe', 'a\u202a', 'a\u2066b\u2069']
const SEEN = ['می‌خواهم', 'שלום\u200f!', '\u200eabc', '👩‍👩‍👧', 'Ärger & <b>']

describe.each(FIELDS.map((field): [string, Field] => [`${field.method} ${field.path} ${field.field}`, field]))(
  '%s',
  (_title, field) => {
    it.each(UNSEEN)('refuses %j', async (text) => {
      const answer = await send(field, text)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({
        type: 'validation_error',
        code: 'invalid_input',
        detail: DETAIL,
        attr: field.field,
      })
    })

    it.each(SEEN)('takes %j', async (text) => {
      const answer = await send(field, text)
      expect(answer.statusCode, answer.body).toBeLessThan(300)
      expect(answer.json()[field.field]).toBe(text)
    })

    it('trims it before it is checked', async () => {
      expect((await send(field, ' Name\r\n')).json()[field.field]).toBe('Name')
    })
  },
)

describe.each([
  ['POST', `${P}/insights/`],
  ['PATCH', `${P}/insights/2/`],
  ['POST', `${P}/dashboards/`],
  ['PATCH', `${P}/dashboards/1/`],
])('tags of %s %s', (method, path) => {
  it('are refused by their place', async () => {
    for (const tag of ['a\u001bb', '\u202eb', 'a\u0000']) {
      const answer = await app.call(method, path, { body: { tags: ['fine', tag] } })
      expect(answer.statusCode).toBe(400)
      if (tag !== 'a\u0000') expect(answer.json()).toMatchObject({ attr: 'tags__1', detail: DETAIL })
    }
  })
  it('are put on one line', async () => {
    const { tags } = (await app.call(method, path, { body: { tags: [' Growth\n', 'a\nb', 'خواه‌م'] } })).json()
    expect(tags).toEqual(['growth', 'a b', 'خواه‌م'])
  })
})

it('every text that names something is checked', () => {
  const NAMES = /(^|_)(name|title|label|note)$/
  const unchecked = routes(app.features).flatMap(({ method, path, body }) => {
    const properties = (body as { properties?: Record<string, Record<string, unknown>> } | undefined)?.properties ?? {}
    return Object.entries(properties)
      .filter(([field, schema]) => NAMES.test(field) && !JSON.stringify(schema).includes('"x-line":true'))
      .map(([field]) => `${method} ${path} ${field}`)
  })
  expect(unchecked).toEqual([])
})

it('lines of descriptions and messages are kept', async () => {
  const description = 'first line\n\tsecond line'
  const insight = await app.call('POST', `${P}/insights/`, { body: { description } })
  expect(insight.json().description).toBe(description)
  const dashboard = await app.call('POST', `${P}/dashboards/`, { body: { description } })
  expect(dashboard.json().description).toBe(description)
  const body = { ...SMALLEST, invite_message: description }
  expect((await app.call('POST', `${P}/subscriptions/`, { body })).json().invite_message).toBe(description)
})

it('names of Slack channels are refused too', async () => {
  for (const name of ['a\u001bb', '\u202eb']) {
    const body = { ...SMALLEST, target_type: 'slack', target_value: `C0123456789|#${name}` }
    const answer = await app.call('POST', `${P}/subscriptions/`, { body })
    expect([answer.statusCode, answer.json().attr]).toEqual([400, 'target_value'])
  }
})
