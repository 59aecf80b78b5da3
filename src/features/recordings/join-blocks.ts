/**
 * Joins the bytes of recordings to which nothing has come for an hour, where each block is an object of its own: fewer
 * objects to pay for, to list and to read. Not for files: there a recording is a file already, or one for each start
 * of the server.
 *
 * The blocks stay as they are, one behind the other, in a new blob that nobody else can have named. Then one transaction
 * writes where they are now, if each is still where it was: a recording that was deleted, or joined by another process,
 * is left alone, and the new blob goes again. Last, exactly the objects that were read are removed, so that a block that
 * has come meanwhile stays. Whoever is stopped in between leaves bytes that no row names, for sweep-bytes.ts; so does a
 * transaction whose answer got lost, as nobody knows which of the two are named. Readers that have read the rows before
 * read them again when bytes are missing (features/snapshots/block-reader.ts).
 */
import { uuidV7 } from '../../lib/ids.ts'
import { chunks } from '../../lib/lists/lists.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { DAY, HOUR } from '../../lib/time/time.ts'
import { isWhole, wholeKey } from '../../model/blob.ts'
import type { BlockMove, RecordingBlock, RecordingPlace } from '../../model/recordings/recording.ts'
import type { Stores } from '../../model/stores.ts'
import { everyProject } from '../../rules/accounts/every-project.ts'
import { type BlockRun, blockRuns } from '../../rules/recordings/block-runs.ts'
import { recordingFolder } from '../../rules/recordings/recording.ts'

export interface JoinParts {
  stores: Pick<Stores, 'recordings' | 'blobs' | 'transaction' | 'projects'>
  clock: Clock
  /** Called with the number of objects that were joined, and their bytes. */
  joined: (objects: number, bytes: number) => void
  /** Called for a recording that could not be joined; it stays as it is until a later run. */
  notJoined: (error: unknown) => void
}

export interface Place {
  projectId: number
  sessionId: string
}

const QUIET = HOUR
/** Recordings that began earlier are found by the nightly sweep. */
const LOOKS_BACK = DAY
/** Bytes of one joined blob, which are in memory at a time, and its blocks, which are written in one transaction. */
const MAX_BYTES = 16_000_000
const MAX_BLOCKS = 1_000
const READ_AT_ONCE = 16
/** Recordings looked at by one statement. */
const AT_ONCE = 500
/** What is more is left for the next run. */
const MAX_RECORDINGS = 10_000
/** After so many the store is taken to be away. */
const MAX_FAILURES = 3

/** Someone else has changed where the blocks are. */
class Outdated extends Error {}

/** Lists of objects, in the order of their blocks, that are to be one; each has two or more. */
export function planJoins(blocks: RecordingBlock[]): BlockRun[][] {
  const plans: BlockRun[][] = []
  let bytes = 0
  let count = 0
  for (const object of blockRuns(blocks, Number.POSITIVE_INFINITY)) {
    bytes += object.length
    count += object.blocks.length
    const plan = plans.at(-1)
    if (plan && bytes <= MAX_BYTES && count <= MAX_BLOCKS) {
      plan.push(object)
      continue
    }
    plans.push([object])
    bytes = object.length
    count = object.blocks.length
  }
  return plans.filter((plan) => plan.length > 1)
}

/** Null when some are missing. */
async function readAll({ blobs }: JoinParts['stores'], objects: BlockRun[]): Promise<Buffer | null> {
  const found: Buffer[] = []
  for (const some of chunks(objects, READ_AT_ONCE)) {
    const bytes = await Promise.all(some.map(({ blobKey, offset, length }) => blobs.read(blobKey, offset, length)))
    for (const one of bytes) {
      if (one === null) return null
      found.push(one)
    }
  }
  return Buffer.concat(found)
}

function movesTo(key: string, objects: BlockRun[]): BlockMove[] {
  let offset = 0
  return objects
    .flatMap(({ blocks }) => blocks)
    .map((from) => {
      const to = { blobKey: key, offset }
      offset += from.length
      return { from, to }
    })
}

/** False when the blocks are not where they were. */
async function move({ transaction }: JoinParts['stores'], place: Place, moves: BlockMove[]): Promise<boolean> {
  try {
    await transaction(async (tx) => {
      if (!(await tx.recordings.moveBlocks(place.projectId, place.sessionId, moves))) throw new Outdated()
    })
    return true
  } catch (error) {
    if (error instanceof Outdated) return false
    throw error
  }
}

/** Nothing happens when bytes are missing. */
async function joinObjects({ stores, clock, joined }: JoinParts, place: Place, objects: BlockRun[]): Promise<void> {
  const bytes = await readAll(stores, objects)
  if (bytes === null) return
  const first = objects[0]?.blocks[0]?.index ?? 0
  const folder = recordingFolder(place.projectId, place.sessionId)
  const key = wholeKey(`${folder}${first}-${uuidV7(clock.now())}`)
  await stores.blobs.put(key, bytes)
  if (!(await move(stores, place, movesTo(key, objects)))) {
    await stores.blobs.removeParts([{ key, offset: 0 }])
    return
  }
  joined(objects.length, bytes.length)
  await stores.blobs.removeParts(
    objects.map(({ blobKey, offset }) => ({ key: blobKey, offset: isWhole(blobKey) ? 0 : offset })),
  )
}

/** Nothing happens when something came to it within the hour before `now`, or when it has expired by then. */
async function joinRecording(parts: JoinParts, place: Place, now: number): Promise<void> {
  const { recordings } = parts.stores
  const { projectId, sessionId } = place
  const recording = await recordings.find(projectId, sessionId, now)
  if (recording === null || recording.lastIngestAt > now - QUIET) return
  for (const objects of planJoins(await recordings.blocks(projectId, sessionId))) {
    await joinObjects(parts, place, objects)
  }
}

/** The recordings of a day that can be joined. */
async function* scattered({ recordings, projects }: JoinParts['stores'], now: number): AsyncGenerator<Place> {
  const since = { startFrom: now - QUIET - LOOKS_BACK, quietSince: now - QUIET }
  for await (const { id: projectId } of everyProject(projects)) {
    let after: RecordingPlace | null = null
    do {
      const { sessionIds, next } = await recordings.scattered(projectId, since, after, AT_ONCE)
      for (const sessionId of sessionIds) yield { projectId, sessionId }
      after = next
    } while (after !== null)
  }
}

/** Joins these; the rest is left when there are too many, or too many fail. */
export async function joinEach(
  parts: JoinParts,
  places: AsyncIterable<Place> | Iterable<Place>,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<void> {
  let recordings = 0
  let failures = 0
  for await (const place of places) {
    signal.throwIfAborted()
    try {
      await joinRecording(parts, place, now)
    } catch (error) {
      parts.notJoined(error)
      failures += 1
    }
    if (++recordings === MAX_RECORDINGS || failures === MAX_FAILURES) return
  }
}

/** For the hourly run. */
export const joinQuiet = (parts: JoinParts, now: number, signal: AbortSignal): Promise<void> =>
  joinEach(parts, scattered(parts.stores, now), { now, signal })
