/**
 * Thousands of made-up people for tests of an event store's projection, and the same answers computed plainly, from
 * lists in memory. The same seed makes the same people.
 */
import { foldCase } from '../../lib/text/case-fold.ts'
import { readNumeric } from '../../lib/text/numeric.ts'
import type { DistinctIdProjection, OutboxBatch } from '../../model/events/outbox.ts'
import type { PersonCursor, PersonFilter, Properties, PropertyFilter } from '../../model/persons/person.ts'
import { NEWEST_FIRST, type PersonOrder } from '../../model/persons/person-search.ts'
import { type MadeContent, type MadePerson, makeBatch, makePerson, NOON } from './batch-builders.ts'

export type Random = (below: number) => number

export function randomOf(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PIECES = [
  'Ada',
  'GRACE',
  'straße',
  'STRASSE',
  'Ärger',
  'ΣΊΣΥΦΟΣ',
  'ς',
  'x',
  'Q9',
  ' ',
  '%',
  '_',
  "'",
  '"',
  '\\',
  '🦔',
]
const PLANS = ['free', 'Team', 'team', '', null, true, false, 42, 1.5, '42', ['a', 'B'], { a: 1 }]

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T
const textOf = (random: Random, most: number): string =>
  Array.from({ length: random(most) }, () => pick(random, PIECES)).join('')

function propertiesOf(random: Random): Properties {
  const properties: Properties = {}
  if (random(3) > 0) properties.email = `${textOf(random, 4)}-${random(500)}@x.org`
  if (random(2) > 0) properties.name = pick<unknown>(random, [textOf(random, 5), random(100), null, 'plain'])
  if (random(4) > 0) properties.plan = pick<unknown>(random, PLANS)
  if (random(3) > 0) properties.n = pick<unknown>(random, [random(50), String(random(50)), ` ${random(50)} `, 'many'])
  // Wide rows, and properties that are too long for a row, with what is asked at their end.
  const size = pick(random, [3_000, 3_000, 3_000, 9_000, 20_000, ...Array.from({ length: 60 }, () => 0)])
  return size === 0 ? properties : { filler: 'é"\\ '.repeat(size / 4), ...properties }
}

/** A row under the number that decides which one counts. */
interface Numbered<T> {
  seq: number
  row: T
}

const isNewer = (seq: number, known: Numbered<unknown> | undefined): boolean => !known || seq > known.seq

const placeOf = (person: MadePerson, { by }: PersonOrder): PersonCursor => ({
  time: person[by] ?? 0,
  id: person.personId,
})

const compare = (a: PersonCursor, b: PersonCursor, { isAscending }: PersonOrder): number =>
  (a.time - b.time || a.id - b.id) * (isAscending ? 1 : -1)

export class PeopleWorld {
  readonly #projectId: number
  readonly #random: Random
  readonly #persons = new Map<number, Numbered<MadePerson>>()
  readonly #owners = new Map<string, Numbered<DistinctIdProjection>>()

  constructor(projectId: number, random: Random) {
    this.#projectId = projectId
    this.#random = random
  }

  /** Batches that write, delete and merge the persons 1 to `people`, in any order of their numbers. */
  batches(count: number, people: number, rows: number): OutboxBatch[] {
    const made = Array.from({ length: count }, (_, i) => this.#batch(i + 1, people, rows))
    return made
      .map((batch) => ({ batch, place: this.#random(1_000_000) }))
      .sort((a, b) => a.place - b.place)
      .map(({ batch }) => batch)
  }

  #batch(seq: number, people: number, rows: number): OutboxBatch {
    const projectId = this.#projectId
    const content: Omit<MadeContent, 'events'> = { persons: [], distinctIds: [] }
    for (let i = 0; i < rows; i++) {
      const personId = 1 + this.#random(people)
      const deleted = this.#random(12) === 0
      const person = makePerson(projectId, {
        personId,
        properties: deleted ? {} : propertiesOf(this.#random),
        createdAt: NOON + this.#random(100) / 4,
        updatedAt: NOON + this.#random(1_000),
        lastSeenAt: pick(this.#random, [null, NOON + this.#random(20) / 4]),
        deleted,
      })
      content.persons.push(person)
      // Of three persons: ids change hands as in merges and splits.
      const distinctId = `${pick(this.#random, ['Id', 'id', 'ID-ß'])}-${Math.floor(personId / 3)}-${this.#random(4)}`
      content.distinctIds.push({ projectId, distinctId, personId: this.#random(10) === 0 ? null : personId })
    }
    this.take(seq, content)
    return makeBatch(seq, content)
  }

  take(seq: number, { persons, distinctIds }: Omit<MadeContent, 'events'>): void {
    // Of a key that a batch has twice, the last row counts.
    for (const row of persons.toReversed()) {
      if (isNewer(seq, this.#persons.get(row.personId))) this.#persons.set(row.personId, { seq, row })
    }
    for (const row of distinctIds.toReversed()) {
      if (isNewer(seq, this.#owners.get(row.distinctId))) this.#owners.set(row.distinctId, { seq, row })
    }
  }

  get living(): MadePerson[] {
    return [...this.#persons.values()].map(({ row }) => row).filter(({ deleted }) => !deleted)
  }

  #idsOf(personId: number): string[] {
    return [...this.#owners.values()].filter(({ row }) => row.personId === personId).map(({ row }) => row.distinctId)
  }

  /** All that match, in order. */
  find(filter: PersonFilter, order = NEWEST_FIRST, after?: PersonCursor): number[] {
    const ids = new Map<number | null, string[]>()
    for (const { row } of this.#owners.values()) {
      ids.set(row.personId, [...(ids.get(row.personId) ?? []), row.distinctId])
    }
    return this.living
      .filter((person) => matches(person, ids.get(person.personId) ?? [], filter))
      .map((person) => placeOf(person, order))
      .sort((a, b) => compare(a, b, order))
      .filter((place) => !after || compare(after, place, order) < 0)
      .map(({ id }) => id)
  }

  cursorOf(personId: number, order = NEWEST_FIRST): PersonCursor {
    return placeOf((this.#persons.get(personId) as Numbered<MadePerson>).row, order)
  }

  values(key: string, search: string | null): { name: string; count: number }[] {
    const counts = new Map<string, number>()
    for (const { properties } of this.living) {
      const text = typeof properties[key] === 'boolean' ? String(Number(properties[key])) : textForm(properties[key])
      if (!text || (search !== null && !has(text, search))) continue
      const name = [...text].slice(0, 1_000).join('')
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const listed = [...counts].map(([name, count]) => ({ name, count }))
    return listed
      .sort((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
      .slice(0, 20)
  }

  /** A part of what some person is found by, in any case. */
  searchText(): string {
    const { properties, uuid, personId } = pick(this.#random, this.living)
    const texts = [
      textForm(properties.email),
      textForm(properties.name),
      uuid,
      ...this.#idsOf(personId),
      'ie@',
      'no such',
    ]
    const points = [...(pick(this.#random, texts) ?? 'x')]
    const start = this.#random(points.length)
    const part = points.slice(start, start + 1 + this.#random(6)).join('') || 'x'
    return pick(this.#random, [part, part.toUpperCase(), part.toLowerCase()])
  }

  propertyFilter(depth = 2): PropertyFilter {
    const random = this.#random
    if (depth > 0 && random(3) === 0) {
      const of = Array.from({ length: random(4) }, () => this.propertyFilter(depth - 1))
      return { join: pick(random, ['AND', 'OR'] as const), of }
    }
    const value = () => pick<unknown>(random, ['team', '42', 42, true, 'a', 'SS', 'ä', random(50), ''])
    return pick<() => PropertyFilter>(random, [
      () => ({ key: 'plan', operator: pick(random, ['exact', 'is_not'] as const), value: value() }),
      () => ({ key: pick(random, ['name', 'email', 'plan']), operator: 'icontains', value: value() }),
      () => ({ key: 'name', operator: 'not_icontains', value: value() }),
      () => ({ key: 'n', operator: pick(random, ['gt', 'lte'] as const), value: random(50) }),
      () => ({
        key: pick(random, ['n', 'filler']),
        operator: pick(random, ['is_set', 'is_not_set'] as const),
        value: null,
      }),
      () => ({ key: 'email', operator: pick(random, ['regex', 'not_regex'] as const), value: '[a-z]-[1-4]+@' }),
      () => ({ key: 'email', operator: pick(random, ['regex', 'not_regex'] as const), value: '(' }),
    ])()
  }

  filter(): PersonFilter {
    const random = this.#random
    const person = pick(random, this.living)
    const filter: PersonFilter = {}
    if (random(2) === 0) filter.search = this.searchText()
    if (random(2) === 0) filter.properties = this.propertyFilter()
    if (random(4) === 0) filter.updatedAfter = NOON + random(1_000)
    if (random(8) === 0) filter.email = textForm(person.properties.email) ?? 'nobody'
    if (random(8) === 0) filter.distinctId = this.#idsOf(person.personId)[0] ?? 'nobody'
    return filter
  }
}

function textForm(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const has = (text: string | null, part: string): boolean => text !== null && foldCase(text).includes(foldCase(part))

function matches(person: MadePerson, ids: string[], filter: PersonFilter): boolean {
  const { properties, uuid, updatedAt } = person
  const { search, email, distinctId, updatedAfter } = filter
  const searched = [textForm(properties.email), textForm(properties.name), uuid, ...ids]
  return (
    (!search || searched.some((text) => has(text, search))) &&
    (email === undefined || textForm(properties.email) === email) &&
    (distinctId === undefined || ids.includes(distinctId)) &&
    (updatedAfter === undefined || updatedAt > updatedAfter) &&
    (!filter.properties || fits(filter.properties, properties))
  )
}

export function fits(filter: PropertyFilter, properties: Properties): boolean {
  if ('join' in filter) {
    const holds = (part: PropertyFilter) => fits(part, properties)
    return filter.join === 'AND' ? filter.of.every(holds) : filter.of.some(holds)
  }
  const { key, operator, value } = filter
  const is = Object.hasOwn(properties, key) ? properties[key] : undefined
  const text = textForm(is)
  const number = typeof is === 'number' || typeof is === 'string' ? readNumeric(String(is)) : null
  switch (operator) {
    case 'exact':
    case 'is_not': {
      const equal = text === String(value) || (typeof is === 'number' && String(is) === String(value))
      return equal === (operator === 'exact')
    }
    case 'icontains':
    case 'not_icontains':
      return has(text, String(value)) === (operator === 'icontains')
    case 'regex':
    case 'not_regex':
      if (value === '(') return false
      return (text !== null && new RegExp(String(value)).test(text)) === (operator === 'regex')
    case 'gt':
      return number !== null && number > Number(value)
    case 'lte':
      return number !== null && number <= Number(value)
    case 'is_set':
    case 'is_not_set':
      return (is !== undefined) === (operator === 'is_set')
    default:
      throw new Error(`There is no plain version of ${operator}.`)
  }
}
