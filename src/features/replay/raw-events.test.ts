import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Ends, findExcess } from '../../lib/json/json-scanner.ts'
import { rawEvents } from './raw-events.ts'

function scan(bytes: Buffer) {
  const ends: Ends = new Map()
  findExcess(bytes, { depth: 100, nodes: 1_000_000 }, ends)
  return rawEvents({ bytes, ends })
}

const found = (text: string) => scan(Buffer.from(text)).map((item) => item?.map((event) => event.toString()) ?? null)

describe('raw events', () => {
  it('are found in any request, value for value', () => {
    const item = fc.record({
      data: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }),
      before: fc.jsonValue({ maxDepth: 2 }),
      after: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
    })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 4 }), (items) => {
        const body = items.map(({ data, before, after }) => ({
          ...after,
          uuid: before,
          properties: { ...after, token: before, $snapshot_data: data, $session_id: before },
          sent_at: before,
        }))
        const expected = items.map(({ data }) => data.map((event) => JSON.stringify(event)))
        expect(found(JSON.stringify(body))).toEqual(expected)
        for (const [i, one] of body.entries()) expect(found(JSON.stringify(one))).toEqual([expected[i]])
      }),
    )
  })
  it('are not changed: numbers and escapes stay what they are', () => {
    const event = '{"timestamp":1.50e3,"big":12345678901234567890,"text":"\\u0000\\ud800\\/","a":1,"a":2}'
    expect(found(`[{"properties":{"$snapshot_data":[ ${event} , ${event}]}}]`)).toEqual([[event, event]])
  })
  it('may be a single one', () => {
    expect(found('{"properties":{"$snapshot_data":{"timestamp":1}}}')).toEqual([['{"timestamp":1}']])
  })
  it.each([
    ['several lines', '[{"properties":{"$snapshot_data":[{"a":\n1}]}}]', [null]],
    ['no properties', '[{"a":1},{"properties":7},7]', [null, null, null]],
    ['no data', '[{"properties":{"a":{"$snapshot_data":[1]}}}]', [null]],
    ['names that are written with escapes', '[{"properties":{"\\u0024snapshot_data":[1]}}]', [null]],
    [
      'lines between the events',
      '[\n{"properties":{"$snapshot_data":[\n{"a":1}\n,{"b":2}]}}\n]\n',
      [['{"a":1}', '{"b":2}']],
    ],
    [
      'names that stand twice',
      '[{"properties":{"$snapshot_data":[1]},"properties":{"$snapshot_data":[2],"$snapshot_data":[3]}}]',
      [['3']],
    ],
    ['properties that are overwritten', '[{"properties":{"$snapshot_data":[1]},"properties":{}}]', [null]],
  ])('are taken from %s only when they can be', (_, text, expected) => {
    expect(found(text)).toEqual(expected)
  })
  it('are not taken from what is not UTF-8', () => {
    const bytes = Buffer.from('[{"properties":{"$snapshot_data":[{"a":"x"}]}}]')
    bytes[bytes.indexOf('x')] = 0xff
    expect(scan(bytes)).toEqual([])
  })
})
