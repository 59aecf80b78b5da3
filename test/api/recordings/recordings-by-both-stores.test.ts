/**
 * Recordings by properties of their persons and by events of their sessions, of which the two stores decide a part each:
 * against a plain computation over thousands of recordings, with persons that were merged, deleted and assigned by hand,
 * session ids of every form, and any nesting.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../src/lib/ids.ts'
import { chunks } from '../../../src/lib/lists/lists.ts'
import { newRecording } from '../../../src/stores/contract/recording-builders.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { makeEvents, makePerson, makeRecording } from '../../support/make.ts'

const PATH = '/api/environments/1/session_recordings/'
/** More recordings than the SQL store gives at once. */
const RECORDINGS = 16_000
const PERSONS = 6_000
const GONE = 20

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

interface Made {
  sessionId: string
  startAt: number
  clicks: number
  isRed: boolean
  /** Names of the events of its session. */
  events: string[]
  /** Of its person; null without one. */
  properties: Record<string, unknown> | null
}

const numbers = (count: number): number[] => [...Array(count).keys()]

const propertiesOf = (person: number): Record<string, unknown> => ({
  ...(person % 4 === 3 ? {} : { plan: ['free', 'pro', 'Team'][person % 4] }),
  seats: person % 2 === 0 ? person % 7 : String(person % 7),
  ...(person % 5 === 0 ? {} : { city: person % 3 === 0 ? 'Zürich' : null }),
})

/** Each user is identified; one in three was somebody else before, and is merged. */
async function capturePersons(): Promise<void> {
  const events = numbers(PERSONS).flatMap((n) => [
    ...(n % 3 === 0 ? [{ event: 'seen', distinct_id: `anon-${n}`, properties: { $set: { plan: 'older' } } }] : []),
    {
      event: '$identify',
      distinct_id: `user-${n}`,
      properties: {
        $anon_distinct_id: `anon-${n}`,
        $set: propertiesOf(n),
        ...(n % 4 === 3 ? { $unset: ['plan'] } : {}),
      },
    },
  ])
  for (const batch of chunks(events, 1_000)) {
    const response = await app.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch } })
    expect(response.statusCode, response.body).toBe(200)
  }
}

async function personId(distinctId: string): Promise<number> {
  const response = await app.call('GET', '/api/environments/1/persons/', { query: { distinct_id: distinctId } })
  return response.json().results[0].id
}

async function removePersons(): Promise<void> {
  for (const n of numbers(GONE)) {
    const id = await personId(`user-${n}`)
    expect((await app.call('DELETE', `/api/environments/1/persons/${id}/`)).statusCode).toBe(204)
  }
}

/** Some in capitals, which events are found by all the same; some are no UUIDs, and have no events. */
function sessionIdOf(n: number, startAt: number): string {
  if (n % 40 === 7) return `session ${n}`
  return n % 40 === 3 ? uuidV7(startAt).toUpperCase() : uuidV7(startAt)
}

/** Each of many sessions, but the last one. */
const VISITS: [name: string, happens: (n: number) => boolean][] = [
  ['painted', (n) => n % 6 === 0],
  ['paid', (n) => n % 4 === 0],
  ['left', (n) => n % 7 !== 0],
  ['left', (n) => n % 7 === 1],
  ['rare', (n) => n % 90 === 3],
]

const eventsOf = (n: number): string[] =>
  n % 40 === 7 ? [] : VISITS.filter(([, happens]) => happens(n)).map(([name]) => name)

/** Every tenth is nobody's, every 50th assigned by hand to one of a few persons. */
async function storeRecordings(): Promise<Made[]> {
  const assigned = await Promise.all(numbers(7).map((n) => personId(`user-${GONE + n}`)))
  const from = app.clock.now() - RECORDINGS * 1_000
  const made = numbers(RECORDINGS).map((n) => {
    const startAt = from + (n % 9 === 0 ? 0 : n * 1_000)
    const person = (n * 13) % PERSONS
    const isGiven = n % 50 === 0
    const owner = isGiven ? GONE + (n % 7) : person
    const isOwned = isGiven || (n % 10 !== 1 && person >= GONE)
    return {
      n,
      sessionId: sessionIdOf(n, startAt),
      startAt,
      clicks: n % 11,
      isRed: eventsOf(n).includes('painted'),
      events: eventsOf(n),
      properties: isOwned ? propertiesOf(owner) : null,
      distinctId: n % 10 === 1 ? `nobody-${n}` : `${n % 2 === 0 ? 'user' : 'anon'}-${person}`,
      personId: isGiven ? (assigned[n % 7] as number) : null,
    }
  })
  for (const part of chunks(made, 2_000)) {
    await app.stores.transaction(async (tx) => {
      for (const { sessionId, startAt, clicks, distinctId, personId: given } of part) {
        const recording = newRecording({ projectId: 1, sessionId, startAt, endAt: startAt + 5_000, distinctId })
        const lasting = { ...recording, expiresAt: app.clock.now() + 1e9 }
        await tx.recordings.create({ ...lasting, counters: { ...recording.counters, clicks } }, [])
        if (given !== null) await tx.recordings.update(1, sessionId, { personId: given })
      }
    })
  }
  const events = made.flatMap(({ sessionId, startAt, events: names }) =>
    names.map((event) => ({
      event,
      sessionId: sessionId.toLowerCase(),
      timestamp: startAt,
      properties: event === 'painted' ? { color: 'red' } : {},
    })),
  )
  for (const part of chunks(events, 5_000)) await makeEvents(app, part)
  return made
}

type Test = (row: Made) => boolean
interface Asked {
  condition: unknown
  holds: Test
}

const about = (test: (properties: Record<string, unknown>) => boolean): Test => {
  return (row) => test(row.properties ?? {})
}
const person = (key: string, operator: string, value: unknown) => ({ key, operator, value, type: 'person' })
const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

const LEAVES: Asked[] = [
  {
    condition: person('plan', 'exact', ['pro', 'free']),
    holds: about(({ plan }) => plan === 'pro' || plan === 'free'),
  },
  { condition: person('plan', 'is_not', 'pro'), holds: about(({ plan }) => plan !== 'pro') },
  { condition: person('plan', 'icontains', 'TE'), holds: about(({ plan }) => plan === 'Team') },
  { condition: person('plan', 'not_icontains', 'R'), holds: about(({ plan }) => !textOf(plan).includes('r')) },
  { condition: person('plan', 'regex', '^[fp]r'), holds: about(({ plan }) => /^[fp]r/.test(textOf(plan))) },
  { condition: person('plan', 'not_regex', '^T'), holds: about(({ plan }) => plan !== 'Team') },
  { condition: person('plan', 'not_regex', '('), holds: () => false },
  { condition: person('seats', 'gt', 4), holds: about(({ seats }) => Number(seats ?? 0) > 4) },
  { condition: person('city', 'is_set', null), holds: about((properties) => 'city' in properties) },
  { condition: person('city', 'is_not_set', null), holds: about((properties) => !('city' in properties)) },
  { condition: { key: 'color', operator: 'exact', value: 'red', type: 'event' }, holds: (row) => row.isRed },
]

const joined = (join: 'AND' | 'OR', parts: Test[]): Test => {
  return (row) => (join === 'AND' ? parts.every((part) => part(row)) : parts.some((part) => part(row)))
}

const join = fc.constantFrom('AND' as const, 'OR' as const)
const groupOf = (part: fc.Arbitrary<Asked>): fc.Arbitrary<Asked> =>
  fc.tuple(join, fc.array(part, { minLength: 1, maxLength: 3 })).map(([type, parts]) => ({
    condition: { type, values: parts.map(({ condition }) => condition) },
    holds: joined(
      type,
      parts.map(({ holds }) => holds),
    ),
  }))
/** A group holds groups or conditions, never both. */
const flat = groupOf(fc.constantFrom(...LEAVES))
const nested = groupOf(flat)
const group = fc.oneof(flat, nested, groupOf(fc.oneof(flat, nested)))

describe('recordings by properties of persons and by events', () => {
  let all: Made[]
  beforeAll(async () => {
    await capturePersons()
    await removePersons()
    all = await storeRecordings()
  })

  const question = fc.record({
    group: fc.option(group, { freq: 3 }),
    events: fc.array(fc.constantFrom('painted', 'paid', 'left', 'rare', 'never'), { maxLength: 2 }),
    having: fc.option(fc.nat(10)),
    operand: join,
    order: fc.constantFrom('start_time' as const, 'click_count' as const),
    isAscending: fc.boolean(),
    limit: fc.integer({ min: 1, max: 200 }),
    /** Of all that are found. */
    skipped: fc.double({ min: 0, max: 1.1, noNaN: true }),
    forced: fc.option(fc.nat(RECORDINGS - 1)),
    named: fc.option(fc.uniqueArray(fc.nat(RECORDINGS - 1), { minLength: 1, maxLength: 30 }), { freq: 4 }),
  })
  type Question = typeof question extends fc.Arbitrary<infer T> ? T : never

  function holdsOf({ group: asked, events, having, operand }: Question): Test {
    const parts = [
      ...(having === null ? [] : [(row: Made) => row.clicks > having]),
      ...(asked === null ? [] : [asked.holds]),
      ...events.map((name) => (row: Made) => row.events.includes(name)),
    ]
    // Without any condition there is nothing to restrict the list, whatever would join them.
    return parts.length === 0 ? () => true : joined(operand, parts)
  }

  function expected(asked: Question): string[] {
    const { order, isAscending, forced, named } = asked
    const holds = holdsOf(asked)
    const key = (row: Made) => (order === 'start_time' ? row.startAt : row.clicks)
    const sign = isAscending ? 1 : -1
    const chosen = forced === null ? [] : [all[forced] as Made]
    const rows = named
      ? named.map((n) => all[n] as Made)
      : all.toSorted(
          (a, b) => sign * (key(a) - key(b)) || b.startAt - a.startAt || (a.sessionId < b.sessionId ? -1 : 1),
        )
    const others = rows.filter((row) => !chosen.includes(row) && holds(row))
    return [...chosen, ...others].map(({ sessionId }) => sessionId)
  }

  /** What is asked for only where it is there. */
  const given = <T>(name: string, value: T | null, written: (value: T) => unknown): Record<string, string> =>
    value === null ? {} : { [name]: JSON.stringify(written(value)) }

  const queryOf = (asked: Question): Record<string, string> => ({
    date_from: 'all',
    ...given('properties', asked.group, ({ condition }) => condition),
    ...given('events', asked.events, (names) => names.map((id) => ({ id }))),
    ...given('having_predicates', asked.having, (value) => [
      { key: 'click_count', operator: 'gt', value, type: 'recording' },
    ]),
    ...given('session_ids', asked.named, (named) => named.map((n) => (all[n] as Made).sessionId)),
    ...(asked.forced === null ? {} : { session_recording_id: (all[asked.forced] as Made).sessionId }),
    operand: asked.operand,
    order: asked.order,
    order_direction: asked.isAscending ? 'ASC' : 'DESC',
  })

  it('are those of a plain computation, in exact pages with their count', async () => {
    const pages = fc.asyncProperty(question, async (asked) => {
      const ids = expected(asked)
      const offset = Math.floor(asked.skipped * ids.length)
      const query = { ...queryOf(asked), limit: String(asked.limit), offset: String(offset) }
      const response = await app.call('GET', PATH, { query })
      expect(response.statusCode, response.body).toBe(200)
      const { count, results } = response.json()
      expect(results.map((row: { id: string }) => row.id)).toEqual(ids.slice(offset, offset + asked.limit))
      expect(count).toBe(ids.length)
    })
    await fc.assert(pages, { numRuns: 40 })
  })
})

describe('while the event store is down', () => {
  it('only lists with conditions on persons or events are not answered', async () => {
    const alone = await makeApp()
    try {
      await makePerson(alone, { distinctIds: ['jane'], properties: { plan: 'pro' } })
      await makeRecording(alone, { sessionId: 'one', distinctId: 'jane' })
      const list = (query: Record<string, string>) => alone.call('GET', PATH, { query })
      const byPlan = { properties: JSON.stringify([person('plan', 'exact', 'pro')]) }
      const byEvent = { events: JSON.stringify([{ id: 'paid' }]) }
      expect((await list(byPlan)).json().results).toHaveLength(1)
      expect((await list(byEvent)).json().results).toHaveLength(0)
      await alone.stores.events.close()
      const clicked = JSON.stringify([{ key: 'click_count', operator: 'gt', value: 3, type: 'recording' }])
      for (const query of [{}, { distinct_ids: '["jane"]' }, { having_predicates: clicked }]) {
        expect((await list(query)).json().results).toHaveLength(1)
      }
      for (const query of [byPlan, byEvent]) expect((await list(query)).statusCode).toBeGreaterThanOrEqual(500)
    } finally {
      await alone.end()
    }
  })
})
