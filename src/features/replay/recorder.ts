/**
 * Stores pieces of recordings so that what is acknowledged is stored once and plays.
 *
 * Pieces of one recording take turns; pieces that wait meanwhile go into the next block together. A turn: append the
 * text of new snapshots to the recording's file (synced to disk); then one SQL transaction, shared with other
 * recordings, records block, snapshots and counters. After a crash in between, the bytes have no row: they are never
 * read. Before the first bytes of a file it is recorded as a draft, which the transaction of its first block ends: so files
 * whose process has died are found and removed (sweep-drafts.ts), and a block whose draft was swept is not recorded.
 * Deleted and expired recordings accept nothing more.
 *
 * The state of a recording after its block is cached for the next one, so that nothing has to be read. The cache is
 * never trusted: the transaction refuses a block whose index is taken, a snapshot that exists already and a recording
 * that is gone; then the turn starts again with the state from the store.
 *
 * Only who has begun a file appends to it, so that no two processes write to the same place: after a restart, blocks go
 * into a new file, whose name nobody else has. So do they after a write or a transaction whose answer got lost: it may be
 * carried out later than the state is read again, and the bytes of each block must be there then.
 */

import { createKeyedBatcher } from '../../lib/concurrency/keyed-batcher.ts'
import { isStoreAway, StoreUnavailable } from '../../lib/errors.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { createLruMap, type LruMap } from '../../lib/lists/lru-map.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { RecordingBlock } from '../../model/recordings/recording.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { isUnknownToken } from '../../rules/capture/unknown-token.ts'
import { recordingFolder } from '../../rules/recordings/recording.ts'
import { writeFullSnapshots } from '../../rules/rrweb/full-snapshots.ts'
import { appendBlock, type GrowingFile, type NewBlock } from './block-writer.ts'
import type { PreparedSnapshot, SessionPiece } from './prepare-snapshots.ts'
import { appendTo, type GrownRecording, progressOf, type RecordingState, stateFrom } from './recording-growth.ts'

/** The outcome of a piece. */
export type StoreResult = 'stored' | 'recording_deleted' | 'recording_expired'

/** One part of a shared transaction; it runs again when the shared one fails because of another part. */
export type Write = (tx: SqlWriters) => Promise<void>

export interface RecorderParts {
  stores: Pick<Stores, 'recordings' | 'blobs'>
  /** Resolves when it is on disk; refused as by an unknown token when the project is gone. */
  write: (projectId: number, write: Write) => Promise<void>
  clock: Clock
  /** The time for expiry: a clock that jumped ahead must not refuse current data. */
  trustedNow: () => number
  /** Called when bytes of earlier blocks are missing; the recording continues without them. */
  lost: (error: Error) => void
  /** How many bytes went to the disk. */
  stored: (projectId: number, bytes: number) => void
}

interface Order {
  project: Project
  piece: SessionPiece
}

interface Turn extends Order {
  folder: string
  /** Each once. */
  snapshots: PreparedSnapshot[]
  /** The key of the file that this turn has noted as a draft. */
  drafted: string | null
  /** Whether it may have stored bytes. */
  hasWritten: boolean
  /** Where the next bytes go; null: into a new file. */
  file: GrowingFile | null
}

/** What is known of recordings, by folder. */
interface Memory {
  states: LruMap<RecordingState>
  /** Those that this process has begun. */
  files: LruMap<GrowingFile>
}

const MAX_BLOCK_BYTES = 8_000_000
/** Number of recordings whose state is cached: 32 kB of text each, and their counters. */
const MAX_CACHED_STATES = 500
/** More than are written to at a time. */
const MAX_FILES = 10_000
const MAX_RECENT_IDS = 50
/** Other processes may be writing to the same recording. */
const TRIES = 10

/** The recording is not in the state that was assumed. */
class OutdatedState extends Error {}
/** The file was taken for one that was given up: its bytes are being removed. */
class SweptDraft extends OutdatedState {}

/** `orders` are of one session, in order of arrival. */
function startTurn(orders: Order[], { files }: Memory): Turn {
  const [first] = orders
  if (!first) throw new Error('A turn needs something to store.')
  const snapshots = new Map<string, PreparedSnapshot>()
  for (const { piece } of orders) {
    for (const snapshot of piece.snapshots) if (!snapshots.has(snapshot.id)) snapshots.set(snapshot.id, snapshot)
  }
  const folder = recordingFolder(first.project.id, first.piece.sessionId)
  return {
    ...first,
    folder,
    snapshots: [...snapshots.values()],
    drafted: null,
    hasWritten: false,
    file: files.take(folder),
  }
}

interface Entry {
  grown: GrownRecording
  block: RecordingBlock
  /** Of the snapshots in the block. */
  ids: string[]
  isNew: boolean
}

/** In the transaction. */
async function record(tx: SqlWriters, { grown, block, ids, isNew }: Entry): Promise<void> {
  const { recording } = grown
  const { projectId, sessionId } = recording
  const done = isNew
    ? await tx.recordings.create(recording, [block])
    : await tx.recordings.grow(projectId, sessionId, block, recording)
  if (!done || !(await tx.recordings.noteSnapshots(projectId, sessionId, ids))) throw new OutdatedState()
  await tx.recordings.saveProgress(projectId, sessionId, progressOf(grown))
  if (block.offset === 0 && !(await tx.recordings.removeDraft({ projectId, blobKey: block.blobKey })))
    throw new SweptDraft()
}

/** Whether a block still ends there; its bytes may be elsewhere by now (features/recordings/join-blocks.ts). */
async function endsThere({ stores }: RecorderParts, { project, piece }: Turn, file: GrowingFile): Promise<boolean> {
  const blocks = await stores.recordings.blocks(project.id, piece.sessionId)
  return blocks.some(({ blobKey, offset, length }) => blobKey === file.blobKey && offset + length === file.end)
}

/** Null: the cached state of the recording is out of date. */
async function writeBytes(
  parts: RecorderParts,
  turn: Turn,
  state: RecordingState | null,
  cached: boolean,
): Promise<NewBlock | null> {
  const { project, folder, snapshots } = turn
  const { blobs } = parts.stores
  const text = Buffer.concat(snapshots.map((snapshot) => snapshot.text))
  const index = (state?.lastBlock?.index ?? -1) + 1
  turn.hasWritten = true
  if (state !== null && turn.file !== null && turn.file.end > 0) {
    const appended = await appendBlock(blobs, { text, index, file: turn.file, chain: state.chain })
    if (appended !== null || cached) return appended
    if (await endsThere(parts, turn, turn.file))
      parts.lost(new Error(`Bytes of the recording in ${folder} are missing before block ${index}.`))
  }
  const begunAt = parts.clock.now()
  // One that this turn has begun is begun again.
  if (turn.file?.end !== 0) turn.file = { blobKey: `${folder}${index}-${uuidV7(begunAt)}`, end: 0 }
  const { blobKey } = turn.file
  await parts.write(project.id, (tx) => tx.recordings.addDraft({ projectId: project.id, blobKey, begunAt }))
  turn.drafted = blobKey
  return appendBlock(blobs, { text, index, file: turn.file, chain: null })
}

/** Returns the state of the recording afterwards. */
async function store(
  parts: RecorderParts,
  turn: Turn,
  state: RecordingState | null,
  cached: boolean,
): Promise<RecordingState> {
  const { project, piece, snapshots } = turn
  const written = await writeBytes(parts, turn, state, cached)
  if (written === null) throw new OutdatedState()
  const { place, chain } = written
  const firstAt = Math.min(...snapshots.map(({ summary }) => summary.startAt))
  const lastAt = Math.max(...snapshots.map(({ summary }) => summary.endAt))
  const grown = appendTo(state, { project, piece, snapshots, length: place.length, now: parts.clock.now() })
  const lastBlock = { ...place, firstAt, lastAt, fullSnapshots: writeFullSnapshots(snapshots) }
  const ids = snapshots.map((snapshot) => snapshot.id)
  const entry = { grown, block: lastBlock, ids, isNew: state === null }
  await parts.write(project.id, (tx) => record(tx, entry))
  turn.file = { blobKey: place.blobKey, end: place.offset + place.length }
  parts.stored(project.id, place.length)
  return { ...grown, lastBlock, chain, recent: [...(state?.recent ?? []), ...ids].slice(-MAX_RECENT_IDS) }
}

/** It was deleted; what the turn has written since must not stay. */
async function refuseDeleted(parts: RecorderParts, turn: Turn): Promise<StoreResult> {
  const { project, folder, drafted, hasWritten } = turn
  if (hasWritten) await parts.stores.blobs.removeAll(folder)
  if (drafted !== null) {
    await parts.write(project.id, async (tx) => {
      await tx.recordings.removeDraft({ projectId: project.id, blobKey: drafted })
    })
  }
  return 'recording_deleted'
}

/** A turn with the state from the store, or with the cached one. */
async function attempt(
  parts: RecorderParts,
  { states }: Memory,
  turn: Turn,
  cached: RecordingState | null,
): Promise<StoreResult> {
  const { recordings } = parts.stores
  const { id } = turn.project
  const { sessionId } = turn.piece
  const standing = cached === null ? await recordings.standing(id, sessionId) : null
  const state = standing ? stateFrom(standing) : cached
  if (state === null && (await recordings.findTombstone(id, sessionId))) return refuseDeleted(parts, turn)
  if (state !== null && state.recording.expiresAt <= parts.trustedNow()) return 'recording_expired'
  if (standing) {
    const ids = turn.snapshots.map((snapshot) => snapshot.id)
    const known = await recordings.knownSnapshots(id, sessionId, ids)
    turn.snapshots = turn.snapshots.filter((snapshot) => !known.has(snapshot.id))
  }
  if (turn.snapshots.length === 0) return 'stored'
  states.set(turn.folder, await store(parts, turn, state, cached !== null))
  return 'stored'
}

/** As often as the state turns out to be another. */
async function attempts(parts: RecorderParts, memory: Memory, turn: Turn): Promise<StoreResult> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const known = memory.states.take(turn.folder)
    const repeats = known?.recent.some((id) => turn.snapshots.some((snapshot) => snapshot.id === id)) ?? true
    try {
      return await attempt(parts, memory, turn, repeats ? null : known)
    } catch (error) {
      if (!(error instanceof OutdatedState)) throw error
      if (error instanceof SweptDraft) turn.file = null
    }
  }
  throw new StoreUnavailable('sql_busy')
}

async function take(parts: RecorderParts, memory: Memory, orders: Order[]): Promise<StoreResult> {
  const turn = startTurn(orders, memory)
  try {
    return await attempts(parts, memory, turn)
  } catch (error) {
    // What it was about to write may still be written.
    if (isStoreAway(error)) turn.file = null
    // What the turn has written belongs to no recording, and nothing else would remove it.
    if (isUnknownToken(error)) await parts.stores.blobs.removeAll(turn.folder)
    throw error
  } finally {
    if (turn.file && turn.file.end > 0) memory.files.set(turn.folder, turn.file)
  }
}

export function createRecorder(parts: RecorderParts) {
  const memory: Memory = { states: createLruMap(MAX_CACHED_STATES), files: createLruMap(MAX_FILES) }
  const turns = createKeyedBatcher<Order, StoreResult>({
    take: (orders) => take(parts, memory, orders),
    weigh: ({ piece }) => piece.bytes,
    maxWeight: MAX_BLOCK_BYTES,
  })
  return {
    /** Resolves when the piece is stored permanently or refused permanently. */
    record: (project: Project, piece: SessionPiece): Promise<StoreResult> =>
      turns.add(recordingFolder(project.id, piece.sessionId), { project, piece }),
  }
}
