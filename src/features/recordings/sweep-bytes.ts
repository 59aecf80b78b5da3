/**
 * Compares what the blob store has with the blocks of recordings, both ways. Bytes that no block names (of a write or of
 * joining that was cut off, of a recording deleted meanwhile) are removed once they are a day old, so that nothing under
 * way is touched; blocks whose bytes are missing are counted.
 *
 * Blocks are read in portions, project by project and session by session, and the store is gone through once, beside
 * them. Neither order nor moment is relied on: the portion only says what need not be looked at. Bytes that it does not
 * name, and blocks that were not met, are looked at again one recording at a time, rows after bytes. So nothing is
 * removed that a row names, and blocks that were joined or deleted meanwhile are not missing. A run that ends half-way
 * is begun anew in the next night.
 */
import { DAY } from '../../lib/time/time.ts'
import { type BlobPart, isWhole } from '../../model/blob.ts'
import type { BlockPlace, RecordingBlock } from '../../model/recordings/recording.ts'
import type { Stores } from '../../model/stores.ts'
import { everyProject } from '../../rules/accounts/every-project.ts'
import { readRecordingFolder, recordingFolder } from '../../rules/recordings/recording.ts'
import type { Place } from './join-blocks.ts'

export interface SweepParts {
  stores: Pick<Stores, 'recordings' | 'blobs' | 'projects'>
  /** Called with recordings that may have several blobs; null where these are not joined. */
  join: ((places: Place[], run: SweepRun) => Promise<void>) | null
  /** Called at the end, also of a run that fails. */
  swept: (result: SweepResult) => void
}

export interface SweepRun {
  /** What was written after a day before it is left alone. */
  now: number
  signal: AbortSignal
}

export interface SweepResult {
  /** Removed, as no block named them. */
  orphans: number
  orphanBytes: number
  /** Blocks without their bytes. */
  missing: number
  /** One of those; null: none. */
  example: Place | null
}

const UNTOUCHED = DAY
/** Blocks in memory at a time. */
const PORTION = 2_000
/** Bytes that may be orphans, in memory at a time. */
const MAX_SUSPECTS = 1_000
/** After every character of a key. */
const LAST = '\x7f'

type Range = Pick<RecordingBlock, 'blobKey' | 'offset' | 'length'>

const isIn = ({ key, offset, bytes }: BlobPart, block: Range): boolean =>
  block.blobKey === key && block.offset >= offset && block.offset + block.length <= offset + bytes

/** Also when it is too short. */
const isNamed = ({ key, offset, bytes }: BlobPart, block: Range): boolean =>
  block.blobKey === key && block.offset >= offset && block.offset < offset + Math.max(1, bytes)

const isSame = (a: RecordingBlock, b: RecordingBlock): boolean =>
  a.index === b.index && a.blobKey === b.blobKey && a.offset === b.offset

function byKey<T extends Range>(blocks: Iterable<T>): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const block of blocks) {
    const group = groups.get(block.blobKey)
    if (group) group.push(block)
    else groups.set(block.blobKey, [block])
  }
  return groups
}

/** The items of each recording. */
function byRecording<T>(items: Iterable<T>, placeOf: (item: T) => Place): { place: Place; items: T[] }[] {
  const groups = new Map<string, { place: Place; items: T[] }>()
  for (const item of items) {
    const place = placeOf(item)
    const name = recordingFolder(place.projectId, place.sessionId)
    const group = groups.get(name)
    if (group) group.items.push(item)
    else groups.set(name, { place, items: [item] })
  }
  return [...groups.values()]
}

/** Blocks of one project, and up to which key the store is gone through beside them. */
interface Portion {
  projectId: number
  blocks: BlockPlace[]
  upTo: string
}

async function* portionsOf({ recordings }: SweepParts['stores'], projectId: number): AsyncGenerator<Portion> {
  let after: BlockPlace | null = null
  do {
    const blocks: BlockPlace[] = await recordings.blockPlaces(projectId, after, PORTION)
    after = blocks.length < PORTION ? null : (blocks.at(-1) ?? null)
    const upTo = after === null ? `${projectId}/` : recordingFolder(projectId, after.sessionId)
    yield { projectId, blocks, upTo: upTo + LAST }
  } while (after !== null)
}

class Sweep {
  readonly #parts: SweepParts
  readonly #run: SweepRun
  readonly #found: AsyncIterator<BlobPart>
  #next: BlobPart | null = null
  #suspects: BlobPart[] = []
  readonly result: SweepResult = { orphans: 0, orphanBytes: 0, missing: 0, example: null }

  constructor(parts: SweepParts, run: SweepRun, found: AsyncIterable<BlobPart>) {
    this.#parts = parts
    this.#run = run
    this.#found = found[Symbol.asyncIterator]()
  }

  async beside({ projectId, blocks, upTo }: Portion): Promise<void> {
    const unmet = new Set(blocks)
    const sought = byKey(blocks)
    for (let part = await this.#peek(); part !== null && part.key < upTo; part = await this.#peek()) {
      this.#next = null
      const under = sought.get(part.key) ?? []
      for (const block of under) if (isIn(part, block)) unmet.delete(block)
      if (!under.some((block) => isNamed(part as BlobPart, block))) await this.#suspect(part)
    }
    const placeOf = ({ sessionId }: BlockPlace) => ({ projectId, sessionId })
    for (const { place, items } of byRecording(unmet, placeOf)) await this.#countMissing(place, items)
    const scattered = blocks.filter(({ index, blobKey }) => index > 0 && !isWhole(blobKey))
    await this.#parts.join?.(
      byRecording(scattered, placeOf).map(({ place }) => place),
      this.#run,
    )
  }

  /** What comes after all blocks. */
  async finish(): Promise<void> {
    await this.beside({ projectId: 0, blocks: [], upTo: '\uffff' })
    await this.#removeSuspects()
  }

  async #peek(): Promise<BlobPart | null> {
    if (this.#next === null) {
      this.#run.signal.throwIfAborted()
      const { value, done } = await this.#found.next()
      this.#next = done ? null : value
    }
    return this.#next
  }

  async #suspect(part: BlobPart): Promise<void> {
    // What is not in the folder of a recording was put there by somebody else.
    if (part.changedAt > this.#run.now - UNTOUCHED || readRecordingFolder(part.key) === null) return
    this.#suspects.push(part)
    if (this.#suspects.length === MAX_SUSPECTS) await this.#removeSuspects()
  }

  async #removeSuspects(): Promise<void> {
    const suspects = this.#suspects
    this.#suspects = []
    const { recordings, blobs } = this.#parts.stores
    const placeOf = ({ key }: BlobPart) => readRecordingFolder(key) as Place
    for (const { place, items } of byRecording(suspects, placeOf)) {
      const blocks = await recordings.blocks(place.projectId, place.sessionId)
      const orphans = items.filter((part) => !blocks.some((block) => isNamed(part, block)))
      if (orphans.length === 0) continue
      await blobs.removeParts(orphans)
      this.result.orphans += orphans.length
      this.result.orphanBytes += orphans.reduce((sum, { bytes }) => sum + bytes, 0)
    }
  }

  /** Those of the unmet blocks that are missing, and have not got another place meanwhile. */
  async #countMissing(place: Place, unmet: BlockPlace[]): Promise<void> {
    this.#run.signal.throwIfAborted()
    const { recordings, blobs } = this.#parts.stores
    const read = () => recordings.blocks(place.projectId, place.sessionId)
    const indexes = new Set(unmet.map(({ index }) => index))
    const left = new Set((await read()).filter(({ index }) => indexes.has(index)))
    const sought = byKey(left)
    for await (const part of await blobs.parts(recordingFolder(place.projectId, place.sessionId))) {
      for (const block of sought.get(part.key) ?? []) if (isIn(part, block)) left.delete(block)
    }
    if (left.size === 0) return
    const after = await read()
    const missing = [...left].filter((block) => after.some((other) => isSame(block, other)))
    this.result.missing += missing.length
    if (missing.length > 0) this.result.example ??= place
  }
}

/** For the nightly run. */
export async function sweepBytes(parts: SweepParts, run: SweepRun): Promise<void> {
  const { stores, swept } = parts
  const ids: number[] = []
  for await (const { id } of everyProject(stores.projects)) ids.push(id)
  const sweep = new Sweep(parts, run, await stores.blobs.parts(''))
  // As the names of their folders are ordered.
  const ordered = ids.map((id) => ({ id, folder: `${id}/` })).sort((a, b) => (a.folder < b.folder ? -1 : 1))
  try {
    for (const { id } of ordered) {
      for await (const portion of portionsOf(stores, id)) await sweep.beside(portion)
    }
    await sweep.finish()
  } finally {
    swept(sweep.result)
  }
}
