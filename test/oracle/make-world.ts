/**
 * Generates a project from a seed, awkward on purpose: several events at one instant, people who skip steps, ids that
 * are merged, split off, deleted and reused, properties of mixed types or missing. Numbers are multiples of a quarter,
 * so that their sums are exact in any order.
 */
import { createRandom, type Random } from '../../src/demo/seeded-random.ts'
import { DAY, HOUR, MINUTE } from '../../src/lib/time/time.ts'
import type { NewOutboxBatch } from '../../src/model/events/outbox.ts'
import type { Json, World, WorldEvent, WorldPerson } from './world.ts'

export const BEGIN = Date.UTC(2026, 0, 28)
export const LENGTH = 45 * DAY
export const NAMES = ['view', 'cart', 'buy', 'sign up', 'öffnen "x"'] as const
export const ODD_KEY = 'a/b~1.c "d"'
/** Longer than a store keeps in a row. */
const FILLER = 'x é"\\👩 '.repeat(1_500)
const LONG_VALUE = 'ä👩'.repeat(700)

export interface Size {
  persons: number
  events: number
  batches: number
}

export interface MadeWorld {
  world: World
  /** In no particular order; the order of `seq` is that in which things happened. */
  batches: NewOutboxBatch[]
}

const ODD_VALUES: unknown[] = [
  true,
  false,
  null,
  '',
  ' ',
  0,
  1,
  '1',
  '1.0',
  1.5,
  -3,
  1e21,
  1e-7,
  2 ** 53,
  [],
  [1, 'a'],
  { a: 1 },
  { 'é"': [null] },
  'null',
  'Ünï',
  '\u{1F469}',
  '\uFF5A',
  '$$_posthog_breakdown_other_$$',
  LONG_VALUE,
]
const ODD_NUMBERS: unknown[] = [
  '12.5',
  ' 7 ',
  '1 000',
  '1e2',
  '+3',
  '.5',
  '5.',
  '',
  'x',
  '0x10',
  '1e999',
  true,
  null,
  [4],
]

/** The first few values are common, the last ones rare. */
const fewOf = (random: Random, count: number): number => Math.floor(count * random.next() ** 3)

export function propertiesOf(random: Random): Json {
  const properties: Json = {}
  const kind = random.next()
  if (kind < 0.6) properties.plan = `plan ${fewOf(random, 40)}`
  else if (kind < 0.85) properties.plan = random.pick(ODD_VALUES)
  const priced = random.next()
  if (priced < 0.6) properties.price = random.between(-400, 4_000) / 4
  else if (priced < 0.8) properties.price = random.pick(ODD_NUMBERS)
  if (random.next() < 0.3) properties[ODD_KEY] = random.pick(['a', 'b', 'c'])
  if (random.next() < 0.004) properties.filler = FILLER
  return properties
}

const uuidOf = (kind: number, number: number): string =>
  `0000000${kind}-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Changes of people, one after the other; each is recorded as the outbox has it. */
class People {
  readonly owners = new Map<string, WorldPerson>()
  readonly ids: string[] = []
  readonly #random: Random
  readonly #living = new Map<WorldPerson, string[]>()
  #lastPerson = 0
  #changes: Pick<NewOutboxBatch, 'persons' | 'distinctIds'> = { persons: [], distinctIds: [] }

  constructor(random: Random) {
    this.#random = random
  }

  takeChanges() {
    const changes = this.#changes
    this.#changes = { persons: [], distinctIds: [] }
    return changes
  }

  #write(person: WorldPerson, deleted = false): void {
    const { id: personId, createdAt } = person
    const properties = JSON.stringify(deleted ? {} : person.properties)
    const state = { updatedAt: createdAt, lastSeenAt: null, isIdentified: false, deleted }
    this.#changes.persons.push({ projectId: 1, personId, uuid: uuidOf(2, personId), properties, createdAt, ...state })
  }

  #give(distinctId: string, person: WorldPerson | null): void {
    if (person) this.owners.set(distinctId, person)
    else this.owners.delete(distinctId)
    this.#changes.distinctIds.push({ projectId: 1, distinctId, personId: person?.id ?? null })
  }

  #make(ids: string[]): void {
    const random = this.#random
    const createdAt = BEGIN + Math.floor(random.next() * (LENGTH + 10 * DAY)) - 10 * DAY
    const person = { id: ++this.#lastPerson, createdAt, properties: propertiesOf(random) }
    this.#living.set(person, ids)
    this.#write(person)
    for (const id of ids) this.#give(id, person)
  }

  #newIds(count: number): string[] {
    const ids = Array.from({ length: count }, () =>
      `id ${this.ids.length + 1}`.padEnd(this.#random.between(3, 30), '.'),
    )
    const own = ids.map((id, place) => `${id}${this.ids.length + place}`)
    this.ids.push(...own)
    return own
  }

  #somebody(): [WorldPerson, string[]] | undefined {
    const all = [...this.#living.keys()]
    const person = all.length === 0 ? undefined : this.#random.pick(all)
    return person && [person, this.#living.get(person) ?? []]
  }

  arrive(): void {
    this.#make(this.#newIds(this.#random.between(1, 4)))
  }

  stray(): void {
    this.#newIds(1)
  }

  merge(): void {
    const [kept, gone] = [this.#somebody(), this.#somebody()]
    if (!kept || !gone || kept[0] === gone[0]) return
    kept[0].properties = { ...gone[0].properties, ...kept[0].properties }
    this.#living.set(kept[0], [...kept[1], ...gone[1]])
    this.#living.delete(gone[0])
    this.#write(kept[0])
    this.#write(gone[0], true)
    for (const id of gone[1]) this.#give(id, kept[0])
  }

  split(): void {
    const found = this.#somebody()
    if (!found || found[1].length < 2) return
    const [person, [first = '', ...others]] = found
    this.#living.set(person, others)
    this.#make([first])
  }

  remove(): void {
    const found = this.#somebody()
    if (!found) return
    const [person, ids] = found
    this.#living.delete(person)
    this.#write(person, true)
    for (const id of ids) this.#give(id, null)
  }

  change(): void {
    const found = this.#somebody()
    if (!found) return
    found[0].properties = propertiesOf(this.#random)
    this.#write(found[0])
  }

  /** An id without a person gets one. */
  adopt(): void {
    const id = this.ids.length === 0 ? undefined : this.#random.pick(this.ids)
    if (id !== undefined && !this.owners.has(id)) this.#make([id])
  }
}

/** Instants that often coincide. */
function instantOf(random: Random): number {
  const at = BEGIN + random.next() * LENGTH
  const kind = random.next()
  if (kind < 0.3) return Math.floor(at / HOUR) * HOUR
  if (kind < 0.6) return Math.floor(at / MINUTE) * MINUTE
  return Math.floor(at * 2) / 2
}

/** Visits of one id: a few events close to each other, steps in their order or not. */
export function visitOf(random: Random, distinctId: string): Omit<WorldEvent, 'uuid'>[] {
  const sessionId = random.next() < 0.8 ? uuidOf(4, random.between(1, 4_000)) : null
  const pauses = [0, 0, 1, MINUTE, 20 * MINUTE, HOUR, 5 * HOUR]
  let at = instantOf(random)
  return Array.from({ length: random.between(1, 5) }, (_, place) => {
    at += random.pick(pauses)
    const event = random.next() < 0.6 ? (NAMES[place % 3] as string) : random.pick(NAMES)
    return { event, distinctId, at, sessionId, properties: propertiesOf(random) }
  })
}

/** A random change of the people, weighted. */
function changeAtRandom(people: People, random: Random): void {
  const turn = random.next()
  if (turn < 0.1) people.merge()
  else if (turn < 0.17) people.split()
  else if (turn < 0.19) people.remove()
  else if (turn < 0.3) people.change()
  else if (turn < 0.36) people.adopt()
  else if (turn < 0.46) people.stray()
  else people.arrive()
}

function shuffled<T>(items: T[], random: Random): T[] {
  return items
    .map((item) => ({ item, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

export function makeWorld(seed: number, size: Size): MadeWorld {
  const random = createRandom(seed)
  const people = new People(random)
  const events: WorldEvent[] = []
  const batches: NewOutboxBatch[] = []
  for (let seq = 1; seq <= size.batches; seq++) {
    // Half of all come at once, before anything happens.
    const turns = seq === 1 ? size.persons / 2 : size.persons / size.batches
    for (let turn = 0; turn < turns; turn++) if (seq === 1) people.arrive()
    for (let turn = 0; turn < turns; turn++) changeAtRandom(people, random)
    const own: WorldEvent[] = []
    while (own.length < size.events / size.batches) {
      const busy = people.ids[fewOf(random, people.ids.length)] as string
      for (const event of visitOf(random, busy)) own.push({ uuid: uuidOf(1, events.length + own.length), ...event })
    }
    events.push(...own)
    const stored = own.map(({ at: timestamp, ...event }) => ({ projectId: 1, timestamp, ...event }))
    batches.push({ id: uuidOf(3, seq), seq, events: stored, ...people.takeChanges() })
  }
  // A stable sort: those of one instant stay in the order in which they were stored.
  return {
    world: { events: events.toSorted((a, b) => a.at - b.at), owners: people.owners },
    batches: shuffled(batches, random),
  }
}
