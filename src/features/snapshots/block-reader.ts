/**
 * Reads the blocks of one recording. A block may build on the text of others (rules/rrweb/block.ts); the ends of the
 * latest texts are cached, so that blocks read in order are each unpacked once. When a block is lost, those that build
 * on it are lost too, and no others.
 *
 * Blocks that were joined are read some at once. They may be joined while they are read: where bytes are missing, the
 * rows are read again, and then the bytes at their new place.
 */
import type { BlobStore } from '../../model/blob.ts'
import type { RecordingBlock } from '../../model/recordings/recording.ts'
import { blockRuns, splitRun } from '../../rules/recordings/block-runs.ts'
import { CHAIN_START, extendTail, unpackBlock } from '../../rules/rrweb/block.ts'

/** Bytes read at once, of blocks that follow each other. */
const MAX_RUN_BYTES = 2_000_000
const MAX_RUN_BLOCKS = 100
/** Blocks that arrived in another order than they are read in are close to each other. */
const MAX_TAILS = 32

export interface BlockText {
  block: RecordingBlock
  text: Buffer
}

/** The bytes of the block, or of one that it builds on, are missing or corrupt. */
export class BlockLost extends Error {}

export interface BlockSource {
  blobs: Pick<BlobStore, 'read'>
  /** The rows of the recording as they are now. */
  reread: () => Promise<RecordingBlock[]>
}

/** The bytes of blocks, wherever they are by now. */
function createByteReader({ blobs, reread }: BlockSource, blocks: RecordingBlock[]) {
  let places = new Map(blocks.map((block) => [block.index, block]))
  /** Bytes that were read with those of a block before. */
  const ahead = new Map<number, Buffer>()

  const readMoved = async ({ blobKey, offset, index }: RecordingBlock): Promise<Buffer | null> => {
    places = new Map((await reread()).map((block) => [block.index, block]))
    const moved = places.get(index)
    if (!moved || (moved.blobKey === blobKey && moved.offset === offset)) return null
    return blobs.read(moved.blobKey, moved.offset, moved.length)
  }

  /** Null when they are lost. `following` are those that are asked for next. */
  return async ({ index }: RecordingBlock, following: RecordingBlock[]): Promise<Buffer | null> => {
    const known = ahead.get(index)
    if (known) {
      ahead.delete(index)
      return known
    }
    const place = places.get(index)
    if (!place) return null
    const placesOf = [place, ...following.map((block) => places.get(block.index) ?? block)]
    const run = blockRuns(placesOf, MAX_RUN_BYTES)[0]
    const bytes = run && run.blocks.length > 1 ? await blobs.read(run.blobKey, run.offset, run.length) : null
    if (!run || bytes === null)
      return (await blobs.read(place.blobKey, place.offset, place.length)) ?? (await readMoved(place))
    const [first = null, ...others] = splitRun(run, bytes)
    ahead.clear()
    for (const [i, other] of others.entries()) ahead.set((run.blocks[i + 1] as RecordingBlock).index, other)
    return first
  }
}

export function createBlockReader(source: BlockSource, blocks: RecordingBlock[]) {
  const byIndex = new Map(blocks.map((block) => [block.index, block]))
  const tails = new Map<number, Buffer>()
  const readBytes = createByteReader(source, blocks)

  const unpack = async (block: RecordingBlock, dictionary: Buffer, following: RecordingBlock[]): Promise<Buffer> => {
    const bytes = await readBytes(block, following)
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
    missing.reverse()
    for (const [i, block] of missing.entries())
      tail = extendTail(tail, await unpack(block, tail, missing.slice(i + 1, i + 1 + MAX_RUN_BLOCKS)))
    return tail
  }

  return {
    /** The text of each block (rules/rrweb/block.ts); `lost` is called for those that cannot be read. */
    async *texts(wanted: RecordingBlock[], lost: (error: BlockLost) => void): AsyncGenerator<BlockText> {
      for (const [i, block] of wanted.entries()) {
        try {
          const dictionary = block.follows === null ? CHAIN_START : await tailOf(block.follows)
          const following = wanted.slice(i + 1, i + 1 + MAX_RUN_BLOCKS)
          yield { block, text: await unpack(block, dictionary, following) }
        } catch (error) {
          if (!(error instanceof BlockLost)) throw error
          lost(error)
        }
      }
    },
  }
}
