import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bytesOf, changesOf, growthOf, setProperty } from './person-properties.ts'

const key = fc.constantFrom('a', 'b', 'ü', '"', '__proto__', 'constructor')
const properties = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true, maxKeys: 6 })
const update = fc.record({ set: properties, setOnce: properties, unset: fc.array(key, { maxLength: 3 }) })

/** JSON text keeps what an object literal would lose: the key `__proto__`. */
const entriesOf = (object: object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))

it('$set_once fills what is missing, $set replaces, $unset removes what was there, and the size follows', () => {
  fc.assert(
    fc.property(properties, fc.array(update, { maxLength: 5 }), (start, updates) => {
      const person = JSON.parse(JSON.stringify(start))
      let bytes = bytesOf(JSON.stringify(person))
      let expected = new Map(Object.entries(person))
      for (const { set, setOnce, unset } of updates) {
        const removed = unset.filter((name) => expected.has(name))
        expected = new Map([...Object.entries(setOnce), ...expected, ...Object.entries(set)])
        for (const name of removed) expected.delete(name)

        const changes = changesOf(person, { set, setOnce, unset })
        bytes += growthOf(person, changes)
        for (const [name, value] of changes) setProperty(person, name, value)
        expect(entriesOf(person)).toEqual(entriesOf(Object.fromEntries(expected)))
        expect(bytes).toBe(bytesOf(JSON.stringify(person)))
        expect(bytes).toBe(Math.max(1, Buffer.byteLength(JSON.stringify(person)) - (expected.size === 0 ? 1 : 0)))
      }
      expect(Object.getPrototypeOf(person)).toBe(Object.prototype)
    }),
    { numRuns: 2_000 },
  )
})

it('what is the same changes nothing', () => {
  const current = { a: 1, list: [1, { b: null }] }
  expect(changesOf(current, { set: { a: 1, list: [1, { b: null }] }, setOnce: { a: 2 }, unset: ['c'] }).size).toBe(0)
})
