/**
 * Reads the blocks of one recording. A block may build on the text of others (rules/rrweb/block.ts); the ends of the
 * latest texts are cached, so that blocks read in order are each unpacked once. When a block is lost, those that build
 * on it are lost too, and no others.
 */
import type { BlobStore } from '../../model/blob.ts'
import type { RecordingBlock } from '../../model/recordings/recording.ts'
import { CHAIN_START, extendTail, unpackBlock } from '../../rules/rrweb/block.ts'

/** Blocks that arrived in another order than they are read in are close to each other. */
const MAX_TAILS = 32

export interface BlockText {
  block: RecordingBlock
  text: Buffer
}

/** The bytes of the block, or of one that it builds on, are missing or corrupt. */
export class BlockLost extends Error {}

export function createBlockReader(blobs: Pick<BlobStore, 'read'>, blocks: RecordingBlock[]) {
  const byIndex = new Map(blocks.map((block) => [block.index, block]))
  const tails = new Map<number, Buffer>()

  const unpack = async (block: RecordingBlock, dictionary: Buffer): Promise<Buffer> => {
    const bytes = await blobs.read(block.blobKey, block.offset, block.length)
    const name = `Block ${block.index} in ${block.blobKey}`
    if (bytes === null) throw new BlockLost(`${name} is not there.`)
    const text = await unpackBlock(bytes, dictionary).catch((cause) => {
      throw new BlockLost(`${name} cannot be unpacked.`, { cause })
    })
    tails.delete(block.index)
    tails.set(block.index, extendTail(dictionary, text))
    if (tails.size > MAX_TAILS) tails.delete(tails.keys().next().value as number)
    return text
  }

  /** The end of the text up to this block. */
  const tailOf = async (index: number): Promise<Buffer> => {
    const missing: RecordingBlock[] = []
    let at: number | null = index
    while (at !== null && !tails.has(at)) {
      const block = byIndex.get(at)
      if (!block) throw new BlockLost(`There is no block ${at} to build on.`)
      missing.push(block)
      at = block.follows
    }
    let tail = (at === null ? undefined : tails.get(at)) ?? CHAIN_START
    for (const block of missing.reverse()) tail = extendTail(tail, await unpack(block, tail))
    return tail
  }

  return {
    /** The text of each block (rules/rrweb/block.ts); `lost` is called for those that cannot be read. */
    async *texts(wanted: RecordingBlock[], lost: (error: BlockLost) => void): AsyncGenerator<BlockText> {
      for (const block of wanted) {
        try {
          yield { block, text: await unpack(block, block.follows === null ? CHAIN_START : await tailOf(block.follows)) }
        } catch (error) {
          if (!(error instanceof BlockLost)) throw error
          lost(error)
        }
      }
    },
  }
}
