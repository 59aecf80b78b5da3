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
  Array.from({ length: count }, (_, key) => ({ key, start: key * 10, end: key * 10 + 9 }))

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
      { key: 0, start: 0, end: 25 },
      { key: 1, start: 10, end: 12 },
      { key: 2, start: 20, end: 22 },
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
      { key: 0, start: 0, end: 5 },
      { key: 3, start: 6, end: 7 },
      { key: 1, start: 8, end: 9 },
      { key: 2, start: 10, end: 11 },
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
})
