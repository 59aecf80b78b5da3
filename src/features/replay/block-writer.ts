/**
 * Appends blocks to the files of recordings. Each block builds on the text of the one before while that is still in
 * memory; nothing is read back. The bytes are synced to disk when it resolves; they become part of the recording by its
 * row, which the caller writes afterwards.
 */
import type { BlobStore } from '../../model/blob.ts'
import type { RecordingBlock } from '../../model/recordings/recording.ts'
import { CHAIN_START, type ChainEnd, extendChain, isFull, packBlock } from '../../rules/rrweb/block.ts'

export interface NewBlock {
  place: Pick<RecordingBlock, 'index' | 'blobKey' | 'offset' | 'length' | 'follows'>
  /** What the block after it can build on. */
  chain: ChainEnd
}

type Blobs = Pick<BlobStore, 'append'>

/** After the last block; null when that one's bytes are incomplete. */
export async function appendBlock(
  blobs: Blobs,
  text: Buffer,
  last: RecordingBlock,
  chain: ChainEnd | null,
): Promise<NewBlock | null> {
  const base = chain && chain.index === last.index && !isFull(chain) ? chain : null
  const bytes = await packBlock(text, base?.tail ?? CHAIN_START)
  const offset = last.offset + last.length
  if (!(await blobs.append(last.blobKey, bytes, offset))) return null
  const index = last.index + 1
  const place = { index, blobKey: last.blobKey, offset, length: bytes.length, follows: base?.index ?? null }
  return { place, chain: extendChain(base, index, text) }
}

/** In a file of its own, building on no other block. */
export async function beginBlocks(blobs: Blobs, text: Buffer, blobKey: string, index: number): Promise<NewBlock> {
  const bytes = await packBlock(text, CHAIN_START)
  const place = { index, blobKey, offset: 0, length: bytes.length, follows: null }
  await blobs.append(blobKey, bytes, 0)
  return { place, chain: extendChain(null, index, text) }
}
