/** What POST subscriptions/ refuses, and with which messages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import { PATH, SMALLEST, subscribe } from '../../support/deliveries/subscription.ts'
import { makeProject } from '../../support/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp({ env: { HEDGEROW_WEBHOOK_ALLOW: 'hooks.lan:8080,10.0.0.5' } })
})
afterAll(() => app.end())

const count = async () => (await app.call('GET', PATH)).json().count
const refuse = async (body: unknown) => {
  const before = await count()
  const answer = await app.call('POST', PATH, { body })
  expect(answer.statusCode, answer.body).toBe(400)
  expect(answer.json().type).toBe('validation_error')
  expect(await count()).toBe(before)
  return answer.json()
}

const WRONG_DATE =
  'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].'
const INTEGER = 'A valid integer is required.'

describe('a wrong field', () => {
  it.each<[Record<string, unknown>, string, string, string]>([
    [{ target_type: undefined }, 'target_type', 'required', 'This field is required.'],
    [{ target_type: 'pigeon' }, 'target_type', 'invalid_choice', '"pigeon" is not a valid choice.'],
    [{ target_type: null }, 'target_type', 'null', 'This field may not be null.'],
    [{ target_value: undefined }, 'target_value', 'required', 'This field is required.'],
    [{ target_value: '' }, 'target_value', 'blank', 'This field may not be blank.'],
    [{ target_value: '  ' }, 'target_value', 'blank', 'This field may not be blank.'],
    [{ target_value: 5 }, 'target_value', 'invalid_input', 'Not a valid string.'],
    [{ frequency: undefined }, 'frequency', 'required', 'This field is required.'],
    [{ frequency: 'hourly' }, 'frequency', 'invalid_choice', '"hourly" is not a valid choice.'],
    [{ interval: 0 }, 'interval', 'min_value', 'Ensure this value is greater than or equal to 1.'],
    [{ interval: -1 }, 'interval', 'min_value', 'Ensure this value is greater than or equal to 1.'],
    [{ interval: 1_001 }, 'interval', 'max_value', 'Ensure this value is less than or equal to 1000.'],
    [{ interval: 1.5 }, 'interval', 'invalid_input', INTEGER],
    [{ interval: '2' }, 'interval', 'invalid_input', INTEGER],
    [{ interval: null }, 'interval', 'null', 'This field may not be null.'],
    [{ byweekday: 'monday' }, 'byweekday', 'not_a_list', 'Expected a list of items but got type "str".'],
    [{ byweekday: ['monday', 'mon'] }, 'byweekday__1', 'invalid_choice', '"mon" is not a valid choice.'],
    [{ byweekday: [null] }, 'byweekday__0', 'null', 'This field may not be null.'],
    [{ bysetpos: 0 }, 'bysetpos', 'invalid_input', 'bysetpos must not be 0: the first position is 1.'],
    [{ bysetpos: 1.5 }, 'bysetpos', 'invalid_input', INTEGER],
    [{ count: 0 }, 'count', 'min_value', 'Ensure this value is greater than or equal to 1.'],
    [{ count: 10_001 }, 'count', 'max_value', 'Ensure this value is less than or equal to 10000.'],
    [{ start_date: undefined }, 'start_date', 'required', 'This field is required.'],
    [{ start_date: null }, 'start_date', 'null', 'This field may not be null.'],
    [{ start_date: '2026-02-30' }, 'start_date', 'invalid_input', WRONG_DATE],
    [{ start_date: '-1' }, 'start_date', 'invalid_input', WRONG_DATE],
    [{ start_date: 9999999 }, 'start_date', 'invalid_input', WRONG_DATE],
    [{ start_date: '' }, 'start_date', 'invalid_input', WRONG_DATE],
    [{ until_date: 'soon' }, 'until_date', 'invalid_input', WRONG_DATE],
    [
      { until_date: '2026-03-02T08:59:59Z' },
      'until_date',
      'invalid_input',
      'until_date must not be before start_date.',
    ],
    [{ deleted: 'true' }, 'deleted', 'invalid_input', 'Must be a valid boolean.'],
    [{ deleted: null }, 'deleted', 'null', 'This field may not be null.'],
    [{ title: 'x'.repeat(101) }, 'title', 'max_length', 'Ensure this field has no more than 100 characters.'],
    [{ title: 5 }, 'title', 'invalid_input', 'Not a valid string.'],
    [{ invite_message: {} }, 'invite_message', 'invalid_input', 'Not a valid string.'],
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'invalid_choice', '"Mars/Olympus" is not a valid choice.'],
    [{ timezone: '+02:00' }, 'timezone', 'invalid_choice', '"+02:00" is not a valid choice.'],
    [{ timezone: null }, 'timezone', 'null', 'This field may not be null.'],
    [{ dashboard: 'one' }, 'dashboard', 'incorrect_type', 'Incorrect type. Expected pk value, received str.'],
    [{ insight: 1.5 }, 'insight', 'incorrect_type', 'Incorrect type. Expected pk value, received float.'],
    [{ insight: true }, 'insight', 'incorrect_type', 'Incorrect type. Expected pk value, received bool.'],
  ])('%j is refused on %s as %s', async (given, attr, code, detail) => {
    expect(await refuse({ ...SMALLEST, ...given })).toEqual({ type: 'validation_error', code, detail, attr })
  })

  it.each<[string, string[], number]>([
    ['daily', ['monday', 'tuesday'], 1],
    ['weekly', ['monday', 'tuesday'], 2],
    ['monthly', ['monday'], 5],
    ['monthly', ['monday', 'tuesday', 'wednesday', 'thursday'], 19],
    ['yearly', ['monday', 'tuesday', 'sunday'], 158],
  ])('a position beyond what a %s schedule on %j can hold (%i) is refused', async (frequency, byweekday, highest) => {
    for (const sign of [1, -1]) {
      await subscribe(app, { frequency, byweekday, bysetpos: sign * highest })
      const error = await refuse({ ...SMALLEST, frequency, byweekday, bysetpos: sign * (highest + 1) })
      expect(error).toMatchObject({ attr: 'bysetpos', code: 'invalid_input' })
    }
  })
})

describe('an id of a dashboard or insight', () => {
  it('is refused in the same words when it is unknown, another project’s or deleted', async () => {
    const other = await makeProject(app)
    const foreign = await app.stores.insights.list({ projectId: other.id, deleted: false }, { limit: 1, offset: 0 })
    const [insight] = foreign.items
    const board = await app.stores.dashboards.findDefault(other.id)
    const made = (await app.call('POST', '/api/environments/1/insights/', { body: {} })).json()
    await app.call('DELETE', `/api/environments/1/insights/${made.id}/`)
    const cases = [
      ['insight', 999],
      ['insight', -1],
      ['insight', Number.MAX_SAFE_INTEGER],
      ['insight', insight?.id],
      ['insight', made.id],
      ['dashboard', 999],
      ['dashboard', board?.id],
    ] as const
    for (const [attr, id] of cases) {
      expect(await refuse({ ...SMALLEST, [attr]: id })).toEqual({
        type: 'validation_error',
        code: 'does_not_exist',
        detail: `Invalid pk "${id}" - object does not exist.`,
        attr,
      })
    }
  })
})

describe('a target', () => {
  it('names each malformed address', async () => {
    const error = await refuse({
      ...SMALLEST,
      target_value: 'ann@example.com, nobody , b@@example.com,a b@example.com',
    })
    expect(error).toMatchObject({
      attr: 'target_value',
      code: 'invalid_input',
      detail: '"nobody" is not a valid e-mail address.',
    })
    expect(error.errors.map((problem: { detail: string }) => problem.detail.split('"')[1])).toEqual([
      'nobody',
      'b@@example.com',
      'a b@example.com',
    ])
  })

  it('is at most fifty addresses', async () => {
    const many = (n: number) => Array.from({ length: n }, (_, i) => `user${i}@example.com`).join(',')
    await subscribe(app, { target_value: many(50) })
    const error = await refuse({ ...SMALLEST, target_value: many(51) })
    expect(error.detail).toBe('At most 50 e-mail addresses are allowed, but there are 51.')
  })

  it.each([
    ['webhook', 'ftp://example.com/', 'only http and https are allowed'],
    ['webhook', 'http://localhost:3000/', 'localhost is not allowed'],
    ['webhook', 'http://127.0.0.1/', '127.0.0.1 is not a public address'],
    ['webhook', 'http://2130706433/', '127.0.0.1 is not a public address'],
    ['webhook', 'http://[::ffff:10.0.0.1]/', 'is not a public address'],
    ['webhook', 'http://169.254.169.254/latest/meta-data', '169.254.169.254 is not a public address'],
    ['webhook', 'http://10.0.0.6/', '10.0.0.6 is not a public address'],
    ['webhook', 'http://db.internal/', 'names under .internal are internal'],
    ['webhook', 'http://hooks.lan:8081/', 'names under .lan are internal'],
    ['webhook', 'https://user:pass@example.com/', 'it contains credentials'],
    ['teams', 'http://acme.webhook.office.com/x', 'only https is allowed'],
    ['slack', 'http://hooks.slack.com/x', 'only https is allowed'],
  ])('of type %s is refused: %s', async (target_type, target_value, reason) => {
    const error = await refuse({ ...SMALLEST, target_type, target_value })
    expect(error).toMatchObject({ attr: 'target_value', code: 'invalid_input' })
    expect(error.detail).toContain(reason)
  })

  it('may be a host that the operator allows', async () => {
    for (const target_value of ['http://hooks.lan:8080/x', 'http://10.0.0.5/']) {
      await subscribe(app, { target_type: 'webhook', target_value })
    }
  })

  it('that is a secret is in no log and no activity entry', async () => {
    const target_value = 'https://hooks.slack.com/services/T0/B0/verysecret'
    const { id } = await subscribe(app, { target_type: 'slack', target_value })
    await app.call('PATCH', `${PATH}${id}/`, { body: { target_value: 'https://hooks.slack.com/services/verysecret2' } })
    await app.call('PATCH', `${PATH}${id}/`, { body: { target_value: 'https://example.com/verysecret3' } })
    await app.call('PATCH', `${PATH}${id}/`, {
      body: { target_type: 'webhook', target_value: 'https://example.com/verysecret3', rotate_secret: true },
    })
    const filter = { projectId: 1, scope: 'Subscription', itemId: String(id) }
    const { items } = await app.stores.activity.page(filter, { limit: 10, offset: 0 })
    expect(items).toHaveLength(4)
    expect(JSON.stringify(items)).not.toMatch(/verysecret|whsec_/)
    expect(items.map((item) => item.detail.changes?.map(({ field, before, after }) => [field, before, after]))).toEqual(
      [
        [
          ['target_type', 'slack', 'webhook'],
          ['signing_secret', null, null],
        ],
        [['target_value', 'hooks.slack.com', 'example.com']],
        [['target_value', null, null]],
        undefined,
      ],
    )
    expect(app.logs.join('')).not.toMatch(/verysecret|whsec_/)
  })
})

describe('a body', () => {
  it('has all its problems reported at once, in the order of the fields', async () => {
    const other = await makeProject(app)
    const board = await app.stores.dashboards.findDefault(other.id)
    const error = await refuse({
      insight: 'x',
      dashboard: board?.id,
      target_type: 'webhook',
      target_value: 'http://localhost/',
      interval: 0,
      byweekday: ['monday', 'nonday'],
      count: 0,
      start_date: '2026-02-30',
      until_date: 'x',
      title: 'x'.repeat(101),
      timezone: 'Nowhere',
    })
    expect(error).toMatchObject({ attr: 'dashboard', code: 'does_not_exist' })
    expect(error.errors.map(({ attr, code }: { attr: string; code: string }) => `${attr} ${code}`)).toEqual([
      'dashboard does_not_exist',
      'insight incorrect_type',
      'target_value invalid_input',
      'frequency required',
      'start_date invalid_input',
      'interval min_value',
      'byweekday__1 invalid_choice',
      'count min_value',
      'until_date invalid_input',
      'title max_length',
      'timezone invalid_choice',
    ])
    for (const problem of error.errors) expect(Object.keys(problem).sort()).toEqual(['attr', 'code', 'detail'])
  })

  it.each([
    ['{}', {}],
    ['none', undefined],
  ])('that is %s lacks the four fields that are needed', async (_name, body) => {
    const { attr, errors } = await refuse(body)
    expect(attr).toBe('target_type')
    expect(errors.map((problem: { attr: string }) => problem.attr)).toEqual([
      'target_type',
      'target_value',
      'frequency',
      'start_date',
    ])
  })

  it.each([
    ['[1]', 'list'],
    ['"text"', 'str'],
    ['5', 'int'],
    ['null', 'NoneType'],
  ])('that is %s is no dictionary', async (body, type) => {
    expect(await refuse(body)).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      detail: `Invalid data. Expected a dictionary, but got ${type}.`,
      attr: null,
    })
  })

  it('with keys of a prototype is checked by its own', async () => {
    const body = `{"__proto__": {"target_type": "email"}, "constructor": 1, ${JSON.stringify(SMALLEST).slice(1)}`
    expect((await app.call('POST', PATH, { body })).statusCode).toBe(201)
    const { attr } = await refuse('{"__proto__": {"target_type": "email"}}')
    expect(attr).toBe('target_type')
  })

  it('with thousands of wrong weekdays is answered briefly', async () => {
    const answer = await app.call('POST', PATH, { body: { ...SMALLEST, byweekday: Array(100_000).fill('x') } })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ attr: 'byweekday', code: 'max_length' })
    expect(answer.body.length).toBeLessThan(1_000)
  })

  it('of 30 MB is too large, and the key is asked for first', async () => {
    const body = JSON.stringify({ ...SMALLEST, title: 'x'.repeat(30_000_000) })
    const answer = await app.call('POST', PATH, { body })
    expect(answer.statusCode).toBe(413)
    expect(answer.json()).toMatchObject({ type: 'invalid_request', attr: null })
    expect((await app.call('POST', PATH, { body, key: null })).statusCode).toBe(401)
  })

  it('with a title is kept without the white space around it', async () => {
    const made = await app.call('POST', PATH, { body: { ...SMALLEST, title: '  Monday numbers\n' } })
    expect([made.statusCode, made.json().title]).toEqual([201, 'Monday numbers'])
  })

  it('with NUL or a lone surrogate is refused', async () => {
    for (const title of ['a\\u0000b', 'a\\ud800b']) {
      const body = JSON.stringify({ ...SMALLEST, title: 'TITLE' }).replace('TITLE', title)
      expect((await app.call('POST', PATH, { body })).statusCode).toBe(400)
    }
  })
})
