import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Ends, eachElement, eachMember, endOfValue, findExcess, JsonScanner, skipSpace } from './json-scanner.ts'

const SPACES = ['', ' ', '\n\t ', '\r\n']

/** Any JSON, written with white space in all its places. */
const anyText = fc.record({ value: fc.jsonValue({ maxDepth: 4 }), indent: fc.nat(3), space: fc.nat(3) })

describe('scanning JSON', () => {
  it('finds the end of any value, whatever follows', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('', ',1', ' ,', ']', '}', '\n'), ({ value, indent }, rest) => {
        const text = Buffer.from(JSON.stringify(value, null, indent))
        expect(endOfValue(Buffer.concat([text, Buffer.from(rest)]), 0)).toBe(text.length)
      }),
    )
  })
  it('finds the elements of any array', () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.nat(3), (items, space) => {
        const gap = SPACES[space] ?? ''
        const written = items.map(({ value, indent }) => JSON.stringify(value, null, indent))
        const bytes = Buffer.from(`[${gap}${written.join(`${gap},${gap}`)}${gap}]after`)
        const found: string[] = []
        const end = eachElement(bytes, 0, (start) => {
          const stop = endOfValue(bytes, start)
          found.push(bytes.toString('utf8', start, stop))
          return stop
        })
        expect(found).toEqual(written)
        expect(bytes.toString('utf8', end)).toBe('after')
      }),
    )
  })
  it('finds the members of any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), fc.nat(3), (object, indent) => {
        const bytes = Buffer.from(`${JSON.stringify(object, null, indent)} `)
        const found: [string, unknown][] = []
        const end = eachMember(bytes, 0, (name, start) => {
          const stop = endOfValue(bytes, start)
          const key = JSON.parse(`"${Buffer.from(name, 'latin1').toString('utf8')}"`)
          found.push([key, JSON.parse(bytes.toString('utf8', start, stop))])
          return stop
        })
        expect(found).toEqual(Object.entries(JSON.parse(JSON.stringify(object))))
        expect(end).toBe(bytes.length - 1)
      }),
    )
  })
  it('comes to an end in what is no JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '[', '"', '\\', ',', ':', ']', '}', ' ', '1') }), (text) => {
        const bytes = Buffer.from(text)
        endOfValue(bytes, skipSpace(bytes, 0))
        eachElement(bytes, 0, (start) => Math.max(start + 1, endOfValue(bytes, start)))
        eachMember(bytes, 0, (_, start) => Math.max(start + 1, endOfValue(bytes, start)))
        return true
      }),
    )
  })
  it.each([
    ['[[1]]', 2, false],
    ['[[1]]', 1, true],
    ['{"a":{"b":[]}}', 3, false],
    ['{"a":{"b":[]}}', 2, true],
    ['["[[[[[[", "\\"[[[[", "\\\\"]', 1, false],
    ['[[],[],[],[]]', 2, false],
  ])('sees whether %s nests deeper than %i', (text, depth, deeper) => {
    expect(findExcess(Buffer.from(text), { depth, nodes: 10 })).toBe(deeper ? 'depth' : null)
  })
  it('sees how many lists and objects there are', () => {
    const text = Buffer.from('[{"a":[],"b":"[[["},{}]')
    expect([4, 3].map((nodes) => findExcess(text, { depth: 9, nodes }))).toEqual([null, 'nodes'])
  })
  it('notes where lists and objects end', () => {
    fc.assert(
      fc.property(anyText, ({ value, indent }) => {
        const bytes = Buffer.from(JSON.stringify(value, null, indent))
        const ends: Ends = new Map()
        findExcess(bytes, { depth: 100, nodes: 100_000 }, ends)
        for (const [start, end] of ends) expect(end).toBe(endOfValue(bytes, start))
        expect(ends.has(0)).toBe(typeof value === 'object' && value !== null)
      }),
    )
  })
  it('sees the same in steps of any length', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 9 }), ({ value, indent }, step) => {
        const bytes = Buffer.from(JSON.stringify(value, null, indent))
        const [whole, stepped]: [Ends, Ends] = [new Map(), new Map()]
        const bounds = { depth: 100, nodes: 100_000 }
        const [atOnce, inSteps] = [whole, stepped].map((ends) => new JsonScanner(bounds, { ends })) as [
          JsonScanner,
          JsonScanner,
        ]
        atOnce.scan(bytes)
        for (let end = step; inSteps.at < bytes.length; end += step) inSteps.scan(bytes, Math.min(end, bytes.length))
        expect([stepped, inSteps.nodes, inSteps.commas]).toEqual([whole, atOnce.nodes, atOnce.commas])
      }),
    )
  })
})
