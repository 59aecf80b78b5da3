import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChainEnd, extendChain, isFull, packBlock, unpackBlock } from './rrweb-block.ts'

const anyText = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ minLength: 1, maxLength: 40 }).map((text) => text.repeat(2_000)),
)

describe('blocks of a recording', () => {
  it('give back their text when read with the same texts before them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 12 }), async (texts) => {
        let writing: ChainEnd | null = null
        let reading: ChainEnd | null = null
        for (const [i, content] of texts.entries()) {
          const text = Buffer.from(content)
          const bytes: Buffer = await packBlock(text, writing?.tail ?? null)
          writing = extendChain(writing, i, text)
          const back = await unpackBlock(bytes, reading?.tail ?? null)
          expect(back.equals(text)).toBe(true)
          reading = extendChain(reading, i, back)
        }
      }),
    )
  })
  it('compress what was said before to almost nothing', async () => {
    const text = Buffer.from(Array.from({ length: 200 }, (_, i) => `{"id":${i * 7_919},"word":"${i}"}`).join('\n'))
    const chain = extendChain(null, 0, text)
    const alone = await packBlock(text, null)
    const after = await packBlock(text, chain.tail)
    expect(after.length).toBeLessThan(alone.length / 20)
  })
  it('build on at most a hundred others, or a megabyte of text', () => {
    let short: ChainEnd | null = null
    for (let i = 0; i < 99; i++) short = extendChain(short, i, Buffer.from('x'))
    expect(short && isFull(short)).toBe(false)
    expect(isFull(extendChain(short, 99, Buffer.from('x')))).toBe(true)
    expect(isFull(extendChain(null, 0, Buffer.alloc(1_000_000)))).toBe(true)
  })
})
