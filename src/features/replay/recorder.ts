/**
 * Stores pieces of recordings so that what is acknowledged is there, once, and plays.
 *
 * Pieces of one recording take turns; what waits meanwhile goes into the next block together. A turn: append the
 * text of new snapshots to the recording's file (on the disk itself); then one SQL transaction, shared with other
 * recordings, records block, snapshots and numbers. Cut off in between, the bytes have no row: nobody reads them,
 * and the next append takes their place. Before the first bytes of a file its session is noted as a draft, so that
 * the next start finds and removes what never became a recording. Deleted and expired recordings take nothing more.
 *
 * What is known of a recording after its block is kept for the next one, so that nothing has to be asked. It is
 * never trusted: the transaction refuses a block whose index is taken, a snapshot that is there and a recording that
 * is gone; then the turn is overtaken, and begins again with what the store says.
 */

import { createKeyedBatcher } from '../../lib/concurrency/keyed-batcher.ts'
import { createLruMap, type LruMap } from '../../lib/lists/lru-map.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { RecordingBlock } from '../../model/recordings/recording.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { isUnknownToken } from '../../rules/capture/unknown-token.ts'
import { recordingFolder } from '../../rules/recordings/recording.ts'
import { appendBlock, beginBlocks, type NewBlock } from './block-writer.ts'
import type { Piece, PreparedSnapshot } from './prepare-snapshots.ts'
import { type Grown, grow, type Live, liveFrom, progressOf } from './recording-growth.ts'

/** What became of a piece. */
export type StoreResult = 'stored' | 'recording_deleted' | 'recording_expired'

/** One part of a shared transaction; it runs again when the shared one fails for another's sake. */
export type Write = (tx: SqlWriters) => Promise<void>

export interface RecorderParts {
  stores: Pick<Stores, 'recordings' | 'blobs'>
  /** Done when it is on the disk; refused as by an unknown token when the project is gone. */
  write: (projectId: number, write: Write) => Promise<void>
  clock: Clock
  /** By which a recording has expired: a clock that jumped ahead must not refuse what still comes in. */
  believedNow: () => number
  /** Bytes of earlier blocks were found missing; the recording goes on without them. */
  lost: (error: Error) => void
  /** How many bytes went to the disk. */
  stored: (projectId: number, bytes: number) => void
}

interface Order {
  project: Project
  piece: Piece
}

interface Turn extends Order {
  folder: string
  /** Each once. */
  snapshots: PreparedSnapshot[]
  /** Whether this turn has noted a draft. */
  drafted: boolean
}

const MAX_BLOCK_BYTES = 8_000_000
/** Recordings of which something is kept: 32 kB of text each, and their numbers. */
const MAX_LIVE = 500
const MAX_RECENT_IDS = 50
const TRIES = 3
/** More than one process ever has in hand. */
const MAX_DRAFTS = 10_000

/** The recording is not what it was taken for. */
class Overtaken extends Error {}

/** `orders` are of one session, in order of arrival. */
function startTurn(orders: Order[]): Turn {
  const [first] = orders
  if (!first) throw new Error('A turn needs something to store.')
  const snapshots = new Map<string, PreparedSnapshot>()
  for (const { piece } of orders) {
    for (const snapshot of piece.snapshots) if (!snapshots.has(snapshot.id)) snapshots.set(snapshot.id, snapshot)
  }
  const folder = recordingFolder(first.project.id, first.piece.sessionId)
  return { ...first, folder, snapshots: [...snapshots.values()], drafted: false }
}

interface Entry {
  grown: Grown
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
  if (!done || !(await tx.recordings.noteSnapshots(projectId, sessionId, ids))) throw new Overtaken()
  await tx.recordings.saveProgress(projectId, sessionId, progressOf(grown))
  if (block.offset === 0) await tx.recordings.removeDraft(projectId, sessionId)
}

/** Null: what is kept of the recording is out of date. */
async function writeBytes(
  parts: RecorderParts,
  turn: Turn,
  live: Live | null,
  kept: boolean,
): Promise<NewBlock | null> {
  const { project, piece, folder, snapshots } = turn
  const { blobs } = parts.stores
  const text = Buffer.concat(snapshots.map((snapshot) => snapshot.text))
  const last = live?.lastBlock ?? null
  const appended = last === null ? null : await appendBlock(blobs, text, last, live?.chain ?? null)
  if (appended !== null || kept) return appended
  await parts.write(project.id, (tx) => tx.recordings.addDraft(project.id, piece.sessionId))
  turn.drafted = true
  if (last !== null) parts.lost(new Error(`Bytes of the recording in ${folder} are missing up to block ${last.index}.`))
  return beginBlocks(blobs, text, folder, last === null ? 0 : last.index + 1)
}

/** What the recording is afterwards. */
async function store(parts: RecorderParts, turn: Turn, live: Live | null, kept: boolean): Promise<Live> {
  const { project, piece, snapshots } = turn
  const written = await writeBytes(parts, turn, live, kept)
  if (written === null) throw new Overtaken()
  const { place, chain } = written
  const firstAt = Math.min(...snapshots.map(({ summary }) => summary.startAt))
  const lastAt = Math.max(...snapshots.map(({ summary }) => summary.endAt))
  const grown = grow(live, { project, piece, snapshots, length: place.length, now: parts.clock.now() })
  const lastBlock = { ...place, firstAt, lastAt }
  const ids = snapshots.map((snapshot) => snapshot.id)
  const entry = { grown, block: lastBlock, ids, isNew: live === null }
  await parts.write(project.id, (tx) => record(tx, entry))
  parts.stored(project.id, place.length)
  return { ...grown, lastBlock, chain, recent: [...(live?.recent ?? []), ...ids].slice(-MAX_RECENT_IDS) }
}

/** It was deleted; what the turn has written since must not stay. */
async function refuseDeleted(parts: RecorderParts, { project, piece, folder, drafted }: Turn): Promise<StoreResult> {
  if (drafted) {
    await parts.stores.blobs.removeAll(folder)
    await parts.write(project.id, (tx) => tx.recordings.removeDraft(project.id, piece.sessionId))
  }
  return 'recording_deleted'
}

/** A turn with what the store says, or with what is kept of the recording. */
async function attempt(
  parts: RecorderParts,
  recent: LruMap<Live>,
  turn: Turn,
  kept: Live | null,
): Promise<StoreResult> {
  const { recordings } = parts.stores
  const { id } = turn.project
  const { sessionId } = turn.piece
  const standing = kept === null ? await recordings.standing(id, sessionId) : null
  const live = standing ? liveFrom(standing) : kept
  if (live === null && (await recordings.findTombstone(id, sessionId))) return refuseDeleted(parts, turn)
  if (live !== null && live.recording.expiresAt <= parts.believedNow()) return 'recording_expired'
  if (standing) {
    const ids = turn.snapshots.map((snapshot) => snapshot.id)
    const known = await recordings.knownSnapshots(id, sessionId, ids)
    turn.snapshots = turn.snapshots.filter((snapshot) => !known.has(snapshot.id))
  }
  if (turn.snapshots.length > 0) recent.set(turn.folder, await store(parts, turn, live, kept !== null))
  return 'stored'
}

async function take(parts: RecorderParts, recent: LruMap<Live>, orders: Order[]): Promise<StoreResult> {
  const turn = startTurn(orders)
  for (let tries = 1; ; tries++) {
    const known = recent.take(turn.folder)
    const repeats = known && turn.snapshots.some((snapshot) => known.recent.includes(snapshot.id))
    try {
      return await attempt(parts, recent, turn, known && !repeats ? known : null)
    } catch (error) {
      // What the turn has written is nobody's, and nobody else would remove it.
      if (isUnknownToken(error)) await parts.stores.blobs.removeAll(turn.folder)
      if (!(error instanceof Overtaken) || tries === TRIES) throw error
    }
  }
}

export function createRecorder(parts: RecorderParts) {
  const recent = createLruMap<Live>(MAX_LIVE)
  const turns = createKeyedBatcher<Order, StoreResult>({
    take: (orders) => take(parts, recent, orders),
    weigh: ({ piece }) => piece.bytes,
    maxWeight: MAX_BLOCK_BYTES,
  })
  return {
    /** Resolves when the piece is stored for good, or refused for good. */
    record: (project: Project, piece: Piece): Promise<StoreResult> =>
      turns.add(recordingFolder(project.id, piece.sessionId), { project, piece }),
  }
}

/** Removes the bytes of sessions that never became a recording; for the start, before anything comes in. */
export async function sweepDrafts(stores: Pick<Stores, 'recordings' | 'blobs' | 'transaction'>): Promise<void> {
  const drafts = await stores.recordings.drafts(MAX_DRAFTS)
  for (const { projectId, sessionId } of drafts) {
    if (!(await stores.recordings.standing(projectId, sessionId))) {
      await stores.blobs.removeAll(recordingFolder(projectId, sessionId))
    }
    await stores.transaction((tx) => tx.recordings.removeDraft(projectId, sessionId))
  }
}
