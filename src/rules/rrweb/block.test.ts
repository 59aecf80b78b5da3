import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  blockLines,
  blockText,
  CHAIN_START,
  type ChainEnd,
  extendChain,
  isFull,
  linesLength,
  packBlock,
  readBlock,
  unpackBlock,
} from './block.ts'

const anyText = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ minLength: 1, maxLength: 40 }).map((text) => text.repeat(2_000)),
)

describe('blocks of a recording', () => {
  it('begin with the vocabulary that those stored by every earlier version began with', () => {
    expect(createHash('sha256').update(CHAIN_START).digest('hex')).toBe(
      '90f8930e6158160117c114451d6061a6e9f6a5047b65d10f278c0bfc908c2e76',
    )
  })
  it('give back their text when read with the same texts before them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 12 }), async (texts) => {
        let writing: ChainEnd | null = null
        let reading: ChainEnd | null = null
        for (const [i, content] of texts.entries()) {
          const text = Buffer.from(content)
          const bytes: Buffer = await packBlock(text, writing?.tail ?? CHAIN_START)
          writing = extendChain(writing, i, text)
          const back = await unpackBlock(bytes, reading?.tail ?? CHAIN_START)
          expect(back.equals(text)).toBe(true)
          reading = extendChain(reading, i, back)
        }
      }),
    )
  })
  it('compress what was said before to almost nothing', async () => {
    const text = Buffer.from(Array.from({ length: 200 }, (_, i) => `{"id":${i * 7_919},"word":"${i}"}`).join('\n'))
    const chain = extendChain(null, 0, text)
    const alone = await packBlock(text, CHAIN_START)
    const after = await packBlock(text, chain.tail)
    expect(after.length).toBeLessThan(alone.length / 10)
  })
  it('read as lines that name the window of each event', () => {
    const event = fc.record({ timestamp: fc.nat(), data: fc.string() }).map((value) => JSON.stringify(value))
    const part = fc.record({ window: fc.string(), events: fc.array(event) })
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const texts = parts.map(({ window, events }) =>
          blockText(
            window,
            events.map((json, i) => (i % 2 ? json : Buffer.from(json))),
          ),
        )
        const text = Buffer.concat(texts)
        const expected = parts.flatMap(({ window, events }) =>
          events.map((json) => `[${JSON.stringify(window)},${json}]\n`),
        )
        expect(blockLines(text).toString()).toBe(expected.join(''))
        expect([...readBlock(text)].map(({ event: json }) => json.toString())).toEqual(
          parts.flatMap(({ events }) => events),
        )
        const lengths = parts.map(({ window, events }, i) => linesLength(texts[i] ?? text, window, events.length))
        expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(blockLines(text).length)
      }),
    )
  })
  it('build on at most a hundred others, or a megabyte of text', () => {
    let short: ChainEnd | null = null
    for (let i = 0; i < 99; i++) short = extendChain(short, i, Buffer.from('x'))
    expect(short && isFull(short)).toBe(false)
    expect(isFull(extendChain(short, 99, Buffer.from('x')))).toBe(true)
    expect(isFull(extendChain(null, 0, Buffer.alloc(1_000_000)))).toBe(true)
  })
})
