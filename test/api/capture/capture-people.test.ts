/**
 * Any interleaving of identify, alias, set and delete over a few ids gives the same people as a simple model, in
 * the SQL store and in the projection of the event store alike.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'

const IDS = ['ann', 'bob', 'cat', 'dan']

interface Modelled {
  ids: Set<string>
  properties: Record<string, unknown>
  identified: boolean
}

type Step =
  | { do: 'set'; id: string; key: string; value: number }
  | { do: 'set_once'; id: string; key: string; value: number }
  | { do: 'unset'; id: string; key: string }
  | { do: 'identify' | 'alias' | 'dangerous'; id: string; other: string }
  | { do: 'personless'; id: string }
  | { do: 'delete'; id: string }

const id = fc.constantFrom(...IDS)
const key = fc.constantFrom('a', 'b')
const value = fc.integer({ min: 0, max: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('set' as const), id, key, value }),
  fc.record({ do: fc.constant('set_once' as const), id, key, value }),
  fc.record({ do: fc.constant('unset' as const), id, key }),
  fc.record({ do: fc.constantFrom('identify' as const, 'alias' as const, 'dangerous' as const), id, other: id }),
  fc.record({ do: fc.constant('personless' as const), id }),
  fc.record({ do: fc.constant('delete' as const), id }),
)

/** The people according to the rules, without batches, stores or time. */
class Model {
  readonly people: Modelled[] = []
  of = (distinctId: string) => this.people.find((person) => person.ids.has(distinctId))
  ensure(distinctId: string): Modelled {
    const found = this.of(distinctId)
    if (found) return found
    const made = { ids: new Set([distinctId]), properties: {}, identified: false }
    this.people.push(made)
    return made
  }
  merge(target: string, other: string, dangerous: boolean): void {
    if (target === other) return void this.ensure(target)
    const [to, from] = [this.of(target), this.of(other)]
    if (to && from && to !== from) {
      to.identified = true
      if (from.identified && !dangerous) return
      to.properties = { ...from.properties, ...to.properties }
      for (const moved of from.ids) to.ids.add(moved)
      this.people.splice(this.people.indexOf(from), 1)
      return
    }
    const person = to ?? from ?? this.ensure(target)
    person.ids.add(target).add(other)
    person.identified = true
  }
  run(action: Step): void {
    if (action.do === 'personless') return
    if (action.do === 'delete') {
      const found = this.of(action.id)
      if (found) this.people.splice(this.people.indexOf(found), 1)
    } else if (action.do === 'set') this.ensure(action.id).properties[action.key] = action.value
    else if (action.do === 'set_once') {
      const person = this.ensure(action.id)
      person.properties = { [action.key]: action.value, ...person.properties }
    } else if (action.do === 'unset') delete this.ensure(action.id).properties[action.key]
    else this.merge(action.id, action.other, action.do === 'dangerous')
  }
}

function toEvent(action: Exclude<Step, { do: 'delete' }>): object {
  const base = { distinct_id: action.id }
  switch (action.do) {
    case 'set':
      return { ...base, event: '$set', properties: { $set: { [action.key]: action.value } } }
    case 'set_once':
      return { ...base, event: '$set', properties: { $set_once: { [action.key]: action.value } } }
    case 'unset':
      return { ...base, event: '$set', properties: { $unset: [action.key] } }
    case 'identify':
      return { ...base, event: '$identify', properties: { $anon_distinct_id: action.other } }
    case 'alias':
      return { ...base, event: '$create_alias', properties: { alias: action.other } }
    case 'dangerous':
      return { ...base, event: '$merge_dangerously', properties: { alias: action.other } }
    case 'personless':
      return { ...base, event: 'seen', properties: { $process_person_profile: false } }
  }
}

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

async function post(project: string, events: object[]): Promise<void> {
  const payload = JSON.stringify({ api_key: project, batch: events })
  const headers = { 'content-type': 'application/json' }
  const response = await app.server.inject({ method: 'POST', url: '/batch/', headers, payload })
  expect(response.statusCode).toBe(200)
}

/** Steps in order, neighbours sometimes in one batch. */
async function play(token: string, projectId: number, actions: Step[], split: boolean[]): Promise<void> {
  let waiting: object[] = []
  const flush = async () => {
    if (waiting.length > 0) await post(token, waiting)
    waiting = []
  }
  for (const [i, action] of actions.entries()) {
    if (action.do === 'delete') {
      await flush()
      const person = await app.stores.persons.findByDistinctId(projectId, action.id)
      if (person) await app.call('DELETE', `/api/environments/${projectId}/persons/${person.id}/`)
      continue
    }
    waiting.push(toEvent(action))
    if (split[i % split.length]) await flush()
  }
  await flush()
}

const shape = (people: { ids: Iterable<string>; properties: Record<string, unknown>; identified: boolean }[]) =>
  people
    .map(({ ids, properties, identified }) => {
      const { a, b } = properties
      return JSON.stringify({ ids: [...ids].sort(), a, b, identified })
    })
    .sort()

it('gives the people of the model', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
      async (actions, split) => {
        const project = (await app.call('POST', '/api/projects/', { body: { name: 'Model' } })).json()
        const model = new Model()
        for (const action of actions) model.run(action)
        await play(project.api_token, project.id, actions, split)
        const { persons: stored } = await app.stores.persons.list(project.id, {}, { limit: 100, offset: 0 })
        const people = stored.map((person) => ({
          ids: person.distinctIds,
          properties: person.properties,
          identified: person.isIdentified,
        }))
        expect(shape(people)).toEqual(shape(model.people))
        for (const distinctId of IDS) {
          const projected = await app.stores.events.personOf(project.id, distinctId)
          const owner = stored.find((person) => person.distinctIds.includes(distinctId))
          expect(projected?.personId ?? null).toBe(owner?.id ?? null)
          if (owner) expect(projected?.properties).toEqual(owner.properties)
        }
      },
    ),
    { numRuns: 60 },
  )
})
