import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inflateParts, writeEvent } from './compression.ts'
import type { RrwebEvent } from './event.ts'

const zip = (value: unknown): string => gzipSync(Buffer.from(JSON.stringify(value))).toString('latin1')
const LIMIT = 1_000_000

const plain = async (event: RrwebEvent, limit = LIMIT) =>
  JSON.parse(writeEvent(event, await inflateParts([event], limit)))

const full = (data: unknown): RrwebEvent => ({ type: 2, data: zip(data), timestamp: 5, cv: '2024-10' })

describe('compressed parts of events', () => {
  it('are undone in a full snapshot and in the four fields of a mutation', async () => {
    const node = { node: { type: 0, childNodes: [], id: 1 }, text: 'ä " \\ \u2028 😀' }
    expect(await plain(full(node))).toEqual({ type: 2, data: node, timestamp: 5 })
    const data = { source: 0, texts: zip([1]), attributes: zip([]), removes: zip([]), adds: zip([{ id: 2 }]), x: 'y' }
    expect(await plain({ type: 3, data, timestamp: 5, cv: '2024-10', delay: 3 })).toEqual({
      type: 3,
      data: { source: 0, texts: [1], attributes: [], removes: [], adds: [{ id: 2 }], x: 'y' },
      timestamp: 5,
      delay: 3,
    })
  })
  it('are decompressed whatever their content, many at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 30 }), async (values) => {
        const events = values.map(full)
        const inflated = await inflateParts(events, 10 * LIMIT)
        const read = events.map((event) => JSON.parse(writeEvent(event, inflated)))
        expect(read).toEqual(values.map((data) => ({ type: 2, data: JSON.parse(JSON.stringify(data)), timestamp: 5 })))
      }),
    )
  })
  it.each([
    ['cut off', zip({ a: 1 }).slice(0, -3)],
    ['of a wrong check sum', zip({ a: 1 }).replace(/.{8}$/s, '\0\0\0\0\u0007\0\0\0')],
    ['followed by something else', `${zip({ a: 1 })}trailing`],
    ['no gzip', 'plain text that is long enough to be one'],
    ['no JSON', gzipSync(Buffer.from('{"a":')).toString('latin1')],
    ['JSON on several lines', gzipSync(Buffer.from('{\n"a": 1}')).toString('latin1')],
    ['not of bytes', zip({ a: 1 }).replace('\u008b', '\u028b')],
    ['empty', ''],
  ])('stay as they came when they are %s', async (_, data) => {
    const event: RrwebEvent = { type: 2, data, timestamp: 5, cv: '2024-10' }
    expect(await plain(event)).toEqual(event)
  })
  it('stay as they came beyond the limit; what fits before is undone', async () => {
    const bomb: RrwebEvent = { ...full(0), data: gzipSync(Buffer.alloc(50_000_000, '1')).toString('latin1') }
    const inflated = await inflateParts([full({ a: 1 }), bomb], LIMIT)
    expect(JSON.parse(writeEvent(full({ a: 1 }), inflated)).data).toEqual({ a: 1 })
    expect(JSON.parse(writeEvent(bomb, inflated))).toEqual(bomb)
  })
  it('cannot hide how long they are', async () => {
    const bytes = gzipSync(Buffer.alloc(50_000_000, '1'))
    bytes.writeUInt32LE(10, bytes.length - 4)
    const liar: RrwebEvent = { ...full(0), data: bytes.toString('latin1') }
    expect(await plain(liar)).toEqual(liar)
  })
  it('leave alone strings that only look like them', async () => {
    const event: RrwebEvent = { type: 2, data: zip({ a: 1 }), timestamp: 5 }
    expect(await plain(event)).toEqual(event)
    const mutation: RrwebEvent = { type: 3, data: { source: 0, id: zip(1) }, timestamp: 5, cv: '2024-10' }
    expect(await plain(mutation)).toEqual(mutation)
  })
  it('keep a field that is called like the prototype', async () => {
    const event = JSON.parse('{"type":2,"timestamp":5,"cv":"2024-10","__proto__":{"a":1}}') as RrwebEvent
    const line = writeEvent({ ...event, data: zip({ b: 2 }) }, await inflateParts([full({ b: 2 })], LIMIT))
    expect(line).toContain('"__proto__":{"a":1}')
  })
})
