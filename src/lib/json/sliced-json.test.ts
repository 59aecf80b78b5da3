import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from './json.ts'
import { type Element, JsonScanner } from './json-scanner.ts'
import { parseInSlices, type SliceOptions } from './sliced-json.ts'

const UNBOUNDED = { depth: 1_000, nodes: 10_000_000 }
const OPTIONS: SliceOptions = { mostAtOnce: 10_000_000, replace: null, innerDepth: null }

function read(text: string | Buffer, options: Partial<SliceOptions> = {}): Promise<Json> {
  const bytes = Buffer.from(text as string)
  const elements: Element[] = []
  const scanner = new JsonScanner(UNBOUNDED, { elements: { depth: 0, found: elements } })
  // In steps of any size, as it comes from the network.
  for (let end = 1; end <= bytes.length; end += 3) scanner.scan(bytes, end)
  scanner.scan(bytes)
  return parseInSlices(bytes, elements, { ...OPTIONS, ...options })
}

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>
const list = fc.array(json, { maxLength: 8 })
const envelope = fc.record({ api_key: fc.string(), batch: list, '0': list, __proto__: json, other: json })
const spaced = fc.constantFrom(undefined, 1, '\n\t')

describe('parseInSlices', () => {
  it('reads what JSON.parse reads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(list, envelope, json), spaced, async (value, space) => {
        const text = JSON.stringify(value, null, space)
        expect(await read(text)).toEqual(JSON.parse(text))
        expect(await read(`\ufeff ${text} `)).toEqual(JSON.parse(text))
      }),
    )
  })
  it('refuses what JSON.parse refuses', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(list, envelope),
        fc.nat(),
        fc.constantFrom('', ',', '}', ']', '{', '"', 'x'),
        async (value, place, sign) => {
          const text = JSON.stringify(value)
          const at = place % text.length
          const broken = text.slice(0, at) + sign + text.slice(at + 1)
          let expected: unknown
          try {
            expected = JSON.parse(broken)
          } catch {
            await expect(read(broken)).rejects.toThrow()
            return
          }
          expect(await read(broken)).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })
  it.each(['', '[', '[{}', '[{} {}]', '[{},]', '{"batch":[{}', '{"batch":[{}]}]', '[{]}', '[[}]'])(
    'refuses %j',
    async (text) => {
      await expect(read(text)).rejects.toThrow()
    },
  )
  it('puts something else in the place of elements, unread', async () => {
    const text = `[{"a":1},7,{"b":${'[1]'.padEnd(50)}},{"broken":"${'\\q'.repeat(40)}"},null]`
    const seen: Element[] = []
    const replace = (element: Element) => {
      seen.push(element)
      return element.end - element.start > 40 ? 'long' : undefined
    }
    expect(await read(text, { replace })).toEqual([{ a: 1 }, 7, 'long', 'long', null])
    expect(seen.map(({ nodes }) => nodes)).toEqual([1, 2, 1])
  })
  it('reads large elements by their own lists, and refuses what cannot be read in small enough parts', async () => {
    const events = Array.from({ length: 40_000 }, (_, i) => ({ type: 3, timestamp: i, data: { at: [i, 'é😀'] } }))
    const items = [{ properties: { data: events, other: [[1], [{}]], more: { deep: [{}] } } }, { properties: {} }]
    for (const value of [items, { batch: items }, items[0] as Json]) {
      const text = JSON.stringify(value)
      expect(await read(text, { innerDepth: 3, mostAtOnce: 600_000 })).toEqual(value)
      await expect(read(text, { mostAtOnce: 600_000 })).rejects.toThrow('more than 600000 bytes')
    }
  })
})
