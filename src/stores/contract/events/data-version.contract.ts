/**
 * The version of a project's data: whatever is done in whatever order, one version never stands for two states of the
 * data, and what changes nothing of a project leaves its version alone. The data are followed by a plain model, and at
 * the end of each run the store is asked whether it agrees.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { EventStore } from '../../../model/events/event.ts'
import type { OutboxBatch } from '../../../model/events/outbox.ts'
import { applyEvents, makeBatch, makeEvent, makePerson, NOON, newErasureId, type Opened } from '../batch-builders.ts'
import { countEvents } from '../count-events.ts'

const PROJECTS = 3
const PERSONS = 3
const IDS = ['a', 'b', 'c', 'd']
const TIMES = 6
const BATCHES = 10

const project = fc.nat(PROJECTS - 1)
const personId = fc.integer({ min: 1, max: PERSONS })
const distinctId = fc.constantFrom(...IDS)
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 })

/** Rows of one batch; projects are numbered from 0. */
const content = fc.record({
  events: few(fc.record({ project, distinctId, timestamp: fc.nat(TIMES - 1) })),
  persons: few(fc.record({ project, personId, deleted: fc.boolean() })),
  owners: few(fc.record({ project, distinctId, personId: fc.option(personId) })),
})
const erasure = fc.record({
  project,
  personId,
  distinctIds: fc.uniqueArray(distinctId, { minLength: 1 }),
  cutoffSeq: fc.nat(BATCHES),
})
type Erasure = typeof erasure extends fc.Arbitrary<infer T> ? T : never

/** In one call an id is asked about for one person only, as it has one owner; a person may be asked about twice. */
function apart(requests: Erasure[]): Erasure[] {
  const owners = new Map<string, number>()
  return requests.flatMap((request) => {
    const ownerOf = (id: string) => `${request.project} ${id}`
    const distinctIds = request.distinctIds.filter((id) => {
      const owner = owners.get(ownerOf(id)) ?? request.personId
      owners.set(ownerOf(id), owner)
      return owner === request.personId
    })
    return distinctIds.length === 0 ? [] : [{ ...request, distinctIds }]
  })
}

const applying = fc.record({
  kind: fc.constant('apply' as const),
  /** Places of batches; most come more than once, and in any order. */
  batches: fc.array(fc.nat(BATCHES - 1), { minLength: 1, maxLength: 3 }),
})
const operation = fc.oneof(
  { weight: 12, arbitrary: applying },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('erase' as const),
      requests: fc.array(erasure, { minLength: 1, maxLength: 2 }).map(apart),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('removeBefore' as const), project, before: fc.nat(TIMES) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeProject' as const), project }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
)
type Content = typeof content extends fc.Arbitrary<infer T> ? T : never
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

const seqOf = (place: number) => place + 1

/** What a project holds: events with their batch, and of every person and id the row with the highest `seq`. */
class ProjectModel {
  events: { seq: number; distinctId: string; timestamp: number }[] = []
  readonly persons = new Map<number, { seq: number; deleted: boolean }>()
  readonly owners = new Map<string, { seq: number; personId: number | null }>()

  static #put<K, V extends { seq: number }>(rows: Map<K, V>, key: K, row: V): void {
    if (row.seq >= (rows.get(key)?.seq ?? 0)) rows.set(key, row)
  }

  /** Whether the batch has any row of this project. */
  apply(seq: number, number: number, { events, persons, owners }: Content): boolean {
    const isHere = (row: { project: number }) => row.project === number
    this.events.push(...events.filter(isHere).map(({ distinctId, timestamp }) => ({ seq, distinctId, timestamp })))
    for (const { personId, deleted } of persons.filter(isHere))
      ProjectModel.#put(this.persons, personId, { seq, deleted })
    for (const { distinctId, personId } of owners.filter(isHere))
      ProjectModel.#put(this.owners, distinctId, { seq, personId })
    return [...events, ...persons, ...owners].some(isHere)
  }

  /** The requests of one call; whether anything was removed. */
  erase(requests: Erasure[]): boolean {
    const before = this.events.length
    const departed = requests.map(({ personId }) => personId).filter((id) => this.#isGone(id, requests))
    for (const { personId, distinctIds, cutoffSeq } of requests) {
      this.events = this.events.filter((row) => row.seq > cutoffSeq || !distinctIds.includes(row.distinctId))
      if (!departed.includes(personId)) continue
      this.persons.delete(personId)
      for (const id of distinctIds) if ((this.owners.get(id)?.seq ?? Infinity) <= cutoffSeq) this.owners.delete(id)
    }
    return departed.length > 0 || this.events.length < before
  }

  #isGone(personId: number, requests: Erasure[]): boolean {
    const person = this.persons.get(personId)
    const cutoffs = requests.filter((request) => request.personId === personId).map(({ cutoffSeq }) => cutoffSeq)
    return person?.deleted === true && person.seq <= Math.max(...cutoffs)
  }

  removeBefore(before: number): boolean {
    const count = this.events.length
    this.events = this.events.filter((row) => row.timestamp >= before)
    return this.events.length < count
  }

  /** As text: equal exactly when the data are. */
  get state(): string {
    const sorted = (rows: Iterable<unknown>) => [...rows].map((row) => JSON.stringify(row)).sort()
    return JSON.stringify([sorted(this.events), sorted(this.persons), sorted(this.owners)])
  }
}

/** A store and the model of three of its projects, which every operation changes alike. */
class Run {
  readonly #opened: Opened
  readonly #ids: number[]
  readonly #contents: Content[]
  readonly #batches: OutboxBatch[]
  readonly #applied = new Set<number>()
  readonly #models = Array.from({ length: PROJECTS }, () => new ProjectModel())
  /** Of each project, the state that each of its versions stood for. */
  readonly #known = Array.from({ length: PROJECTS }, () => new Map<string, string>())
  #store: EventStore

  constructor(opened: Opened, ids: number[], contents: Content[]) {
    this.#opened = opened
    this.#store = opened.store
    this.#ids = ids
    this.#contents = contents
    this.#batches = contents.map((content, place) => this.#batchOf(content, place))
  }

  #batchOf({ events, persons, owners }: Content, place: number): OutboxBatch {
    const id = (row: { project: number }) => this.#ids[row.project] as number
    return makeBatch(seqOf(place), {
      events: events.map((row) => makeEvent(id(row), { distinctId: row.distinctId, timestamp: row.timestamp })),
      persons: persons.map((row) => makePerson(id(row), { personId: row.personId, deleted: row.deleted })),
      distinctIds: owners.map(({ distinctId, personId, ...row }) => ({ projectId: id(row), distinctId, personId })),
    })
  }

  async #apply(places: number[]): Promise<Set<number>> {
    const changed = new Set<number>()
    for (const place of places) {
      if (this.#applied.has(place)) continue
      this.#applied.add(place)
      for (const [number, model] of this.#models.entries()) {
        if (model.apply(seqOf(place), number, this.#contents[place] as Content)) changed.add(number)
      }
    }
    await this.#store.apply(
      places.map((place) => this.#batches[place] as OutboxBatch),
      NOON,
    )
    return changed
  }

  async #erase(requests: Erasure[]): Promise<Set<number>> {
    const changed = new Set<number>()
    for (const [number, model] of this.#models.entries()) {
      if (model.erase(requests.filter((request) => request.project === number))) changed.add(number)
    }
    await this.#store.erase(
      requests.map(({ project: number, ...rest }) => ({ ...rest, id: newErasureId(), projectId: this.#id(number) })),
    )
    return changed
  }

  #model = (number: number) => this.#models[number] as ProjectModel
  #id = (number: number) => this.#ids[number] as number

  /** Returns the projects of which the operation may have changed anything. */
  async #do(operation: Operation): Promise<Set<number>> {
    switch (operation.kind) {
      case 'apply':
        return this.#apply(operation.batches.filter((place) => place < this.#batches.length))
      case 'erase':
        return this.#erase(operation.requests)
      case 'removeBefore': {
        const { project: number, before } = operation
        const isChange = this.#model(number).removeBefore(before)
        await this.#store.removeBefore(this.#id(number), before)
        return new Set(isChange ? [number] : [])
      }
      case 'removeProject': {
        const { project: number } = operation
        this.#models[number] = new ProjectModel()
        await this.#store.removeProject(this.#id(number))
        return new Set([number])
      }
      case 'compact':
        await this.#store.compact()
        return new Set()
      case 'reopen':
        this.#store = (await this.#opened.reopen?.()) ?? this.#store
        return new Set()
    }
  }

  #versions = () => Promise.all(this.#ids.map((id) => this.#store.dataVersion(id)))

  async step(operation: Operation): Promise<void> {
    const before = await this.#versions()
    const changed = await this.#do(operation)
    for (const [number, version] of (await this.#versions()).entries()) {
      const { state } = this.#model(number)
      const known = this.#known[number] as Map<string, string>
      expect(known.get(version) ?? state, 'one version, one state').toBe(state)
      known.set(version, state)
      if (!changed.has(number)) expect(version, 'nothing changed').toBe(before[number])
    }
  }

  /** The store has what the model has. */
  async compare(): Promise<void> {
    for (const [number, model] of this.#models.entries()) {
      expect(await countEvents(this.#store, this.#id(number))).toBe(model.events.length)
      for (const id of IDS) {
        const owner = model.owners.get(id)?.personId ?? null
        const person = owner === null ? undefined : model.persons.get(owner)
        const expected = person && !person.deleted ? owner : undefined
        expect((await this.#store.personOf(this.#id(number), id))?.personId).toBe(expected)
      }
    }
  }
}

export function dataVersions(opened: () => Opened): void {
  it('never stands for two states of the data, and stays where nothing changes', async () => {
    const contents = fc.array(content, { minLength: 3, maxLength: BATCHES })
    const operations = fc.array(operation, { minLength: 5, maxLength: 30 })
    const runs = fc.asyncProperty(contents, operations, async (rows, done) => {
      const here = opened()
      const ids = [here, opened(), opened()].map(({ projectId }) => projectId)
      const run = new Run(here, ids, rows)
      for (const one of done) await run.step(one)
      await run.compare()
    })
    // To look for a smaller example would take an hour on a server.
    await fc.assert(runs, { numRuns: 8, endOnFailure: true })
  })

  it('changes with events, people and ids, separately for each project', async () => {
    const here = opened()
    const { store, projectId } = here
    const versions = [await store.dataVersion(projectId)]
    const note = async () => versions.push(await store.dataVersion(projectId))
    await applyEvents(here, [{ timestamp: NOON }], 9)
    await note()
    await store.apply([makeBatch(4, { persons: [makePerson(projectId)] })], NOON)
    await note()
    await store.apply([makeBatch(5, { distinctIds: [{ projectId, distinctId: 'ann', personId: 1 }] })], NOON)
    await note()
    expect(new Set(versions).size).toBe(4)
    await store.apply([makeBatch(10, { persons: [makePerson(projectId + 500_000)] })], NOON)
    expect(await store.dataVersion(projectId)).toBe(versions.at(-1))
  })

  it('is another one when the same rows come back after they were removed', async () => {
    const here = opened()
    const { store, projectId } = here
    const event = makeEvent(projectId)
    await store.apply([makeBatch(1, { events: [event] })], NOON)
    const before = await store.dataVersion(projectId)
    await store.removeProject(projectId)
    const empty = await store.dataVersion(projectId)
    await store.apply([makeBatch(1, { events: [{ ...event, event: 'another' }] })], NOON)
    expect(new Set([before, empty, await store.dataVersion(projectId)]).size).toBe(3)
  })

  it('stays when the store is written anew and opened again', async () => {
    const here = opened()
    const { projectId } = here
    const distinctIds = ['ann']
    await applyEvents(here, [{ timestamp: 1 }, { timestamp: 2, distinctId: 'bob' }])
    await here.store.erase([{ id: newErasureId(), projectId, personId: 1, distinctIds, cutoffSeq: 1 }])
    const before = await here.store.dataVersion(projectId)
    await here.store.compact()
    expect(await here.store.dataVersion(projectId)).toBe(before)
    const store = (await here.reopen?.()) ?? here.store
    expect(await store.dataVersion(projectId)).toBe(before)
  })

  it('stays when a batch is refused', async () => {
    const here = opened()
    const { store, projectId } = here
    await applyEvents(here, [{ timestamp: NOON }])
    const before = await store.dataVersion(projectId)
    const broken = { ...makeBatch(2, { events: [makeEvent(projectId)] }), text: 'not a batch' }
    await expect(store.apply([makeBatch(3, { events: [makeEvent(projectId)] }), broken], NOON)).rejects.toThrow()
    expect(await store.dataVersion(projectId)).toBe(before)
    expect(await countEvents(store, projectId)).toBe(1)
  })
}
