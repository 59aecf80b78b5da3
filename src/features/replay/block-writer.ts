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

/** One that this process has begun, or is about to. */
export interface GrowingFile {
  blobKey: string
  /** Where the last recorded block in it ends. */
  end: number
}

export interface BlockInput {
  text: Buffer
  index: number
  file: GrowingFile
  /** Of the last block, if it is known. */
  chain: ChainEnd | null
}

/** Null when bytes before the end of the file are missing. */
export async function appendBlock(blobs: Blobs, { text, index, file, chain }: BlockInput): Promise<NewBlock | null> {
  const base = chain && chain.index === index - 1 && !isFull(chain) ? chain : null
  const bytes = await packBlock(text, base?.tail ?? CHAIN_START)
  if (!(await blobs.append(file.blobKey, bytes, file.end))) return null
  const place = { index, blobKey: file.blobKey, offset: file.end, length: bytes.length, follows: base?.index ?? null }
  return { place, chain: extendChain(base, index, text) }
}
