/**
 * Reads the blocks of one recording. A block may build on the text of others (rules/rrweb-block.ts); the ends of the
 * texts last read are kept, so that blocks read in order are each unpacked once.
 */
import type { BlobStore } from '../../model/blob.ts'
import type { RecordingBlock } from '../../model/recording.ts'
import { extendTail, unpackBlock } from '../../rules/rrweb-block.ts'

/** Blocks that came in another order than they are read in stand near each other. */
const MAX_TAILS = 32

export function createBlockReader(blobs: Pick<BlobStore, 'read'>, blocks: RecordingBlock[]) {
  const byIndex = new Map(blocks.map((block) => [block.index, block]))
  const tails = new Map<number, Buffer>()

  const unpack = async (block: RecordingBlock, dictionary: Buffer | null): Promise<Buffer> => {
    const bytes = await blobs.read(block.blobKey, block.offset, block.length)
    if (bytes === null) throw new Error(`The bytes of block ${block.index} in ${block.blobKey} are not there.`)
    const text = await unpackBlock(bytes, dictionary)
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
      if (!block) throw new Error(`There is no block ${at} to build on.`)
      missing.push(block)
      at = block.follows
    }
    let tail = at === null ? null : (tails.get(at) ?? null)
    for (const block of missing.reverse()) tail = extendTail(tail, await unpack(block, tail))
    return tail ?? Buffer.alloc(0)
  }

  return {
    /** Its lines, each with a line feed at its end. */
    text: async (block: RecordingBlock): Promise<Buffer> =>
      unpack(block, block.follows === null ? null : await tailOf(block.follows)),
  }
}

export type BlockReader = ReturnType<typeof createBlockReader>
