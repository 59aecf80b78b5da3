/**
 * Replay intake: a `/s/` request from its bytes to stored blocks. It is answered when everything of it is on disk.
 * Memory is bounded: a few requests are unpacked at a time, and the bytes waiting to be stored are limited.
 */
import type { RawCall } from '../../http/raw-routes.ts'
import { limitConcurrency } from '../../lib/concurrency/concurrency-limit.ts'
import { writeBatcher } from '../../lib/concurrency/group-commit.ts'
import { invalid, overloaded, tooLarge } from '../../lib/errors.ts'
import type { Ends } from '../../lib/json/json-scanner.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { ingestionWarning, MAX_WARNINGS } from '../../rules/capture/ingestion-warning.ts'
import { refuseRemoved } from '../../rules/capture/unknown-token.ts'
import { prepareSnapshots, type SessionPiece } from './prepare-snapshots.ts'
import { createQuota } from './quota.ts'
import { rawEvents } from './raw-events.ts'
import { type Malformed, type ReplayDrop, readSnapshots, type Snapshot } from './read-snapshots.ts'
import { createRecorder, type StoreResult, type Write } from './recorder.ts'

interface ReplayMeters {
  step(step: string, ms: number): void
  dropped(reason: string, count: number): void
}

export interface ReplayParts {
  stores: Pick<Stores, 'recordings' | 'blobs' | 'transaction'>
  clock: Clock
  /** The time by the clock, or without its jump if it jumped far ahead: a wrong clock refuses nothing as too old. */
  trustedNow: () => number
  /**
   * The content of a request, whatever its encoding, and the JSON text that it was parsed from; `ends` as in
   * findExcess.
   */
  read: (call: RawCall, ends: Ends) => Promise<{ token: string; items: unknown[]; text: Buffer }>
  /** The project of a token; refuses an unknown one. */
  projectOf: (token: string) => Promise<Project>
  meters: ReplayMeters
  /** Whether the disk has space for recordings. */
  hasRoom: () => boolean
  lost: (error: Error) => void
  limits: { body: number; inflated: number; waiting: number }
}

interface Drop {
  index: number
  reason: string
}

export interface ReplayAnswer {
  drops: Drop[]
  /** Nothing was stored, and the SDK is to pause. */
  limited: boolean
}

/** What the SDKs print for a request without any event of a recording. */
const SENTENCES: Record<Malformed, string> = {
  invalid_event: 'failed to parse request: expected an event object',
  missing_session_id: 'replay event submitted without session id',
  invalid_session_id: 'replay event has invalid session id',
  missing_snapshot_data: 'replay event submitted without snapshot data',
  missing_distinct_id: 'event submitted without a distinct_id',
}

const AT_ONCE = 3
const MAX_WARNED = 1_000

const isMalformed = (reason: string): reason is Malformed => reason in SENTENCES

type Warn = (projectId: number, type: string, details: Record<string, unknown>) => Write

const warning =
  (clock: Clock): Warn =>
  (projectId, type, details) =>
  (tx) =>
    tx.intake.addWarnings(projectId, [ingestionWarning(projectId, { type, details }, clock.now())])

/**
 * Each session is a file of its own that has to be synced to disk. Browsers send a few at once, and a few hundred
 * events.
 */
const MAX_SESSIONS = 100
const MAX_EVENTS = 100_000

function boundWork(snapshots: Snapshot[]): void {
  const events = snapshots.reduce((count, snapshot) => count + snapshot.events.length, 0)
  if (events > MAX_EVENTS) throw tooLarge(`maximum event size exceeded: more than ${MAX_EVENTS} events of recordings`)
  if (new Set(snapshots.map(({ sessionId }) => sessionId)).size > MAX_SESSIONS) {
    throw tooLarge(`maximum event size exceeded: more than ${MAX_SESSIONS} sessions`)
  }
}

/** True the first time; remembers the most recent names. */
function createOnce() {
  const seen = new Set<string>()
  return (name: string): boolean => {
    if (seen.has(name)) return false
    seen.add(name)
    if (seen.size > MAX_WARNED) seen.delete(seen.values().next().value as string)
    return true
  }
}

const WRITES = { maxWeight: 200, maxQueued: 20_000, waitMs: 2, full: () => overloaded('queue') }

interface Unpacked {
  project: Project
  pieces: SessionPiece[]
  drops: ReplayDrop[]
  /** Indexes of snapshots that were sent although the project does not record. */
  refused: number[]
  limited: boolean
}

type Quota = ReturnType<typeof createQuota>

/** From bytes to pieces that only have to be written. */
async function unpack(parts: ReplayParts, quota: Quota, call: RawCall): Promise<Unpacked> {
  const before = performance.now()
  const ends: Ends = new Map()
  const { token, items, text } = await parts.read(call, ends)
  const project = await parts.projectOf(token)
  call.note(project)
  const userAgent = call.headers['user-agent'] ?? ''
  const texts = rawEvents({ bytes: text, ends })
  const { snapshots, drops } = await readSnapshots(items, { now: parts.trustedNow(), userAgent, texts })
  boundWork(snapshots)
  parts.meters.step('replay_read', performance.now() - before)
  const [first] = drops
  if (snapshots.length === 0 && first && drops.every((drop) => isMalformed(drop.reason))) {
    throw invalid(SENTENCES[first.reason as Malformed])
  }
  if (!project.sessionRecordingOptIn) {
    return { project, pieces: [], drops, refused: snapshots.map(({ index }) => index), limited: false }
  }
  if (snapshots.length > 0 && (!parts.hasRoom() || (await quota.isSpent(project)))) {
    parts.meters.dropped('recording_limited', snapshots.length)
    return { project, pieces: [], drops, refused: [], limited: true }
  }
  const since = performance.now()
  const options = { inflated: parts.limits.inflated, hold: call.hold, withConsole: project.captureConsoleLogOptIn }
  const pieces = await prepareSnapshots(snapshots, options)
  parts.meters.step('replay_prepare', performance.now() - since)
  return { project, pieces, drops, refused: [], limited: false }
}

export function createReplay(parts: ReplayParts) {
  const { stores, clock, trustedNow, meters, limits, lost } = parts
  const writes = writeBatcher<SqlWriters>((work) => stores.transaction(work), WRITES)
  const quota = createQuota({ recordings: stores.recordings, clock })
  const write = (projectId: number, work: Write) =>
    writes.add(async (tx) => {
      await refuseRemoved(tx, projectId)
      await work(tx)
    })
  const recorder = createRecorder({ stores, write, clock, trustedNow, lost, stored: quota.stored })
  const inTurn = limitConcurrency(AT_ONCE)
  const warn = warning(clock)
  const once = createOnce()
  let waiting = 0

  const warnDrops = (projectId: number, drops: ReplayDrop[]) => {
    for (const { reason } of drops) meters.dropped(reason, 1)
    const reported = drops.slice(0, MAX_WARNINGS)
    return reported.map(({ index, reason, sessionId }) =>
      write(projectId, warn(projectId, reason, { index, sessionId })),
    )
  }

  /** A browser keeps sending for a while after a refusal: one warning is enough. */
  const refuse = async (projectId: number, reason: string, indexes: number[], sessionId: string | null) => {
    meters.dropped(reason, indexes.length)
    if (once(`${reason} ${projectId}/${sessionId}`)) await write(projectId, warn(projectId, reason, { sessionId }))
    return indexes.map((index) => ({ index, reason }))
  }

  const storePiece = async (project: Project, piece: SessionPiece): Promise<Drop[]> => {
    const fate: StoreResult = await recorder.record(project, piece)
    if (fate === 'stored') return []
    const indexes = piece.snapshots.map(({ index }) => index)
    return refuse(project.id, fate, indexes, piece.sessionId)
  }

  /** Returns what was not stored after all. */
  const store = async ({ project, pieces }: Unpacked): Promise<Drop[]> => {
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0)
    if (waiting > 0 && waiting + bytes > limits.waiting) throw overloaded('memory')
    waiting += bytes
    const since = performance.now()
    try {
      const results = await Promise.allSettled(pieces.map((piece) => storePiece(project, piece)))
      return results.flatMap((result) => {
        if (result.status === 'rejected') throw result.reason
        return result.value
      })
    } finally {
      waiting -= bytes
      meters.step('replay_store', performance.now() - since)
    }
  }

  return {
    /** Rejects when nothing of the request was an event of a recording, or when it has to be sent again. */
    async accept(call: RawCall): Promise<ReplayAnswer> {
      const unpacked = await inTurn(() => unpack(parts, quota, call))
      const { project, drops, refused, limited } = unpacked
      const late = await store(unpacked)
      const off = refused.length > 0 ? await refuse(project.id, 'recording_off', refused, null) : []
      await Promise.all(warnDrops(project.id, drops))
      const all = [...drops.map(({ index, reason }) => ({ index, reason })), ...late, ...off]
      return { drops: all.sort((a, b) => a.index - b.index), limited }
    },
    bodyLimit: limits.body,
    /** Stores everything that waits. */
    close: () => writes.close(),
  }
}

export type Replay = ReturnType<typeof createReplay>
