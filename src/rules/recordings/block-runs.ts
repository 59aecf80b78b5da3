/** Blocks that are read at once: those that lie one after the other in a blob of which any range can be read. */
import { isWhole } from '../../model/blob.ts'
import type { RecordingBlock } from '../../model/recordings/recording.ts'

export interface BlockRun {
  blobKey: string
  offset: number
  length: number
  /** Not empty. */
  blocks: RecordingBlock[]
}

const continues = (run: BlockRun, { blobKey, offset, length }: RecordingBlock, maxBytes: number): boolean =>
  isWhole(blobKey) && run.blobKey === blobKey && run.offset + run.length === offset && run.length + length <= maxBytes

/** The blocks in their order, in runs of at most so many bytes; a larger block is a run of its own. */
export function blockRuns(blocks: Iterable<RecordingBlock>, maxBytes: number): BlockRun[] {
  const runs: BlockRun[] = []
  for (const block of blocks) {
    const last = runs.at(-1)
    if (last && continues(last, block, maxBytes)) {
      last.blocks.push(block)
      last.length += block.length
    } else runs.push({ blobKey: block.blobKey, offset: block.offset, length: block.length, blocks: [block] })
  }
  return runs
}

/** The bytes of each block of the run, of the run's bytes. */
export const splitRun = ({ offset, blocks }: BlockRun, bytes: Buffer): Buffer[] =>
  blocks.map((block) => bytes.subarray(block.offset - offset, block.offset - offset + block.length))
