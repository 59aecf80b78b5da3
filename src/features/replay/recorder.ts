/**
 * Stores pieces of recordings so that what is acknowledged is there, once, and plays.
 *
 * Pieces of one recording take turns; what waits meanwhile goes into the next block together. A turn: look which
 * snapshots are new; append their lines to the recording's file (on the disk itself); then one SQL transaction,
 * shared with other recordings, records block, snapshots and numbers. Cut off in between, the bytes have no row:
 * nobody reads them, and the next append takes their place. Before the first bytes of a file its session is noted as
 * a draft, so that the next start finds and removes what never became a recording. Deleted and expired recordings
 * take nothing more.
 */
import type { Batcher } from '../../lib/batcher.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Project } from '../../model/project.ts'
import type { RecordingBlock, RecordingStanding } from '../../model/recording.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { recordingFolder } from '../../rules/recording.ts'
import { type BlockWriter, createBlockWriter } from './block-writer.ts'
import { grown } from './growth.ts'
import type { Piece, PreparedSnapshot } from './pieces.ts'
import { createTurns } from './turns.ts'

/** What became of a piece. */
export type Fate = 'stored' | 'recording_deleted' | 'recording_expired'

/** One part of a shared transaction; it runs again when the shared one fails for another's sake. */
export type Write = (tx: SqlWriters) => Promise<void>

export interface RecorderParts {
  stores: Pick<Stores, 'recordings' | 'blobs'>
  writes: Pick<Batcher<Write>, 'add'>
  clock: Clock
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
const TRIES = 3
/** More than one process ever has in hand. */
const MAX_DRAFTS = 10_000

/** Somebody else has changed the recording since it was looked at. */
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

/** In the transaction: the block is the recording's next, and none of its snapshots is there yet. */
async function record(tx: SqlWriters, turn: Turn, block: RecordingBlock, now: number): Promise<void> {
  const { project, piece, snapshots } = turn
  const { sessionId } = piece
  const standing = await tx.recordings.standing(project.id, sessionId)
  if ((standing?.lastBlock?.index ?? -1) + 1 !== block.index) throw new Overtaken()
  const { recording, progress } = grown(standing, { project, piece, snapshots, length: block.length, now })
  if (standing) await tx.recordings.grow(project.id, sessionId, block, recording)
  else if (!(await tx.recordings.create(recording, [block]))) throw new Overtaken()
  const ids = snapshots.map((snapshot) => snapshot.id)
  if (!(await tx.recordings.noteSnapshots(project.id, sessionId, ids))) throw new Overtaken()
  await tx.recordings.saveProgress(project.id, sessionId, progress)
  if (block.offset === 0) await tx.recordings.removeDraft(project.id, sessionId)
}

async function store(parts: RecorderParts, blocks: BlockWriter, turn: Turn, last: RecordingBlock | null) {
  const { project, piece, folder, snapshots } = turn
  const announce = async () => {
    await parts.writes.add((tx) => tx.recordings.addDraft(project.id, piece.sessionId))
    turn.drafted = true
  }
  const text = Buffer.concat(snapshots.map((snapshot) => snapshot.lines))
  const { place, keep } = await blocks.write({ folder, text, last, announce })
  const firstAt = Math.min(...snapshots.map(({ summary }) => summary.startAt))
  const lastAt = Math.max(...snapshots.map(({ summary }) => summary.endAt))
  await parts.writes.add((tx) => record(tx, turn, { ...place, firstAt, lastAt }, parts.clock.now()))
  keep()
  parts.stored(project.id, place.length)
  if (last !== null && place.offset === 0) {
    parts.lost(new Error(`Bytes of the recording in ${folder} are missing before block ${place.index}.`))
  }
}

/** Why nothing more is taken for the session; null when there is no reason. */
async function refusal(parts: RecorderParts, turn: Turn, standing: RecordingStanding | null): Promise<Fate | null> {
  if (standing) return standing.recording.expiresAt <= parts.clock.now() ? 'recording_expired' : null
  const { project, piece, folder } = turn
  if (!(await parts.stores.recordings.findTombstone(project.id, piece.sessionId))) return null
  // It was deleted after this turn had begun: what the turn has written since must not stay.
  if (turn.drafted) {
    await parts.stores.blobs.removeAll(folder)
    await parts.writes.add((tx) => tx.recordings.removeDraft(project.id, piece.sessionId))
  }
  return 'recording_deleted'
}

async function take(parts: RecorderParts, blocks: BlockWriter, orders: Order[]): Promise<Fate> {
  const { recordings } = parts.stores
  const turn = startTurn(orders)
  const { project, piece, snapshots } = turn
  const ids = snapshots.map((snapshot) => snapshot.id)
  for (let attempt = 1; ; attempt++) {
    const standing = await recordings.standing(project.id, piece.sessionId)
    const refused = await refusal(parts, turn, standing)
    if (refused !== null) return refused
    const known = standing ? await recordings.knownSnapshots(project.id, piece.sessionId, ids) : new Set()
    turn.snapshots = snapshots.filter((snapshot) => !known.has(snapshot.id))
    if (turn.snapshots.length === 0) return 'stored'
    try {
      await store(parts, blocks, turn, standing?.lastBlock ?? null)
      return 'stored'
    } catch (error) {
      if (!(error instanceof Overtaken) || attempt === TRIES) throw error
    }
  }
}

export function createRecorder(parts: RecorderParts) {
  const blocks = createBlockWriter({ blobs: parts.stores.blobs })
  const turns = createTurns<Order, Fate>({
    take: (orders) => take(parts, blocks, orders),
    weigh: ({ piece }) => piece.bytes,
    maxWeight: MAX_BLOCK_BYTES,
  })
  return {
    /** Resolves when the piece is stored for good, or refused for good. */
    record: (project: Project, piece: Piece): Promise<Fate> =>
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
