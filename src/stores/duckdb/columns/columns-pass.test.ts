/** Common properties get columns by themselves, and answers do not depend on where a value is read from. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { MINUTE } from '../../../lib/time/time.ts'
import type { PropertyCondition } from '../../../model/persons/person.ts'
import { makeBatch, makeEvent, makePerson, NOON } from '../../contract/batch-builders.ts'
import { applyBatches } from '../apply-batches.ts'
import { createStore } from '../events.ts'
import { openParts } from '../open-parts.ts'
import { foldAll } from '../people/people-projection.ts'
import { LIMITS, type Limits } from '../progress.ts'
import { ANY_VALUE, conditionOn, conditionsOn } from './any-value.ts'
import { startColumnsPass } from './columns-pass.ts'

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-columns-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newPath = () => join(folder, `${++files}.duckdb`)

type Values = Record<string, unknown>

/** A store whose columns are filled only when the test says so. */
async function open(path: string, given: Partial<Limits> = {}) {
  const parts = await openParts(path, { ...LIMITS, blockEvents: 500, fillEvents: 200, commonEvents: 100, ...given })
  const pass = startColumnsPass(parts)
  const store = createStore(parts, pass)
  let seq = parts.progress.lastOrd
  return {
    parts,
    pass,
    store,
    add: (rows: Values[], projectId = 1, distinctId = 'ann') =>
      applyBatches(
        parts,
        [
          makeBatch(++seq, {
            events: rows.map((properties, i) =>
              makeEvent(projectId, { distinctId, timestamp: NOON + i * MINUTE, properties }),
            ),
          }),
        ],
        NOON,
      ),
    keys: () => parts.properties.columns.map(({ key }) => key).sort(),
    sql: async (sql: string) =>
      (await parts.database.exclusive((connection) => connection.runAndReadAll(sql))).getRows(),
  }
}

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

const ofKey = conditionOn('event')

const countWhere = async ({ store }: Awaited<ReturnType<typeof open>>, condition: PropertyCondition, projectId = 1) =>
  (await store.listEvents(projectId, { properties: condition }, { limit: 10_000 })).events.length

it('gives columns to keys that many events have, whose values repeat and are of one kind', async () => {
  const here = await open(newPath())
  await here.add(
    times(500, (i) => ({
      browser: ['Chrome', 'Safari'][i % 2],
      price: i % 10,
      isPaid: i % 3 === 0,
      id: `${i}-${'x'.repeat(30)}`,
      mixed: i % 2 === 0 ? 1 : 'one',
      list: [1, 2],
      text: 'long '.repeat(100),
      ...(i % 20 === 0 ? { rare: 'yes' } : {}),
    })),
  )
  // Too few events to tell what is common in the project.
  await here.add(
    times(50, () => ({ small: 'project' })),
    2,
  )
  await here.pass.finish()
  expect(here.keys()).toEqual(['browser', 'isPaid', 'price'])
  await here.store.close()
})

it('reads columns as far as they are filled, and the JSON beyond and where a column cannot hold the value', async () => {
  const here = await open(newPath())
  const value = (i: number) => (i % 100 === 7 ? 'x'.repeat(300) : i % 100 === 8 ? 8 : i % 100 === 9 ? null : 'a')
  await here.add(times(500, (i) => ({ key: value(i), other: i % 2 })))
  await here.pass.finish()
  await here.add(times(100, (i) => ({ key: value(i), other: i % 2 })))
  expect(here.keys()).toEqual(['key', 'other'])
  const counts = async () => [
    await countWhere(here, ofKey('key', 'exact', ['a'])),
    await countWhere(here, ofKey('key', 'exact', ['x'.repeat(300)])),
    await countWhere(here, ofKey('key', 'exact', ['8'])),
    await countWhere(here, ofKey('key', 'is_set', null)),
    await countWhere(here, ofKey('key', 'is_not', ['a'])),
  ]
  expect(await counts()).toEqual([582, 6, 6, 600, 18])
  // What the column says counts, for the events that it holds.
  const [{ number } = { number: 0 }] = here.parts.properties.columns.filter(({ key }) => key === 'key')
  await here.sql(`UPDATE events SET p${number} = 'b' WHERE p${number} = 'a' AND ord <= 100`)
  expect(await counts()).toEqual([582 - 97, 6, 6, 600, 18 + 97])
  await here.store.close()
})

it('reads the JSON of no block without the key', async () => {
  const here = await open(newPath())
  await here.add(times(500, () => ({ plain: 1 })))
  await here.add(times(500, (i) => (i === 250 ? { plain: 1, coupon: 'C' } : { plain: 1 })))
  await here.add(times(500, () => ({ plain: 1 })))
  await here.pass.finish()
  expect(here.keys()).toEqual(['plain'])
  const counts = async () => [
    await countWhere(here, ofKey('coupon', 'exact', ['C'])),
    await countWhere(here, ofKey('coupon', 'is_not_set', null)),
  ]
  expect(await counts()).toEqual([1, 1_499])
  // Not there as far as is known: only the block that has the key is read.
  await here.sql(`UPDATE events SET properties = '{"coupon":"C"}' WHERE ord IN (100, 600, 1400)`)
  expect(await counts()).toEqual([2, 1_498])
  await here.store.close()
})

it('finds events of several ids by a key without a column', async () => {
  const here = await open(newPath())
  const rare = (i: number) => (i % 100 === 0 ? { plain: 1, coupon: 'C' } : { plain: 1 })
  for (const id of ['ann', 'bob', 'cid']) await here.add(times(500, rare), 1, id)
  await here.pass.finish()
  const filter = { distinctIds: ['ann', 'bob'], properties: ofKey('coupon', 'exact', ['C']) }
  const { events } = await here.store.listEvents(1, filter, { limit: 100 })
  expect(events.map(({ distinctId }) => distinctId).sort()).toEqual([
    ...times(5, () => 'ann'),
    ...times(5, () => 'bob'),
  ])
  await here.store.close()
})

it('gives the place of a key that few events have to one that many have, and keeps to the bytes it may take', async () => {
  const path = newPath()
  const here = await open(path, { columns: 2, blockEvents: 100, commonEvents: 10 })
  await here.add(times(100, (i) => ({ a: i % 2, b: i % 3 })))
  await here.pass.finish()
  expect(here.keys()).toEqual(['a', 'b'])
  for (let n = 0; n < 5; n++) await here.add(times(100, (i) => ({ b: i % 2, c: i % 3 })))
  await here.pass.finish()
  expect(here.keys()).toEqual(['b', 'c'])
  expect(await countWhere(here, ofKey('a', 'exact', ['1']))).toBe(50)
  expect(await countWhere(here, ofKey('c', 'exact', ['1']))).toBe(5 * 33)
  await here.store.close()
  const again = await open(path, { columns: 2, allColumnBytes: 0.5 })
  expect(again.parts.properties.inTable.length).toBe(2)
  expect(await countWhere(again, ofKey('c', 'exact', ['1']))).toBe(5 * 33)
  await again.add(times(500, (i) => ({ d: i % 2 })))
  await again.pass.finish()
  expect(again.keys()).toEqual(['b', 'c'])
  await again.store.close()
})

it('drops a column whose values turn out not to repeat', async () => {
  const here = await open(newPath())
  await here.add(times(500, (i) => ({ id: `person-${i % 5}-with-a-long-name` })))
  await here.pass.finish()
  expect(here.keys()).toEqual(['id'])
  await here.add(times(1_500, (i) => ({ id: `person-${i}-with-a-long-name` })))
  await here.pass.finish()
  expect(here.keys()).toEqual([])
  expect(await countWhere(here, ofKey('id', 'exact', ['person-3-with-a-long-name']))).toBe(101)
  await here.store.close()
})

it('leaves nothing of a key when its events are gone, and fills what takes their numbers', async () => {
  const path = newPath()
  const here = await open(path)
  await here.add(times(500, (i) => ({ common: i % 2 })))
  await here.add(
    times(500, (i) => ({ common: i % 2, secretKey: 'secret-value' })),
    1,
    'bob',
  )
  await here.pass.finish()
  expect(here.keys()).toEqual(['common', 'secretKey'])
  await here.store.erase([{ id: 1, projectId: 1, personId: 2, distinctIds: ['bob'], cutoffSeq: 10_000 }])
  expect(await here.store.compact()).not.toBeNull()
  expect(here.keys()).toEqual(['common'])
  expect(here.parts.properties.inTable.length).toBe(1)
  expect(await countWhere(here, ofKey('common', 'exact', ['1']))).toBe(250)
  await here.store.close()
  expect(readFileSync(path).includes('secret')).toBe(false)
  const again = await open(path)
  // Under the numbers of the events that were removed.
  await again.add(times(400, () => ({ common: 1 })))
  expect(await countWhere(again, ofKey('common', 'exact', ['1']))).toBe(650)
  await again.add(times(100, () => ({ common: 1 })))
  await again.pass.finish()
  expect(again.parts.properties.columns.map(({ filled }) => filled)).toEqual([1_000])
  expect(await countWhere(again, ofKey('common', 'exact', ['1']))).toBe(750)
  await again.store.close()
})

it('a copy has the columns, and events that come meanwhile', async () => {
  const here = await open(newPath())
  await here.add(times(700, (i) => ({ common: i % 2 })))
  await here.pass.finish()
  const file = newPath()
  await here.store.beginCopy(file)
  const adding = here.add(times(500, (i) => ({ common: i % 2 }))).then(() => here.pass.finish())
  await here.store.finishCopy()
  await adding
  expect(await countWhere(here, ofKey('common', 'exact', ['1']))).toBe(600)
  const copy = await open(file)
  expect(copy.keys()).toEqual(['common'])
  expect(await countWhere(copy, ofKey('common', 'exact', ['1']))).toBe(350)
  await copy.store.close()
  await here.store.close()
})

it('fills a store of the version before, whose columns of properties came before those of actors', async () => {
  const path = newPath()
  const before = await open(path, { foldRows: 4 })
  for (let n = 0; n < 10; n++)
    await before.add(
      times(100, (i) => ({ common: i % 2 })),
      1,
      `id-${n % 4}`,
    )
  await before.pass.finish()
  const owns = (seq: number, personId: number, ...ids: string[]) =>
    makeBatch(seq, { distinctIds: ids.map((distinctId) => ({ projectId: 1, distinctId, personId })) })
  await applyBatches(before.parts, [owns(5_000, 7, 'id-0', 'id-1')], NOON)
  // It comes late and is not folded yet.
  await applyBatches(before.parts, [owns(4_000, 8, 'id-0')], NOON)
  expect(await before.sql('SELECT person_id FROM fresh_distinct_ids')).toEqual([[8n]])
  await before.sql('ALTER TABLE events DROP id_hash')
  await before.sql('ALTER TABLE events DROP actor')
  await before.sql('ALTER TABLE fresh_distinct_ids DROP id_hash')
  await before.sql('ALTER TABLE persons DROP column_set')
  for (const table of ['overrides', 'person_columns']) await before.sql(`DROP TABLE ${table}`)
  await before.sql('DELETE FROM schema_version WHERE version >= 8')
  await before.store.close()

  const here = await open(path)
  const question = {
    projectId: 1,
    selector: { event: null, filter: null },
    edges: [NOON, NOON + 1_000 * MINUTE],
    measure: { kind: 'actors' as const },
    breakdown: { of: 'event' as const, key: 'common', limit: 5 },
  }
  const line = (text: string) => ({ breakdown: { kind: 'value', text }, values: [4] })
  const answer = [line('0'), line('1')]
  // Rows are appended in the order that the table has by now.
  await here.add(
    times(100, (i) => ({ common: i % 2 })),
    1,
    'id-4',
  )
  expect(await here.store.trend(question)).toEqual(answer)
  expect(here.keys()).toEqual([])
  await here.pass.finish()
  expect(here.keys()).toEqual(['common'])
  expect(await here.sql('SELECT count(*) FROM events WHERE actor IS NULL')).toEqual([[0n]])
  expect(await here.store.trend(question)).toEqual(answer)
  await here.store.close()
})

const CONDITIONS = conditionsOn('event')

it('answers as from the JSON, whatever the values are', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom('text', 1, true),
    fc.array(fc.option(ANY_VALUE, { nil: undefined }), { minLength: 1, maxLength: 40 }),
    async (usual, values) => {
      // Most of one kind, so that the key gets a column whatever else there is.
      const rows = [...values, ...times(1_000, () => usual)].map((key) => (key === undefined ? {} : { key }))
      const here = await open(':memory:', { blockEvents: 1_000, fillEvents: 300 })
      await here.add(rows)
      const answers = async () => {
        const trend = {
          projectId: 1,
          selector: { event: null, filter: null },
          edges: [NOON - 1, NOON + rows.length * MINUTE],
          breakdown: { of: 'event' as const, key: 'key', limit: 100 },
        }
        const lists: number[] = []
        for (const condition of CONDITIONS) lists.push(await countWhere(here, condition))
        return {
          lists,
          byValue: await here.store.trend({ ...trend, measure: { kind: 'events' } }),
          sums: await here.store.trend({ ...trend, breakdown: null, measure: { kind: 'max', property: 'key' } }),
        }
      }
      const before = await answers()
      await here.pass.finish()
      expect(here.keys()).toEqual(['key'])
      expect(await answers()).toEqual(before)
      await here.store.close()
    },
  )
  await fc.assert(property, { numRuns: 12 })
})

it('is tried again when it fails, and holds up nothing meanwhile', async () => {
  const here = await open(newPath())
  const { parts, store } = here
  const { read } = parts.database
  let failures = 0
  const failOnce: typeof read = (work, options) => {
    if (options?.kind !== 'upkeep' || failures > 0) return read(work, options)
    failures += 1
    return Promise.reject(new Error('no memory'))
  }
  parts.database.read = failOnce
  const events = times(500, (i) => makeEvent(1, { properties: { common: i % 2 } }))
  await store.apply([makeBatch(1, { events })], NOON)
  expect(await countWhere(here, ofKey('common', 'exact', ['1']))).toBe(250)
  const isFilled = () => here.keys().length > 0 && parts.properties.columns.every(({ filled }) => filled === 500)
  await expect.poll(isFilled).toBe(true)
  expect(failures).toBe(1)
  await store.close()
})

it('does what else is due when a step keeps failing', async () => {
  const here = await open(newPath())
  const { parts, store } = here
  // There is no such column.
  const column = { key: 'plan', number: 99, kind: 'string' as const, hasNull: true, width: 1, since: 1 }
  parts.personProperties.columns = [column]
  await applyBatches(parts, [makeBatch(1, { persons: [makePerson(1)] })], NOON)
  await parts.database.write((connection) => foldAll(connection, parts))
  parts.progress.unfilledPersons = 1
  await expect(here.pass.finish()).rejects.toThrow('p99')
  const events = times(500, (i) => makeEvent(1, { properties: { common: i % 2 } }))
  await store.apply([makeBatch(2, { events })], NOON)
  await expect.poll(() => here.keys().length).toBeGreaterThan(0)
  expect(parts.progress.unfilledPersons).toBe(1)
  await store.close()
})
