/** GET subscriptions/: pages, filters, search and order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itIsGuarded } from '../../support/access.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { expectFields, PATH, SEED_FIELDS, SMALLEST, subscribe } from '../../support/deliveries/subscription.ts'
import { makeKey, makeProject, makeStranger } from '../../support/make.ts'

let app: TestApp
/** By name, made one minute after the other. */
const made: Record<string, number> = {}
let author: string

const get = (query: Record<string, string> = {}, path = PATH) => app.call('GET', path, { query })
const names = async (query: Record<string, string>) => {
  const answer = await get(query)
  expect(answer.statusCode, answer.body).toBe(200)
  const byId = new Map(Object.entries(made).map(([name, id]) => [id, name]))
  return answer.json().results.map(({ id }: { id: number }) => byId.get(id))
}

beforeAll(async () => {
  app = await makeApp()
  const { userId } = await makeStranger(app)
  const first = await app.stores.projects.find(1)
  await app.stores.transaction((tx) => tx.users.addMember(first?.organizationId ?? '', userId, 15))
  author = (await app.stores.users.find(userId))?.uuid ?? ''
  const theirs = await makeKey(app, { userId })
  const bodies: Record<string, Record<string, unknown>> = {
    plain: { title: 'Ähren', frequency: 'yearly' },
    insight: { insight: 1, title: 'berry', frequency: 'monthly' },
    dashboard: { dashboard: 1, title: 'Apple pie' },
    both: { insight: 6, dashboard: 1, target_type: 'slack', target_value: 'C1|#x', until_date: '2026-03-03' },
    gone: { deleted: true, insight: 1 },
  }
  for (const [name, body] of Object.entries(bodies)) {
    app.clock.advance(60_000)
    made[name] = (await subscribe(app, body)).id
  }
  app.clock.advance(60_000)
  const answer = await app.call('POST', PATH, {
    key: theirs,
    body: { ...SMALLEST, title: 'cherry', frequency: 'daily' },
  })
  made.theirs = answer.json().id
})
afterAll(() => app.end())

describe('the list', () => {
  itIsGuarded(() => app, { method: 'GET', path: () => '/subscriptions/', scope: 'subscription:read', status: 200 })
})

describe('the envelope', () => {
  it('holds count, next, previous and whole subscriptions', async () => {
    const body = (await get()).json()
    expect(Object.keys(body)).toEqual(['count', 'next', 'previous', 'results'])
    expect(body).toMatchObject({ count: 5, next: null, previous: null })
    for (const item of body.results) {
      expectFields(item, SEED_FIELDS)
      expect((await app.call('GET', `${PATH}${item.id}/`)).json()).toEqual(item)
    }
  })

  it('is walked by its links, which keep the other parameters', async () => {
    const seen: number[] = []
    let next: string | null = `${PATH}?limit=2&search=&ordering=created_at`
    const previous: (string | null)[] = []
    while (next) {
      const answer: Awaited<ReturnType<TestApp['call']>> = await app.call('GET', next)
      const body = answer.json()
      seen.push(...body.results.map(({ id }: { id: number }) => id))
      previous.push(body.previous)
      next = body.next
      if (next) expect(next).toMatch(/^http:\/\/.*\?limit=2&search=&ordering=created_at&offset=\d$/)
    }
    expect(seen).toEqual([made.plain, made.insight, made.dashboard, made.both, made.theirs])
    expect(previous[0]).toBeNull()
    expect(previous[1]).not.toContain('offset')
    expect(previous[2]).toContain('offset=2')
  })

  it('is empty beyond the end, and clamps a limit that is too large', async () => {
    expect((await get({ offset: '100' })).json()).toMatchObject({ count: 5, next: null, results: [] })
    expect((await get({ limit: '1000000000' })).json().results).toHaveLength(5)
  })

  it.each([
    [{ limit: 'abc' }, 'limit'],
    [{ limit: '-1' }, 'limit'],
    [{ limit: '0' }, 'limit'],
    [{ offset: '-1' }, 'offset'],
    [{ offset: '1.5' }, 'offset'],
    [{ insight: 'abc' }, 'insight'],
    [{ dashboard: '1;drop' }, 'dashboard'],
    [{ deleted: 'maybe' }, 'deleted'],
  ])('refuses %j', async (query, attr) => {
    const answer = await get(query)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ type: 'validation_error', attr })
  })

  it('shows nothing of another project', async () => {
    const other = await makeProject(app)
    const body = (await get({}, `/api/environments/${other.id}/subscriptions/`)).json()
    expect(body).toEqual({ count: 0, next: null, previous: null, results: [] })
  })
})

describe('filters', () => {
  it.each<[Record<string, string>, string[]]>([
    [{}, ['theirs', 'both', 'dashboard', 'insight', 'plain']],
    [{ deleted: 'true' }, ['gone']],
    [{ deleted: 'FALSE' }, ['theirs', 'both', 'dashboard', 'insight', 'plain']],
    [{ insight: '1' }, ['insight']],
    [{ insight: '999' }, []],
    [{ dashboard: '1' }, ['both', 'dashboard']],
    [{ dashboard: '1', insight: '6' }, ['both']],
    [{ target_type: 'slack' }, ['both']],
    [{ target_type: '' }, ['theirs', 'both', 'dashboard', 'insight', 'plain']],
    [{ resource_type: 'insight' }, ['insight']],
    [{ resource_type: 'dashboard' }, ['theirs', 'both', 'dashboard', 'plain']],
    [{ resource_type: 'ai_prompt' }, []],
    [{ resource_type: 'unheard-of' }, ['theirs', 'both', 'dashboard', 'insight', 'plain']],
    [{ search: 'ÄHREN' }, ['plain']],
    [{ search: 'active users' }, ['insight']],
    [{ search: 'app' }, ['both', 'dashboard']],
    [{ search: 'dashboard pie' }, ['dashboard']],
    [{ search: 'referring,domains' }, ['both']],
    [{ search: 'app xyz' }, []],
    [{ search: '%' }, []],
    [{ unknown: 'x' }, ['theirs', 'both', 'dashboard', 'insight', 'plain']],
  ])('%j', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  it('created_by takes the UUID of a user', async () => {
    expect(await names({ created_by: author })).toEqual(['theirs'])
    expect(await names({ created_by: author.toUpperCase().replaceAll('-', '') })).toEqual(['theirs'])
    expect(await names({ created_by: '00000000-0000-4000-8000-000000000000' })).toEqual([])
    const answer = await get({ created_by: '1' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ attr: 'created_by', detail: 'Not a valid UUID.', code: 'invalid_input' })
  })

  it('target_type takes the types there are', async () => {
    const answer = await get({ target_type: 'pigeon' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      attr: 'target_type',
      detail: 'Must be one of: email, slack, teams, webhook.',
      code: 'invalid_input',
    })
  })

  it('search takes a score of words, not thousands', async () => {
    const words = (n: number) => Array.from({ length: n }, (_, i) => `w${i}`).join(' ')
    expect((await get({ search: words(20) })).statusCode).toBe(200)
    const answer = await get({ search: words(2_000) })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().attr).toBe('search')
  })
})

describe('ordering', () => {
  it.each<[string, string[]]>([
    ['created_at', ['plain', 'insight', 'dashboard', 'both', 'theirs']],
    ['-created_at', ['theirs', 'both', 'dashboard', 'insight', 'plain']],
    ['title', ['dashboard', 'insight', 'theirs', 'plain', 'both']],
    ['-title', ['plain', 'theirs', 'insight', 'dashboard', 'both']],
    ['next_delivery_date', ['theirs', 'dashboard', 'insight', 'plain', 'both']],
    ['-next_delivery_date', ['plain', 'insight', 'dashboard', 'theirs', 'both']],
    ['-created_by__email,title', ['theirs', 'dashboard', 'insight', 'plain', 'both']],
    ['created_by__email', ['both', 'dashboard', 'insight', 'plain', 'theirs']],
    ['target_value', ['theirs', 'both', 'dashboard', 'insight', 'plain']],
    ['', ['theirs', 'both', 'dashboard', 'insight', 'plain']],
    ['nonsense, title', ['dashboard', 'insight', 'theirs', 'plain', 'both']],
  ])('%s', async (ordering, expected) => {
    expect(await names({ ordering })).toEqual(expected)
  })
})
