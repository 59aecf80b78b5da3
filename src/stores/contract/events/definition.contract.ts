/** What an EventStore must derive from its data: names of events, keys and types of properties, values. */
import { describe, expect, it } from 'vitest'
import type { PropertyNamesQuery, PropertyType } from '../../../model/events/event.ts'
import { applyEvents, makeBatch, makePerson, NOON, type Opened } from '../batch-builders.ts'

const LONG = 'lang é"\\👩 '.repeat(3_000)
const PAGE = { limit: 100, offset: 0 }

function naming(opened: () => Opened): void {
  const filled = async () => {
    const here = opened()
    await applyEvents(here, [
      { event: 'b', timestamp: 5.5 },
      { event: 'B é', timestamp: 2 },
      { event: 'b', timestamp: 3.25 },
      { event: '$set' },
    ])
    return here
  }
  const names = async ({ store, projectId }: Opened, words: string[] = [], page = PAGE) => {
    const { count, items } = await store.eventNames({ projectId, words, page })
    return [count, ...items.map(({ name }) => name)]
  }

  it('lists each name once, by name, with its count and its times', async () => {
    const { store, projectId } = await filled()
    expect(await store.eventNames({ projectId, words: [], page: PAGE })).toEqual({
      count: 3,
      items: [
        { name: '$set', count: 1, firstAt: NOON, lastAt: NOON },
        { name: 'B é', count: 1, firstAt: 2, lastAt: 2 },
        { name: 'b', count: 2, firstAt: 3.25, lastAt: 5.5 },
      ],
    })
  })

  it('finds names by words, whatever the case', async () => {
    const here = await filled()
    expect(await names(here, ['b'])).toEqual([2, 'B é', 'b'])
    expect(await names(here, ['É', 'b'])).toEqual([1, 'B é'])
    expect(await names(here, ['%'])).toEqual([0])
  })

  it('returns pages and the total count', async () => {
    const here = await filled()
    expect(await names(here, [], { limit: 1, offset: 1 })).toEqual([3, 'B é'])
    expect(await names(here, [], { limit: 2, offset: 2 })).toEqual([3, 'b'])
    expect(await names(here, [], { limit: 1, offset: 3 })).toEqual([3])
    expect(await names(here, [], { limit: 1, offset: Number.MAX_SAFE_INTEGER })).toEqual([3])
  })

  it('knows nothing of other projects', async () => {
    const { store, projectId } = await filled()
    expect(await names({ store, projectId: projectId + 100_000 })).toEqual([0])
  })
}

const TYPED: [string, unknown[], PropertyType | null][] = [
  ['text', ['a', '', 'true', '1'], 'String'],
  ['numbers', [1, -1.5, 1e21, null], 'Numeric'],
  ['booleans', [true, false], 'Boolean'],
  ['dates', ['2026-03-01', '2026-03-01T12:00:00.5+02:00'], 'DateTime'],
  ['a date and a word', ['2026-03-01', 'soon'], 'String'],
  ['mixed', [1, 'a'], 'String'],
  ['a list and a number', [[1], 1], 'String'],
  ['lists and objects', [[], { a: 1 }], null],
  ['nulls', [null], null],
]

function typing(opened: () => Opened): void {
  const ask = ({ store, projectId }: Opened, given: Partial<PropertyNamesQuery> = {}) =>
    store.propertyNames({ projectId, of: 'event', words: [], isNumerical: null, page: PAGE, ...given })
  const namesOf = async (here: Opened, given: Partial<PropertyNamesQuery>) =>
    (await ask(here, given)).items.map(({ name }) => name)

  it.each(TYPED)('learns the type of %s', async (_name, values, type) => {
    const here = opened()
    await applyEvents(
      here,
      values.map((p) => ({ properties: { p } })),
    )
    expect(await ask(here)).toEqual({ count: 1, items: [{ name: 'p', count: values.length, type }] })
  })

  it.each(TYPED)('learns it of people: %s', async (_name, values, type) => {
    const here = opened()
    const persons = values.map((p, personId) => makePerson(here.projectId, { personId, properties: { p } }))
    await here.store.apply([makeBatch(1, { persons })], NOON)
    expect(await ask(here, { of: 'person' })).toEqual({ count: 1, items: [{ name: 'p', count: values.length, type }] })
    expect(await ask(here)).toEqual({ count: 0, items: [] })
  })

  it('learns from long properties too, and takes keys literally', async () => {
    const here = opened()
    const properties = JSON.parse('{"__proto__": 1, "a.b": true, "": 2, "é\\n\\"": "x"}')
    await applyEvents(here, [{ properties: { ...properties, LONG } }, { properties }])
    expect((await ask(here)).items).toEqual([
      { name: '', count: 2, type: 'Numeric' },
      { name: 'LONG', count: 1, type: 'String' },
      { name: '__proto__', count: 2, type: 'Numeric' },
      { name: 'a.b', count: 2, type: 'Boolean' },
      { name: 'é\n"', count: 2, type: 'String' },
    ])
  })

  it('uses the current properties of people', async () => {
    const here = opened()
    const person = (personId: number, properties: object, deleted = false) =>
      makePerson(here.projectId, { personId, properties: { ...properties }, deleted })
    const batches = [
      makeBatch(2, { persons: [person(1, { now: 1, LONG }), person(2, {}, true)] }),
      makeBatch(1, { persons: [person(1, { before: 1 }), person(2, { gone: 1 }), person(3, { now: 2 })] }),
    ]
    await here.store.apply(batches, NOON)
    expect((await ask(here, { of: 'person' })).items).toEqual([
      { name: 'LONG', count: 1, type: 'String' },
      { name: 'now', count: 2, type: 'Numeric' },
    ])
  })

  it('finds by words and by numeric type, and returns pages', async () => {
    const here = opened()
    await applyEvents(here, [{ properties: { price: 1, Prices: 'x', plan: null, stock: 2 } }])
    expect(await namesOf(here, { words: ['PRICE'] })).toEqual(['Prices', 'price'])
    expect(await namesOf(here, { isNumerical: true })).toEqual(['price', 'stock'])
    expect(await namesOf(here, { isNumerical: false })).toEqual(['Prices', 'plan'])
    expect(await namesOf(here, { page: { limit: 2, offset: 1 } })).toEqual(['plan', 'price'])
    expect(await ask(here, { page: { limit: 2, offset: 9 } })).toEqual({ count: 4, items: [] })
  })
}

function valuing(opened: () => Opened): void {
  const ask = ({ store, projectId }: Opened, given: object = {}) =>
    store.eventValues({ projectId, key: 'p', event: null, search: null, limit: 20, ...given })

  it('counts the values of one key, the most frequent first, then by name', async () => {
    const here = opened()
    const values = ['b', 'a', 'b', 1, 1.5, true, null, '', ['x'], { y: null }]
    await applyEvents(here, [
      ...values.map((p) => ({ properties: { p, 'a.b': 'dotted', a: { b: 'nested' } } })),
      { properties: { p: 'b', LONG } },
      { properties: { p: LONG } },
      { properties: {} },
    ])
    expect((await ask(here)).map(({ name, count }) => `${name}: ${count}`)).toEqual([
      'b: 3',
      '1: 1',
      '1.5: 1',
      '["x"]: 1',
      'a: 1',
      'true: 1',
      '{"y":null}: 1',
    ])
    expect(await ask(here, { key: 'a.b' })).toEqual([{ name: 'dotted', count: values.length }])
    expect(await ask(here, { limit: 1 })).toEqual([{ name: 'b', count: 3 }])
    expect(await ask(here, { key: 'none' })).toEqual([])
  })

  it('filters by event and by part of the value, whatever the case', async () => {
    const here = opened()
    await applyEvents(here, [
      { event: 'x', properties: { p: 'Zürich' } },
      { event: 'y', properties: { p: 'ZÜRICH-WEST' } },
      { event: 'y', properties: { p: '100%' } },
    ])
    expect((await ask(here, { search: 'zür' })).map(({ name }) => name)).toEqual(['ZÜRICH-WEST', 'Zürich'])
    expect((await ask(here, { search: 'zür', event: 'x' })).map(({ name }) => name)).toEqual(['Zürich'])
    expect((await ask(here, { search: '%' })).map(({ name }) => name)).toEqual(['100%'])
    expect(await ask(here, { event: 'X' })).toEqual([])
    expect(await ask({ ...here, projectId: here.projectId + 100_000 })).toEqual([])
  })
}

export function definitions(opened: () => Opened): void {
  describe('names of events', () => naming(opened))
  describe('keys of properties', () => typing(opened))
  describe('values of a property', () => valuing(opened))
}
