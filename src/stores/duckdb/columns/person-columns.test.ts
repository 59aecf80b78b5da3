/** Common properties of people get columns by themselves, and answers do not depend on where a value is read from. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { PropertyCondition } from '../../../model/persons/person.ts'
import { type MadePerson, makeBatch, makeEvent, makePerson, NOON } from '../../contract/batch-builders.ts'
import { applyBatches } from '../apply-batches.ts'
import { createStore } from '../events.ts'
import { openParts } from '../open-parts.ts'
import { foldAll } from '../people/people-projection.ts'
import { LIMITS, type Limits } from '../progress.ts'
import { nameOf } from '../properties/property-columns.ts'
import { ANY_VALUE, conditionOn, conditionsOn } from './any-value.ts'
import { startColumnsPass } from './columns-pass.ts'

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-person-columns-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newPath = () => join(folder, `${++files}.duckdb`)

/** A store whose rows are folded and whose columns are filled only when the test says so. */
async function open(path: string, given: Partial<Limits> = {}) {
  const parts = await openParts(path, { ...LIMITS, fillEvents: 200, commonPersons: 100, lookPersons: 100, ...given })
  const pass = startColumnsPass(parts)
  const store = createStore(parts, pass)
  let seq = parts.progress.lastSeq
  return {
    parts,
    pass,
    store,
    add: (persons: MadePerson[]) => applyBatches(parts, [makeBatch(++seq, { persons })], NOON),
    own: (ids: [distinctId: string, personId: number][]) =>
      applyBatches(
        parts,
        [
          makeBatch(++seq, {
            events: ids.map(([distinctId, personId]) => makeEvent(1, { distinctId, personId })),
            distinctIds: ids.map(([distinctId, personId]) => ({ projectId: 1, distinctId, personId })),
          }),
        ],
        NOON,
      ),
    fold: () =>
      parts.database.write(
        (connection) => foldAll(connection, parts),
        (folded) => Object.assign(parts.progress, folded),
      ),
    keys: () => parts.personProperties.columns.map(({ key }) => key).sort(),
    sql: async (sql: string) =>
      (await parts.database.exclusive((connection) => connection.runAndReadAll(sql))).getRows(),
  }
}

type Here = Awaited<ReturnType<typeof open>>

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

const people = (count: number, properties: (i: number) => Record<string, unknown>, projectId = 1): MadePerson[] =>
  times(count, (i) => makePerson(projectId, { personId: i + 1, properties: properties(i) }))

const ofKey = conditionOn('person')

const ALL = { limit: Number.POSITIVE_INFINITY, withCount: true }

const idsWhere = async ({ store }: Here, condition: PropertyCondition, projectId = 1): Promise<number[]> =>
  [...(await store.findPersons(projectId, { properties: condition }, ALL)).ids].sort((a, b) => a - b)

const countWhere = async (here: Here, condition: PropertyCondition) => (await idsWhere(here, condition)).length

it('gives columns to keys that many people have, whether their values repeat or not', async () => {
  const here = await open(newPath())
  await here.add(
    people(500, (i) => ({
      email: `person-${i}@example.com`,
      visits: i,
      isPaid: i % 3 === 0,
      mixed: i % 2 === 0 ? 1 : 'one',
      list: [1, 2],
      text: 'long '.repeat(100),
      ...(i % 20 === 0 ? { rare: 'yes' } : {}),
    })),
  )
  await here.pass.finish()
  // Rows that are not folded have no columns.
  expect(here.keys()).toEqual([])
  await here.fold()
  await here.pass.finish()
  expect(here.keys()).toEqual(['email', 'isPaid', 'visits'])
  expect(await here.sql('SELECT count(*) FROM persons WHERE column_set = 3')).toEqual([[500n]])
  expect(await countWhere(here, ofKey('email', 'icontains', ['N-12']))).toBe(11)
  await here.store.close()
  // They are there again when the store is opened, and nothing has to be filled.
  const again = await open(here.parts.database.path ?? '')
  expect(again.keys()).toEqual(['email', 'isPaid', 'visits'])
  expect([again.parts.personProperties.set, again.parts.progress.unfilledPersons]).toEqual([3, 0])
  await again.store.close()
})

it('reads the columns of rows that are filled, and the JSON of all others and where a column cannot hold the value', async () => {
  const here = await open(newPath())
  const value = (i: number) => (i % 100 === 7 ? 'x'.repeat(300) : i % 100 === 8 ? 8 : i % 100 === 9 ? null : 'a')
  const long = (i: number) => (i % 50 === 3 ? { filler: 'y'.repeat(100_000) } : {})
  await here.add(people(500, (i) => ({ ...long(i), key: value(i), other: i % 2 })))
  await here.fold()
  await here.pass.finish()
  expect(here.keys()).toEqual(['key', 'other'])
  // Folded and not filled; not folded.
  await here.add(people(60, () => ({ key: 'changed', other: 1 })))
  await here.fold()
  await here.add(people(30, () => ({ key: 'fresh', other: 1 })))
  const counts = async () => [
    await countWhere(here, ofKey('key', 'exact', ['a'])),
    await countWhere(here, ofKey('key', 'exact', ['x'.repeat(300)])),
    await countWhere(here, ofKey('key', 'exact', ['8'])),
    await countWhere(here, ofKey('key', 'is_set', null)),
    await countWhere(here, ofKey('key', 'exact', ['changed'])),
    await countWhere(here, ofKey('key', 'exact', ['fresh'])),
  ]
  const expected = [485 - 57, 4, 4, 500, 30, 30]
  expect(await counts()).toEqual(expected)
  // What the column says counts, for the rows that it holds.
  const [column] = here.parts.personProperties.columns.filter(({ key }) => key === 'key')
  const name = column ? nameOf(column) : ''
  await here.sql(`UPDATE persons SET ${name} = 'b' WHERE ${name} = 'a' AND person_id BETWEEN 201 AND 300`)
  const [a = 0, ...others] = expected
  // All but the two long ones, and the three that are not in the column.
  expect(await counts()).toEqual([a - 95, ...others])
  await here.sql(`UPDATE persons SET ${name} = 'a' WHERE ${name} = 'b'`)
  await here.pass.finish()
  expect(await here.sql('SELECT count(*) FROM persons WHERE column_set < 2')).toEqual([[0n]])
  expect(await counts()).toEqual(expected)
  await here.store.close()
})

it('gives the place of a key that few people have to one that many have, and readers of before read on', async () => {
  const here = await open(newPath(), { personColumns: 1 })
  await here.add(people(1_000, (i) => (i % 5 === 0 ? { old: i } : {})))
  await here.fold()
  await here.pass.finish()
  expect(here.keys()).toEqual(['old'])
  const before = { ...here.parts.personProperties }
  await here.add(people(1_000, (i) => ({ new: i, ...(i % 5 === 0 ? { old: -i } : {}) })))
  await here.fold()
  await here.pass.finish()
  expect(here.keys()).toEqual(['new'])
  expect(await countWhere(here, ofKey('new', 'gt', ['499']))).toBe(500)
  expect(await countWhere(here, ofKey('old', 'lt', ['0']))).toBe(199)
  // It knows a column that the rows of later sets do not have.
  const known = here.parts.personProperties
  const now = { ...known }
  Object.assign(known, before)
  expect(await countWhere(here, ofKey('old', 'lt', ['0']))).toBe(199)
  Object.assign(known, now)
  await here.store.close()
  const again = await open(here.parts.database.path ?? '', { personColumns: 1 })
  expect(again.parts.personProperties.inTable.length).toBe(1)
  expect(await countWhere(again, ofKey('new', 'gt', ['499']))).toBe(500)
  await again.store.close()
})

it('takes another kind for a key whose values are of another kind by now', async () => {
  const here = await open(newPath())
  await here.add(people(300, (i) => ({ key: i })))
  await here.fold()
  await here.pass.finish()
  expect(here.parts.personProperties.columns.map(({ kind }) => kind)).toEqual(['number'])
  await here.add(people(300, (i) => ({ key: `text-${i}` })))
  await here.fold()
  await here.pass.finish()
  expect(here.parts.personProperties.columns.map(({ kind }) => kind)).toEqual(['string'])
  expect(await countWhere(here, ofKey('key', 'icontains', ['text-29']))).toBe(11)
  await here.store.close()
})

it('leaves nothing of a key when its people are gone', async () => {
  const path = newPath()
  const here = await open(path)
  await here.add(people(200, () => ({ secret: 'gone', plan: 'a' })))
  await here.add(people(200, () => ({ plan: 'b' }), 2))
  await here.fold()
  await here.pass.finish()
  expect(here.keys()).toEqual(['plan', 'secret'])
  await here.store.removeProject(1)
  await here.store.compact()
  expect(here.keys()).toEqual(['plan'])
  expect(here.parts.personProperties.inTable.length).toBe(1)
  expect(await idsWhere(here, ofKey('plan', 'exact', ['b']), 2)).toHaveLength(200)
  await here.add(people(100, (i) => ({ plan: i % 2 === 0 ? 'b' : 'c' }), 2))
  await here.fold()
  await here.pass.finish()
  expect(await idsWhere(here, ofKey('plan', 'exact', ['b']), 2)).toHaveLength(150)
  await here.store.close()
})

it('leaves nothing of a key whose people were erased, also when others wait to be filled', async () => {
  const here = await open(newPath())
  await here.add(people(200, (i) => (i < 50 ? { secret: 'gone', plan: 'a' } : { plan: 'a' })))
  await here.fold()
  await here.pass.finish()
  expect(here.keys()).toEqual(['plan', 'secret'])
  await here.add(people(60, (i) => (i < 50 ? {} : { plan: 'b' })).map((one, i) => ({ ...one, deleted: i < 50 })))
  const seq = here.parts.progress.lastSeq
  await here.store.erase(
    times(50, (i) => ({ id: i + 1, projectId: 1, personId: i + 1, distinctIds: [], cutoffSeq: seq })),
  )
  await here.store.compact()
  expect(here.keys()).toEqual(['plan'])
  expect(await countWhere(here, ofKey('plan', 'is_set', null))).toBe(150)
  await here.store.close()
})

it('leaves nothing of a key whose people are gone, while others are folded and not filled', async () => {
  const here = await open(newPath())
  await here.add(people(200, () => ({ plan: 'a' })))
  await here.add(people(200, () => ({ secret: 'gone', plan: 'a' }), 2))
  await here.fold()
  await here.pass.finish()
  expect(here.keys()).toEqual(['plan', 'secret'])
  await here.add(people(60, () => ({ plan: 'b' })))
  await here.fold()
  await here.store.removeProject(2)
  await here.store.compact()
  expect(await here.sql('SELECT count(*) FROM persons WHERE column_set = 0')).toEqual([[60n]])
  expect(here.keys()).toEqual(['plan'])
  expect(await countWhere(here, ofKey('plan', 'exact', ['b']))).toBe(60)
  await here.store.close()
})

it('a copy has the columns, and people that come meanwhile', async () => {
  const here = await open(newPath())
  await here.add(people(300, (i) => ({ plan: i % 2 })))
  await here.fold()
  await here.pass.finish()
  const file = newPath()
  await here.store.beginCopy(file)
  const adding = here
    .add(people(300, () => ({ plan: 1 })))
    .then(here.fold)
    .then(() => here.pass.finish())
  await here.store.finishCopy()
  await adding
  expect(await countWhere(here, ofKey('plan', 'exact', ['1']))).toBe(300)
  const copy = await open(file)
  expect(copy.keys()).toEqual(['plan'])
  expect(await countWhere(copy, ofKey('plan', 'exact', ['1']))).toBe(150)
  await copy.store.close()
  await here.store.close()
})

const CONDITIONS = conditionsOn('person')

async function answersOf(here: Here) {
  const { store } = here
  const trend = { projectId: 1, edges: [NOON - 1, NOON + 1], measure: { kind: 'actors' as const } }
  const breakdown = { of: 'person' as const, key: 'key', limit: 100 }
  const asked = times(60, (i) => i + 1)
  const fitting = await store.personsThatFit(1, asked, CONDITIONS)
  const answers: unknown[] = [
    await store.personValues({ projectId: 1, key: 'key', search: null }),
    await store.trend({ ...trend, selector: { event: null, filter: null }, breakdown }),
    fitting.map((ids) => ids.sort((a, b) => a - b)),
  ]
  for (const condition of CONDITIONS) {
    const { events } = await store.listEvents(1, { properties: condition }, { limit: 1_000 })
    answers.push({
      ids: await idsWhere(here, condition),
      events: events.map(({ distinctId }) => distinctId).sort(),
      trend: await store.trend({ ...trend, selector: { event: null, filter: condition }, breakdown: null }),
    })
  }
  return answers
}

it('answers as from the JSON, whatever the values are and whoever was changed since', async () => {
  const values = fc.array(fc.option(ANY_VALUE, { nil: undefined }), { minLength: 1, maxLength: 40 })
  const property = fc.asyncProperty(fc.constantFrom('text', 1, true), values, values, async (usual, first, later) => {
    const made = (value: unknown) => (value === undefined ? {} : { key: value })
    const here = await open(':memory:', { fillEvents: 70, kindShare: 0.5 })
    // Most of one kind, so that the key gets a column whatever else there is.
    await here.add(people(300, (i) => made(i < first.length ? first[i] : usual)))
    await here.own(times(60, (i) => [`id-${i + 1}`, i + 1]))
    const before = await answersOf(here)
    await here.fold()
    await here.pass.finish()
    expect(here.keys()).toEqual(['key'])
    expect(await answersOf(here)).toEqual(before)
    // Changed people: not folded, folded, filled.
    await here.add(people(later.length, (i) => made(later[i])))
    const changed = await answersOf(here)
    await here.fold()
    expect(await answersOf(here)).toEqual(changed)
    await here.pass.finish()
    expect(await answersOf(here)).toEqual(changed)
    await here.store.close()
  })
  await fc.assert(property, { numRuns: 3, endOnFailure: true })
})
