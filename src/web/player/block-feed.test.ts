import { describe, expect, it } from 'vitest'
import { BlockFeed } from './block-feed.ts'
import type { Block } from './snapshot-source.ts'

/** Blocks of two events each: at their start and at their end. */
function sourceOf(blocks: Block[], broken: number[] = []) {
  const asked: string[] = []
  const read = async (first: number, last: number) => {
    asked.push(`${first}-${last}`)
    if (broken.some((key) => key >= first && key <= last)) throw new Error('no answer')
    return blocks
      .filter(({ key }) => key >= first && key <= last)
      .flatMap(({ start, end }) =>
        [start, end].map((timestamp) => ({ windowId: 'w', event: { type: 3, timestamp, data: timestamp } })),
      )
  }
  return { asked, read }
}

const inRow = (count: number): Block[] =>
  Array.from({ length: count }, (_, key) => ({ key, start: key * 10, end: key * 10 + 9, full: [] }))

async function readAll(feed: BlockFeed): Promise<number[][]> {
  const reads = []
  while (feed.horizon !== Number.POSITIVE_INFINITY) {
    reads.push((await feed.read()).map(({ event }) => event.timestamp))
  }
  return reads
}

describe('a feed of blocks', () => {
  it('begins with few blocks and reads more at a time later', async () => {
    const { asked, read } = sourceOf(inRow(100))
    const reads = await readAll(new BlockFeed({ read }, inRow(100)))
    expect(asked).toEqual(['0-1', '2-5', '6-13', '14-29', '30-61', '62-93', '94-99'])
    expect(reads[0]).toEqual([0, 9, 10, 19])
    expect(reads.flat()).toEqual(inRow(100).flatMap(({ start, end }) => [start, end]))
  })
  it('gives out nothing that a later block could come before', async () => {
    const blocks = [
      { key: 0, start: 0, end: 25, full: null },
      { key: 1, start: 10, end: 12, full: null },
      { key: 2, start: 20, end: 22, full: null },
    ]
    const feed = new BlockFeed(sourceOf(blocks), blocks)
    expect((await feed.read()).map(({ event }) => event.timestamp)).toEqual([0, 10, 12])
    expect(feed.horizon).toBe(20)
    expect((await feed.read()).map(({ event }) => event.timestamp)).toEqual([20, 22, 25])
    expect(feed.horizon).toBe(Number.POSITIVE_INFINITY)
    expect(await feed.read()).toEqual([])
  })
  it('asks for a late block by itself', async () => {
    const blocks = [
      { key: 0, start: 0, end: 5, full: null },
      { key: 3, start: 6, end: 7, full: null },
      { key: 1, start: 8, end: 9, full: null },
      { key: 2, start: 10, end: 11, full: null },
    ]
    const { asked, read } = sourceOf(blocks)
    expect((await readAll(new BlockFeed({ read }, blocks))).flat()).toEqual([0, 5, 6, 7, 8, 9, 10, 11])
    expect(asked).toEqual(['0-0', '3-3', '1-2'])
  })
  it('goes on without a block that cannot be read', async () => {
    const { asked, read } = sourceOf(inRow(6), [3])
    const feed = new BlockFeed({ read }, inRow(6))
    expect((await readAll(feed)).flat()).toEqual([0, 9, 10, 19, 20, 29, 40, 49, 50, 59])
    expect(feed.lost).toBe(1)
    expect(asked).toEqual(['0-1', '2-5', '2-2', '3-4', '3-3', '4-5'])
  })

  describe('that begins in the middle', () => {
    const full = (timestamp: number, windowId = 'w') => [{ windowId, timestamp }]
    const blocks = inRow(100).map((block) => (block.key % 10 === 0 ? { ...block, full: full(block.start) } : block))
    const times = (events: { event: { timestamp: number } }[]) => events.map(({ event }) => event.timestamp)
    const upTo = (first: number, next: number) => blocks.slice(first, next).flatMap(({ start, end }) => [start, end])

    it('reads on from there, and before it from a full snapshot on', async () => {
      const { asked, read } = sourceOf(blocks)
      const feed = new BlockFeed({ read }, blocks, 50)
      expect([feed.begin, feed.horizon]).toEqual([500, 500])
      expect(times(await feed.read())).toEqual(upTo(50, 52))
      expect(times(await feed.readBack(350))).toEqual(upTo(30, 52))
      expect([feed.begin, feed.horizon]).toEqual([300, 520])
      expect(times(await feed.read())).toEqual(upTo(52, 56))
      expect(times(await feed.readBack(5))).toEqual(upTo(0, 56))
      expect(feed.begin).toBe(Number.NEGATIVE_INFINITY)
      expect(asked).toEqual(['50-51', '30-49', '52-55', '0-29'])
    })
    it('counts what is lost before it, once, and has the rest', async () => {
      const feed = new BlockFeed(sourceOf(blocks, [45]), blocks, 50)
      await feed.read()
      expect(times(await feed.readBack(405))).toEqual([...upTo(40, 45), ...upTo(46, 52)])
      expect(feed.lost).toBe(1)
    })
    it('has late events of an early block, each once', async () => {
      const late = [
        { key: 0, start: 0, end: 25, full: full(0) },
        { key: 1, start: 10, end: 12, full: full(10) },
        { key: 2, start: 20, end: 22, full: [] },
        { key: 3, start: 24, end: 30, full: [] },
      ]
      const feed = new BlockFeed(sourceOf(late), late, 1)
      expect(times(await feed.read())).toEqual([10, 12, 20, 22])
      expect(times(await feed.readBack(5))).toEqual([0, 10, 12, 20, 22])
      expect(times(await feed.read())).toEqual([24, 25, 30])
    })
    it('knows whether a window was drawn before', () => {
      const some = blocks.map((block) => (block.key === 20 ? { ...block, full: full(200, 'other') } : block))
      const feed = new BlockFeed(sourceOf(some), some, 50)
      expect(['w', 'other', 'new'].map((windowId) => feed.hasBefore(windowId))).toEqual([true, true, false])
    })
  })
})
