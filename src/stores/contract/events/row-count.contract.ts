/**
 * What an EventStore must list, know and erase however many rows there are: below and above the numbers at which
 * engines change how they join and sort (see insight-size.contract.ts), including ids without a person, events without
 * a session and people without a property.
 */
import { expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import { MINUTE } from '../../../lib/time/time.ts'
import type { EventPosition } from '../../../model/events/event.ts'
import type { PropertyFilter } from '../../../model/persons/person.ts'
import { makeBatch, makeEvent, makePerson, NOON, newErasureId, type Opened, sessionsOf } from '../batch-builders.ts'
import { countEvents } from '../count-events.ts'

const SIZES = [63, 64, 65, 2_047, 2_048, 2_049]
const PAGE = 500
const SOURCES = ['mail', 'ad', undefined]

/** One id of many: every second has a person, every third person has no plan, every fourth event no session. */
const hasPerson = (n: number) => n % 2 === 0
const planOf = (n: number) => (hasPerson(n) && n % 3 !== 0 ? `plan ${n % 5}` : undefined)
const hasSession = (n: number) => n % 4 !== 1

interface Made extends Opened {
  size: number
  numbers: number[]
  sessions: string[]
}

async function make({ store, projectId }: Opened, size: number): Promise<Made> {
  const numbers = Array.from({ length: size }, (_, n) => n)
  const sessions = numbers.map((n) => uuidV7(NOON + n))
  const events = numbers.map((n) =>
    makeEvent(projectId, {
      distinctId: `id-${n}`,
      // Several at one instant.
      timestamp: NOON + Math.floor(n / 3) * MINUTE,
      sessionId: hasSession(n) ? (sessions[n] ?? null) : null,
      properties: { n, utm_source: SOURCES[n % 3] },
    }),
  )
  const owned = numbers.filter(hasPerson)
  const persons = owned.map((n) => makePerson(projectId, { personId: n + 1, properties: { plan: planOf(n) } }))
  const distinctIds = owned.map((n) => ({ projectId, distinctId: `id-${n}`, personId: n + 1 }))
  await store.apply([makeBatch(1, { events, persons, distinctIds })], NOON)
  // A second row for half of the people, so that rows of both kinds have to be distinguished.
  const changed = persons.filter((_, place) => place % 2 === 0)
  await store.apply([makeBatch(2, { persons: changed, distinctIds: distinctIds.slice(0, 10) })], NOON)
  return { store, projectId, size, numbers, sessions }
}

async function listed({ store, projectId }: Made, properties: PropertyFilter): Promise<unknown[]> {
  const found: unknown[] = []
  let position: EventPosition | undefined
  for (;;) {
    const from = position ? { from: { position, direction: 'older' as const } } : {}
    const { events, more } = await store.listEvents(projectId, { properties }, { limit: PAGE, ...from })
    found.push(...events.map((event) => event.properties.n))
    const last = events.at(-1)
    if (!more || !last) return found
    position = { timestamp: last.timestamp, seq: last.seq, place: last.place }
  }
}

async function checkLists(made: Made): Promise<void> {
  const newestFirst = made.numbers.toReversed()
  const plan = (operator: 'exact' | 'is_not' | 'is_set' | 'is_not_set'): PropertyFilter => ({
    type: 'person',
    key: 'plan',
    operator,
    value: 'plan 4',
  })
  const few: PropertyFilter = { key: 'n', operator: 'gt', value: 20 }
  const checks: [PropertyFilter, (n: number) => boolean][] = [
    [plan('exact'), (n) => planOf(n) === 'plan 4'],
    [plan('is_not'), (n) => planOf(n) !== 'plan 4'],
    [plan('is_set'), (n) => planOf(n) !== undefined],
    [plan('is_not_set'), (n) => planOf(n) === undefined],
    [{ join: 'OR', of: [few, plan('exact')] }, (n) => n > 20 || planOf(n) === 'plan 4'],
  ]
  for (const [filter, fits] of checks) {
    const what = `${JSON.stringify(filter)} of ${made.size}`
    expect(await listed(made, filter), what).toEqual(newestFirst.filter(fits))
    const selector = { event: null, filter }
    const found = made.store.sessionsWith(made.projectId, selector, NOON, NOON + made.size * MINUTE)
    const expected = made.numbers.filter((n) => fits(n) && hasSession(n)).map((n) => made.sessions[n])
    expect(await sessionsOf(found), `sessions with ${what}`).toEqual(expected.toSorted())
  }
}

async function checkSessions({ store, projectId, size, numbers }: Made): Promise<void> {
  const values = await store.sessionValues({ projectId, keys: ['$entry_utm_source'], search: null, limit: 9 })
  const count = (source: string) => numbers.filter((n) => hasSession(n) && SOURCES[n % 3] === source).length
  const expected = ['mail', 'ad'].map((name): [string, number] => [name, count(name)])
  const ranked = expected.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  expect(
    values.map(({ name, count }) => [name, count]),
    `session values of ${size}`,
  ).toEqual(ranked)
}

async function checkErasing({ store, projectId, size, numbers }: Made): Promise<void> {
  const gone = numbers.filter((n) => n % 3 === 0)
  const request = { projectId, personId: 1, distinctIds: gone.map((n) => `id-${n}`), cutoffSeq: 9 }
  const [erased] = await store.erase([{ id: newErasureId(), ...request }])
  const counts = { events: gone.length, sessions: gone.filter(hasSession).length }
  expect(erased, `erased of ${size}`).toMatchObject(counts)
  expect(await countEvents(store, projectId)).toBe(size - gone.length)
}

export function rowCounts(opened: () => Opened): void {
  it.each(SIZES)('lists, finds and erases the right ones of %i', async (size) => {
    const made = await make(opened(), size)
    await checkLists(made)
    await checkSessions(made)
    const other = await make(opened(), 5)
    await checkErasing(made)
    expect(await countEvents(other.store, other.projectId)).toBe(5)
  })
}
