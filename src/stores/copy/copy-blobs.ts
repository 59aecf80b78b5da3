/**
 * Copies the bytes of recordings, by the rows of their blocks: what no row names stays behind. A block that is in the target
 * already, as after a copy that was cut off, is read and compared instead.
 */
import { hash } from 'node:crypto'
import { type BlobStore, isWhole } from '../../model/blob.ts'
import type { SqlEngine } from '../sql/connection.ts'
import type { RecordingBlockTable } from '../sql/recording-tables.ts'
import { type Progress, Sums, type WrittenSums } from './sums.ts'

const COLUMNS = ['project_id', 'session_id', 'block', 'blob_key', 'byte_offset', 'byte_length'] as const
type Block = Pick<RecordingBlockTable, (typeof COLUMNS)[number]>

/** All blocks of one recording. */
type Recording = Block[]

const BLOCKS_AT_ONCE = 1_000
/** Services answer slowly, and many at once. */
const RECORDINGS_AT_ONCE = 8
const TABLE = 'bytes of recordings'

async function* recordingsOf({ reader: { db } }: SqlEngine): AsyncGenerator<Recording> {
  let recording: Recording = []
  for (let after: Block | undefined; ; ) {
    const last = after
    let query = db.selectFrom('recording_blocks').select(COLUMNS)
    if (last !== undefined) {
      query = query.where((eb) =>
        eb(
          eb.refTuple('project_id', 'session_id', 'block'),
          '>',
          eb.tuple(last.project_id, last.session_id, last.block),
        ),
      )
    }
    const blocks = await query
      .orderBy('project_id')
      .orderBy('session_id')
      .orderBy('block')
      .limit(BLOCKS_AT_ONCE)
      .execute()
    for (const block of blocks) {
      const [first] = recording
      if (first && (first.project_id !== block.project_id || first.session_id !== block.session_id)) {
        yield recording
        recording = []
      }
      recording.push(block)
    }
    after = blocks.at(-1)
    if (after === undefined) break
  }
  if (recording.length > 0) yield recording
}

/** Some recordings at a time. */
async function eachRecording(engine: SqlEngine, work: (recording: Recording) => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>()
  for await (const recording of recordingsOf(engine)) {
    const one = work(recording).finally(() => running.delete(one))
    // The race, or the end, gets the error.
    one.catch(() => {})
    running.add(one)
    if (running.size >= RECORDINGS_AT_ONCE) await Promise.race(running)
  }
  await Promise.all(running)
}

const nameOf = ({ project_id, session_id, block }: Block): string => `${project_id}/${session_id}/${block}`

function addBlock(sums: Sums, { project_id, blob_key, byte_offset, byte_length }: Block, bytes: Buffer): void {
  sums.add(TABLE, project_id, [blob_key, byte_offset, byte_length, hash('sha256', bytes, 'hex')])
}

export interface CopiedBlobs {
  sums: WrittenSums
  /** Blocks of which the source has no bytes. */
  missing: Set<string>
}

/** Writes the bytes of one recording to where they were. */
class RecordingCopy {
  readonly #source: BlobStore
  readonly #target: BlobStore
  /** Where what is appended ends, by key. */
  readonly #ends = new Map<string, number>()
  readonly #wholes = new Set<string>()

  constructor(source: BlobStore, target: BlobStore) {
    this.#source = source
    this.#target = target
  }

  async store(block: Block, bytes: Buffer): Promise<void> {
    const { blob_key: key, byte_offset: offset, byte_length: length } = block
    const there = await this.#target.read(key, offset, length)
    if (there?.equals(bytes)) return void this.#ends.set(key, offset + length)
    if (isWhole(key)) return this.#put(key)
    const end = this.#ends.get(key) ?? 0
    // Of bytes in between no block tells.
    if (offset > end) await this.#append(key, Buffer.alloc(offset - end), end)
    await this.#append(key, bytes, offset)
  }

  async #append(key: string, bytes: Buffer, at: number): Promise<void> {
    if (!(await this.#target.append(key, bytes, at))) throw new Error(`The blob ${key} of the copy ends before ${at}.`)
    this.#ends.set(key, at + bytes.length)
  }

  async #put(key: string): Promise<void> {
    if (this.#wholes.has(key)) return
    this.#wholes.add(key)
    const bytes = await this.#source.get(key)
    if (bytes !== null) await this.#target.put(key, bytes)
  }
}

/** Returns what there is in the source. */
export async function copyBlobs(
  rows: SqlEngine,
  source: BlobStore,
  target: BlobStore,
  progress: Progress,
): Promise<CopiedBlobs> {
  const sums = new Sums()
  const missing = new Set<string>()
  await eachRecording(rows, async (recording) => {
    const copy = new RecordingCopy(source, target)
    for (const block of recording) {
      const bytes = await source.read(block.blob_key, block.byte_offset, block.byte_length)
      if (bytes === null) missing.add(nameOf(block))
      else {
        await copy.store(block, bytes)
        addBlock(sums, block, bytes)
      }
      progress(block.byte_length)
    }
  })
  return { sums: sums.write(), missing }
}

/** What there is in a store, without what its source does not have. */
export async function sumBlobs(
  rows: SqlEngine,
  store: BlobStore,
  missing: Set<string>,
  progress: Progress,
): Promise<WrittenSums> {
  const sums = new Sums()
  await eachRecording(rows, async (recording) => {
    for (const block of recording) {
      const bytes = missing.has(nameOf(block))
        ? null
        : await store.read(block.blob_key, block.byte_offset, block.byte_length)
      if (bytes !== null) addBlock(sums, block, bytes)
      progress(block.byte_length)
    }
  })
  return sums.write()
}

export async function countBytes({ reader: { db } }: SqlEngine): Promise<number> {
  const found = await db
    .selectFrom('recording_blocks')
    .select((eb) => eb.fn.sum<number>('byte_length').as('bytes'))
    .executeTakeFirst()
  return Number(found?.bytes ?? 0)
}
