/**
 * Capture, identify, alias, merge, split, edit, delete and recreate, in any order, against a plain model: the server
 * never fails, persons and their ids are the model's, and the event store's projection agrees.
 */
import { randomInt, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { type ModelPerson, PeopleModel, type Sent } from '../../support/persons/people-model.ts'

const API = '/api/environments/1'
/** The last is what the uuid of a person that was split off is made of. */
const NAMES = ['a', 'b', 'c', 'd', 'a:split']

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

type Op =
  | { kind: 'send'; events: { event: string; id: number; other: number; value: number | null; personless: boolean }[] }
  | { kind: 'split'; of: number; how: 'first' | 'main' | 'chosen'; which: number[] }
  | { kind: 'delete'; of: number; deleteEvents: boolean; keepPerson: boolean; bulk: 'no' | 'ids' | 'distinct_ids' }
  | { kind: 'patch'; of: number; value: number }
  | { kind: 'unset'; of: number }
  | { kind: 'sunday' }

const name = fc.nat({ max: NAMES.length - 1 })
const event = fc.record({
  event: fc.constantFrom('seen', 'seen', '$identify', '$identify', '$create_alias', '$merge_dangerously'),
  id: name,
  other: name,
  value: fc.option(fc.nat({ max: 9 })),
  personless: fc.boolean(),
})
const send = fc.record({
  kind: fc.constant('send' as const),
  events: fc.array(event, { minLength: 1, maxLength: 4 }),
})
const split = fc.record({
  kind: fc.constant('split' as const),
  of: name,
  how: fc.constantFrom('first' as const, 'main' as const, 'chosen' as const),
  which: fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 3 }),
})
const remove = fc.record({
  kind: fc.constant('delete' as const),
  of: name,
  deleteEvents: fc.boolean(),
  keepPerson: fc.constantFrom(false, false, true),
  bulk: fc.constantFrom('no' as const, 'no' as const, 'ids' as const, 'distinct_ids' as const),
})
const others = fc.oneof(
  fc.record({ kind: fc.constant('patch' as const), of: name, value: fc.nat({ max: 9 }) }),
  fc.record({ kind: fc.constant('unset' as const), of: name }),
  fc.record({ kind: fc.constant('sunday' as const) }),
)
/** Deleted and seen again at once: a random sequence rarely uses the same id. */
const comeBack = fc.tuple(remove, send).map(([{ of, ...gone }, { events }]): Op[] => [
  { ...gone, of, keepPerson: false },
  { kind: 'send', events: events.map((one, place) => (place === 0 ? { ...one, id: of, personless: false } : one)) },
])
const alone = <T extends Op>(operation: fc.Arbitrary<T>): fc.Arbitrary<Op[]> => operation.map((one) => [one])
const operations: fc.Arbitrary<Op[]> = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: alone(send) },
      { weight: 3, arbitrary: alone(split) },
      { weight: 2, arbitrary: alone(remove) },
      { weight: 2, arbitrary: comeBack },
      { weight: 1, arbitrary: alone(others) },
    ),
    { minLength: 3, maxLength: 30, size: 'max' },
  )
  .map((steps) => steps.flat())

/** One series of requests, applied to server and model alike. */
class Series {
  readonly #model = new PeopleModel()
  readonly #ids: string[]
  readonly #known = new Set<number>()
  #highest: number

  constructor(run: number, highest: number) {
    this.#ids = NAMES.map((text) => `${run}-${text}`)
    this.#highest = highest
  }

  async run(operation: Op): Promise<void> {
    app.clock.advance(1_000)
    switch (operation.kind) {
      case 'send':
        await this.#send(operation.events)
        break
      case 'sunday':
        app.clock.set(nextDeletionRun(app.clock.now()))
        await app.runner.runDue()
        this.#model.sunday()
        break
      default: {
        const person = this.#model.owners.get(this.#id(operation.of))
        if (person) await this.#change(person, operation)
      }
    }
    await this.#comparePeople()
  }

  /** The people according to the event store. */
  async compareStores(): Promise<void> {
    for (const id of this.#ids) {
      const person = this.#model.owners.get(id)
      const projected = await app.stores.events.personOf(1, id)
      const stored = await app.stores.persons.findByDistinctId(1, id)
      expect([id, projected?.personId, projected?.uuid, projected?.properties, projected?.createdAt]).toEqual([
        id,
        person?.id ?? undefined,
        person?.uuid,
        person?.properties,
        stored?.createdAt,
      ])
      const listed = (await this.#ask('GET', `/events/?limit=1000&distinct_id=${encodeURIComponent(id)}`)).results
      const uuids = listed.map((row: { uuid: string }) => row.uuid).sort()
      const expected = this.#model.events.filter((sent) => sent.id === id).map((sent) => sent.uuid)
      expect([id, uuids]).toEqual([id, expected.sort()])
    }
  }

  get highest(): number {
    return this.#highest
  }

  #id(place: number): string {
    return this.#ids[place % this.#ids.length] as string
  }

  async #ask(method: string, path: string, body?: unknown, status = 200) {
    const answer = await app.call(method, `${API}${path}`, body === undefined ? {} : { body })
    expect([method, path, answer.statusCode, answer.statusCode === status ? '' : answer.body]).toEqual([
      method,
      path,
      status,
      '',
    ])
    return answer.body === '' ? null : answer.json()
  }

  async #send(events: Extract<Op, { kind: 'send' }>['events']): Promise<void> {
    const sent = events.map(({ event: eventName, id, other, value, personless }): Sent => {
      const isMerge = eventName.startsWith('$')
      const isPersonless = personless && !isMerge
      return {
        uuid: randomUUID(),
        event: eventName,
        id: this.#id(id),
        ...(isMerge ? { other: this.#id(other) } : {}),
        ...(value === null || isPersonless ? {} : { set: { [`p${value % 3}`]: value } }),
        ...(isPersonless ? { personless } : {}),
      }
    })
    const batch = sent.map(({ uuid, event: eventName, id, other, set, personless }) => ({
      uuid,
      event: eventName,
      distinct_id: id,
      properties: {
        ...(other === undefined ? {} : { [eventName === '$identify' ? '$anon_distinct_id' : 'alias']: other }),
        ...(set ? { $set: set } : {}),
        ...(personless ? { $process_person_profile: false } : {}),
      },
    }))
    const answer = await app.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch } })
    expect([answer.statusCode, answer.body]).toEqual([200, '{"status":"Ok"}'])
    for (const one of sent) this.#model.capture(one)
  }

  async #change(person: ModelPerson, operation: Exclude<Op, { kind: 'send' | 'sunday' }>): Promise<void> {
    const path = `/persons/${person.id}/`
    switch (operation.kind) {
      case 'split':
        return this.#split(person, operation)
      case 'delete':
        return this.#delete(person, operation)
      case 'patch':
        await this.#ask('PATCH', path, { properties: { p0: operation.value } })
        return this.#model.edit(person, { p0: operation.value }, [])
      case 'unset':
        await this.#ask('POST', `${path}delete_property/`, { $unset: 'p0' })
        return this.#model.edit(person, {}, ['p0'])
    }
  }

  async #split(person: ModelPerson, { how, which }: Extract<Op, { kind: 'split' }>): Promise<void> {
    const ids = this.#model.idsOf(person)
    const picked = [...new Set(which.map((place) => ids[place % ids.length] as string))]
    const [first = ''] = picked
    const body = { first: {}, main: { main_distinct_id: first }, chosen: { distinct_ids_to_split: picked } }[how]
    const accepted = this.#model.split(person, how === 'main' ? first : null, how === 'chosen' ? picked : null)
    await this.#ask('POST', `/persons/${person.id}/split/`, body, accepted ? 200 : 400)
  }

  async #delete(person: ModelPerson, operation: Extract<Op, { kind: 'delete' }>): Promise<void> {
    const { deleteEvents, keepPerson, bulk, of } = operation
    const options = { delete_events: deleteEvents, keep_person: keepPerson }
    const chosen = bulk === 'ids' ? { ids: [person.uuid] } : { distinct_ids: [this.#id(of)] }
    if (bulk !== 'no') await this.#ask('POST', '/persons/bulk_delete/', { ...chosen, ...options }, 202)
    else {
      const query = `delete_events=${deleteEvents}&keep_person=${keepPerson}`
      await this.#ask('DELETE', `/persons/${person.id}/?${query}`, undefined, 204)
    }
    this.#model.remove(person, { deleteEvents, keepPerson })
    await this.#ask('GET', `/persons/${person.id}/`, undefined, keepPerson ? 200 : 404)
  }

  async #comparePeople(): Promise<void> {
    const { results } = await this.#ask('POST', '/persons/batch_by_distinct_ids/', { distinct_ids: this.#ids })
    for (const id of this.#ids) {
      const person = this.#model.owners.get(id)
      if (person && person.id === null) this.#meet(person, results[id]?.id)
      const { id: number, uuid, distinct_ids, properties } = results[id] ?? {}
      expect([id, number, uuid, properties]).toEqual([id, person?.id ?? undefined, person?.uuid, person?.properties])
      if (person) expect([...distinct_ids].sort()).toEqual(this.#model.idsOf(person).sort())
    }
  }

  /** A new person: its integer id is higher than all before it. */
  #meet(person: ModelPerson, id: number): void {
    expect(this.#known.has(id)).toBe(false)
    expect(id).toBeGreaterThan(this.#highest)
    this.#known.add(id)
    person.id = id
    this.#newest = Math.max(this.#newest, id)
  }

  #newest = 0

  /** Several may be new after one request, in any order. */
  settle(): void {
    this.#highest = Math.max(this.#highest, this.#newest)
  }
}

it('a person that was split off and deleted comes back', async () => {
  const series = new Series(0, 0)
  const see = (id: number): Op => ({
    kind: 'send',
    events: [{ event: 'seen', id, other: 0, value: null, personless: false }],
  })
  const identify: Op = {
    kind: 'send',
    events: [{ event: '$identify', id: 0, other: 1, value: 1, personless: false }],
  }
  await series.run(identify)
  await series.run({ kind: 'split', of: 0, how: 'main', which: [1] })
  await series.run({ kind: 'delete', of: 0, deleteEvents: true, keepPerson: false, bulk: 'no' })
  await series.run(see(0))
  await series.compareStores()
})

it('people of one request take their uuids in its order', async () => {
  const series = new Series(-1, 0)
  const seen = (id: number) => ({ event: 'seen', id, other: 0, value: null, personless: false }) as const
  await series.run({ kind: 'send', events: [{ ...seen(0), event: '$identify', other: 1, value: 1 }] })
  await series.run({ kind: 'split', of: 0, how: 'main', which: [1] })
  await series.run({ kind: 'delete', of: 0, deleteEvents: false, keepPerson: false, bulk: 'no' })
  // The usual uuid of the second is the one that the first gets, whose own still belongs to another.
  await series.run({ kind: 'send', events: [seen(0), seen(4)] })
  await series.compareStores()
})

it('whatever is done to people, in whatever order', async () => {
  const seed = Number(process.env.PEOPLE_SEED ?? randomInt(2 ** 31))
  console.info(`people in any order: seed ${seed}`)
  let run = 0
  let highest = 0
  await fc.assert(
    fc.asyncProperty(operations, async (list) => {
      run += 1
      const series = new Series(run, highest)
      for (const operation of list) {
        await series.run(operation)
        series.settle()
      }
      await series.compareStores()
      highest = series.highest
    }),
    { seed, numRuns: 25, endOnFailure: true },
  )
})
