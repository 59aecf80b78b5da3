/**
 * Many concurrent changes on a few persons, in random batches. Whatever their order: an acknowledged change is in the
 * log, each entry's `before` is what the entry before it left, the last one is what the person has; and every distinct
 * id belongs to exactly one person unless that person was deleted.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../../../src/model/persons/person.ts'
import { wholeHistory } from '../../../src/stores/contract/history-builders.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makePerson, makeProject } from '../../support/make.ts'
import { slowDown } from '../../support/slow-stores.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
  slowDown(app.stores)
})
afterAll(() => app.end())

const call = (method: 'DELETE' | 'PATCH' | 'POST', url: string, body?: unknown) => app.call(method, url, { body })

const IDS = ['a', 'b', 'c', 'x', 'y', 'z']
const KEYS = ['k0', 'k1', 'k2']

/** `who` names a person by one of its distinct ids, looked up before the batch. */
type Operation = { who: string } & (
  | { kind: 'patch' | 'update_property' | 'delete_property'; key: string }
  | { kind: 'split'; main: string | null }
  | { kind: 'split_off'; chosen: string[] }
  | { kind: 'delete' }
)

const who = fc.constantFrom(...IDS)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('patch' as const, 'update_property' as const, 'delete_property' as const),
      who,
      key: fc.constantFrom(...KEYS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('split' as const), who, main: fc.option(who) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('split_off' as const),
      who,
      chosen: fc.uniqueArray(who, { minLength: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), who }) },
)
const batches = fc.array(fc.array(operation, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 })

interface Done {
  operation: Operation
  person: Person
  /** What a patch or update_property set; no other operation sets it. */
  value: string
  status: number
  body: { split?: { id: number; distinct_ids: string[] }[] }
}

let written = 0

async function perform(url: string, operation: Operation, person: Person): Promise<Done> {
  const at = `${url}/${person.id}/`
  const value = `value-${++written}`
  const ask = () => {
    switch (operation.kind) {
      case 'patch':
        return call('PATCH', at, { properties: { [operation.key]: value } })
      case 'update_property':
        return call('POST', `${at}update_property/`, { key: operation.key, value })
      case 'delete_property':
        return call('POST', `${at}delete_property/`, { $unset: operation.key })
      case 'split':
        return call('POST', `${at}split/`, { main_distinct_id: operation.main })
      case 'split_off':
        return call('POST', `${at}split/`, { distinct_ids_to_split: operation.chosen })
      case 'delete':
        return call('DELETE', at)
    }
  }
  const response = await ask()
  return { operation, person, value, status: response.statusCode, body: response.body ? response.json() : {} }
}

interface Change {
  key: string
  before: unknown
  after: unknown
  action: string
}

/** All changes of properties in the log of a person, oldest first. */
async function changesOf(url: string, id: number): Promise<Change[]> {
  const log = (await app.call('GET', `${url}/${id}/activity/?limit=1000`)).json()
  return log.results
    .filter((entry: { activity: string }) => entry.activity !== 'split_person')
    .reverse()
    .flatMap((entry: { detail: { changes: Change[] } }) => entry.detail.changes)
}

/** Replays the log: every entry must fit the one before, and the last must be what the person has. */
function checkChain(person: Person, changes: Change[]): void {
  const values = new Map<string, unknown>()
  for (const { key, before, after, action } of changes) {
    expect(before).toBe(values.get(key) ?? null)
    if (action === 'deleted') values.delete(key)
    else values.set(key, after)
  }
  expect(person.properties).toEqual(Object.fromEntries(values))
}

function checkStatuses(done: Done[]): void {
  for (const { operation, status } of done) {
    const isSplit = operation.kind === 'split' || operation.kind === 'split_off'
    const expected = operation.kind === 'delete' ? [204, 404] : isSplit ? [200, 400, 404] : [200, 404]
    expect(expected).toContain(status)
  }
  const deleted = done.filter(({ operation, status }) => operation.kind === 'delete' && status === 204)
  expect(new Set(deleted.map(({ person }) => person.id)).size).toBe(deleted.length)
}

/** Ids that may be gone: those a deleted person had before the batch or was given during it. */
function mayBeGone(done: Done[]): Set<string> {
  const deleted = new Set(
    done
      .filter(({ operation, status }) => operation.kind === 'delete' && status === 204)
      .map(({ person }) => person.id),
  )
  const had = done.filter(({ person }) => deleted.has(person.id)).flatMap(({ person }) => person.distinctIds)
  const given = done.flatMap(({ body }) =>
    (body.split ?? []).filter(({ id }) => deleted.has(id)).flatMap((item) => item.distinct_ids),
  )
  return new Set([...had, ...given])
}

async function checkIds(projectId: number, alive: Set<string>, done: Done[]): Promise<Person[]> {
  const { persons } = await app.stores.persons.list(projectId, {}, { limit: 1_000, offset: 0 })
  const owned = persons.flatMap((person) => person.distinctIds.map((id) => [id, person.id] as const))
  const owners = new Map(owned)
  expect(owned).toHaveLength(owners.size)
  expect(persons.every((person) => person.distinctIds.length > 0)).toBe(true)
  const gone = mayBeGone(done)
  for (const id of [...alive]) {
    if (!owners.has(id)) {
      expect(gone).toContain(id)
      alive.delete(id)
    }
  }
  expect(new Set(owners.keys())).toEqual(alive)
  for (const id of IDS) {
    expect((await app.stores.events.personOf(projectId, id))?.personId).toBe(owners.get(id))
  }
  return persons
}

/** Every acknowledged value is in the log of its person, as long as that person exists. */
async function checkUpdates(url: string, projectId: number, persons: Person[], acknowledged: Map<string, number>) {
  for (const person of persons) {
    const changes = await changesOf(url, person.id)
    checkChain(person, changes)
    const logged = new Set(changes.map((change) => change.after))
    for (const [value, id] of acknowledged) if (id === person.id) expect(logged).toContain(value)
    const projected = await app.stores.events.personOf(projectId, person.distinctIds[0] ?? '')
    expect(projected?.properties).toEqual(person.properties)
  }
}

it('no update is lost and no distinct id is orphaned, whatever comes at once', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (plan) => {
      const project = await makeProject(app)
      const url = `/api/environments/${project.id}/persons`
      await makePerson(app, { projectId: project.id, distinctIds: IDS.slice(0, 3) })
      await makePerson(app, { projectId: project.id, distinctIds: IDS.slice(3) })
      const alive = new Set(IDS)
      const acknowledged = new Map<string, number>()
      for (const batch of plan) {
        const owners = await app.stores.persons.findByDistinctIds(project.id, IDS)
        const done = await Promise.all(
          batch.flatMap((item) => {
            const person = owners.get(item.who)
            return person ? [perform(url, item, person)] : []
          }),
        )
        checkStatuses(done)
        for (const { operation, status, value, person } of done) {
          const sets = operation.kind === 'patch' || operation.kind === 'update_property'
          if (sets && status === 200) acknowledged.set(value, person.id)
        }
        const persons = await checkIds(project.id, alive, done)
        await checkUpdates(url, project.id, persons, acknowledged)
      }
    }),
    { numRuns: 40 },
  )
})

it('two splits at once split the person once', async () => {
  const person = await makePerson(app, { distinctIds: ['s1', 's2', 's3'] })
  const url = `/api/environments/1/persons/${person.id}/split/`
  const answers = await Promise.all([call('POST', url), call('POST', url)])
  expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200])
  expect(answers.map((answer) => answer.json().split.length).sort()).toEqual([0, 2])
})

it('a delete and many patches at once: either before it and acknowledged, or 404', async () => {
  const person = await makePerson(app)
  const url = `/api/environments/1/persons/${person.id}/`
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i === 10 ? call('DELETE', url) : call('PATCH', url, { properties: { [`k${i}`]: i } }),
    ),
  )
  expect(answers[10]?.statusCode).toBe(204)
  for (const answer of answers) expect([200, 204, 404]).toContain(answer.statusCode)
  expect((await app.call('GET', url)).statusCode).toBe(404)
  expect(await wholeHistory(app.stores.persons, 1, person.id)).toEqual([])
})

it('a hundred patches of different keys at once are all there', async () => {
  const person = await makePerson(app)
  const url = `/api/environments/1/persons/${person.id}/`
  const set = Array.from({ length: 100 }, (_, i) => [`key-${i}`, i] as const)
  await Promise.all(set.map(([key, value]) => call('PATCH', url, { properties: Object.fromEntries([[key, value]]) })))
  expect((await app.call('GET', url)).json().properties).toEqual(Object.fromEntries(set))
})
