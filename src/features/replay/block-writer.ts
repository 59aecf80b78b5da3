/**
 * Appends blocks to the files of recordings. Each builds on the text of the one before as long as that is still in
 * memory; nothing is read back. The bytes are on the disk itself when it resolves; what makes them part of the
 * recording is its row, which is written afterwards by the caller.
 */
import type { BlobStore } from '../../model/blob.ts'
import type { RecordingBlock } from '../../model/recording.ts'
import { type ChainEnd, extendChain, isFull, packBlock } from '../../rules/rrweb-block.ts'

/** Recordings whose text end is kept, 32 kB each. */
const MAX_CHAINS = 500

export interface BlockWriterParts {
  blobs: Pick<BlobStore, 'append'>
}

export interface NewBlock {
  place: Pick<RecordingBlock, 'index' | 'blobKey' | 'offset' | 'length' | 'follows'>
  /** To be called when the row of the block is there: the next one builds on it. */
  keep: () => void
}

export interface Text {
  /** The recording's folder. */
  folder: string
  text: Buffer
  last: RecordingBlock | null
  /** Awaited before the first bytes of a file. */
  announce: () => Promise<void>
}

export function createBlockWriter({ blobs }: BlockWriterParts) {
  /** The least recently written goes first. */
  const chains = new Map<string, ChainEnd>()

  const chainOf = (folder: string, last: RecordingBlock | null): ChainEnd | null => {
    const end = chains.get(folder)
    return end && end.index === last?.index && !isFull(end) ? end : null
  }

  const remember = (folder: string, end: ChainEnd): void => {
    chains.delete(folder)
    chains.set(folder, end)
    if (chains.size > MAX_CHAINS) chains.delete(chains.keys().next().value as string)
  }

  /** Behind the last block; null when that one's bytes are not all there. */
  const append = async ({ folder, text }: Text, last: RecordingBlock): Promise<NewBlock | null> => {
    const chain = chainOf(folder, last)
    const bytes = await packBlock(text, chain?.tail ?? null)
    const { blobKey } = last
    const place = { blobKey, offset: last.offset + last.length, length: bytes.length, follows: chain?.index ?? null }
    if (!(await blobs.append(blobKey, bytes, place.offset))) return null
    const index = last.index + 1
    return { place: { ...place, index }, keep: () => remember(folder, extendChain(chain, index, text)) }
  }

  /** In a file of its own, building on nothing. */
  const begin = async ({ folder, text, announce }: Text, index: number): Promise<NewBlock> => {
    const bytes = await packBlock(text, null)
    await announce()
    const place = { index, blobKey: `${folder}${index}`, offset: 0, length: bytes.length, follows: null }
    await blobs.append(place.blobKey, bytes, 0)
    return { place, keep: () => remember(folder, extendChain(null, index, text)) }
  }

  return {
    /** Behind the last block of the recording; in a new file when there is none, or when bytes were lost. */
    async write(order: Text): Promise<NewBlock> {
      const { last } = order
      if (last === null) return begin(order, 0)
      return (await append(order, last)) ?? begin(order, last.index + 1)
    },
  }
}

export type BlockWriter = ReturnType<typeof createBlockWriter>
