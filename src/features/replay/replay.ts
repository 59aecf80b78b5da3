/**
 * Replay in: a `/s/` request from its bytes to stored blocks. It is answered when everything of it is on the disk.
 * Memory is bounded: a few requests are unpacked at a time, and only so many bytes wait to be stored.
 */
import type { RawCall } from '../../http/raw.ts'
import { atMost } from '../../lib/at-most.ts'
import { Batcher } from '../../lib/batcher.ts'
import type { Clock } from '../../lib/clock.ts'
import { invalid, unavailable } from '../../lib/errors.ts'
import { uuidV7 } from '../../lib/ids.ts'
import type { Project } from '../../model/project.ts'
import type { Stores } from '../../model/stores.ts'
import { makePieces, type Piece } from './pieces.ts'
import { createQuota } from './quota.ts'
import { rawEvents } from './raw-events.ts'
import { type Malformed, type ReplayDrop, readSnapshots } from './read-snapshots.ts'
import { createRecorder, type Fate, type Write } from './recorder.ts'

export interface ReplayMeters {
  step(step: string, ms: number): void
  dropped(reason: string, count: number): void
}

export interface ReplayParts {
  stores: Pick<Stores, 'recordings' | 'blobs' | 'transaction'>
  clock: Clock
  /** What a request holds, however it is wrapped, and the JSON text that it was read from. */
  read: (call: RawCall) => Promise<{ token: string; items: unknown[]; text: Buffer }>
  /** The project of a token; refuses one that nobody has. */
  projectOf: (token: string) => Promise<Project>
  meters: ReplayMeters
  /** Whether the disk has room for recordings. */
  hasRoom: () => boolean
  lost: (error: Error) => void
  limits: { body: number; inflated: number; waiting: number }
}

export interface ReplayAnswer {
  drops: { index: number; reason: string }[]
  /** Nothing was stored, and the SDK is to pause. */
  limited: boolean
}

/** What the SDKs print for a request of which nothing was an event of a recording. */
const SENTENCES: Record<Malformed, string> = {
  invalid_event: 'failed to parse request: expected an event object',
  missing_session_id: 'replay event submitted without session id',
  invalid_session_id: 'replay event has invalid session id',
  missing_snapshot_data: 'replay event submitted without snapshot data',
  missing_distinct_id: 'event submitted without a distinct_id',
}

const AT_ONCE = 3
const WRITES_PER_COMMIT = 200
const WRITES_QUEUED = 20_000
const WAIT_MS = 2
const MAX_WARNED = 1_000

const overloaded = () => unavailable('transient error, please retry', 5)

const isMalformed = (reason: string): reason is Malformed => reason in SENTENCES

type Warn = (projectId: number, type: string, details: Record<string, unknown>) => Write

const warning =
  (clock: Clock): Warn =>
  (projectId, type, details) =>
  (tx) =>
    tx.intake.addWarning({ id: uuidV7(clock.now()), projectId, type, details, createdAt: clock.now() })

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

const createWrites = (stores: ReplayParts['stores']): Batcher<Write> =>
  new Batcher<Write>({
    flush: (writes) =>
      stores.transaction(async (tx) => {
        for (const write of writes) await write(tx)
      }),
    weigh: () => 1,
    maxWeight: WRITES_PER_COMMIT,
    maxQueued: WRITES_QUEUED,
    waitMs: WAIT_MS,
    full: overloaded,
  })

interface Unpacked {
  project: Project
  pieces: Piece[]
  drops: ReplayDrop[]
  limited: boolean
}

type Quota = ReturnType<typeof createQuota>

/** From bytes to pieces that only have to be written. */
async function unpack(parts: ReplayParts, quota: Quota, call: RawCall): Promise<Unpacked> {
  const before = performance.now()
  const { token, items, text } = await parts.read(call)
  const project = await parts.projectOf(token)
  const userAgent = call.headers['user-agent'] ?? ''
  const { snapshots, drops } = readSnapshots(items, { now: parts.clock.now(), userAgent, texts: rawEvents(text) })
  parts.meters.step('replay_read', performance.now() - before)
  const [first] = drops
  if (snapshots.length === 0 && first && drops.every((drop) => isMalformed(drop.reason))) {
    throw invalid(SENTENCES[first.reason as Malformed])
  }
  if (!project.sessionRecordingOptIn) {
    parts.meters.dropped('recording_off', snapshots.length)
    return { project, pieces: [], drops: [], limited: false }
  }
  if (snapshots.length > 0 && (!parts.hasRoom() || (await quota.isSpent(project)))) {
    parts.meters.dropped('recording_limited', snapshots.length)
    return { project, pieces: [], drops, limited: true }
  }
  const since = performance.now()
  const options = { inflated: parts.limits.inflated, withConsole: project.captureConsoleLogOptIn }
  const pieces = await makePieces(snapshots, options)
  parts.meters.step('replay_prepare', performance.now() - since)
  return { project, pieces, drops, limited: false }
}

export function createReplay(parts: ReplayParts) {
  const { stores, clock, meters, limits, lost } = parts
  const writes = createWrites(stores)
  const quota = createQuota({ recordings: stores.recordings, clock })
  const recorder = createRecorder({ stores, writes, clock, lost, stored: quota.stored })
  const inTurn = atMost(AT_ONCE)
  const warn = warning(clock)
  const once = createOnce()
  let waiting = 0

  const warnDrops = (projectId: number, drops: ReplayDrop[]) =>
    drops.map(({ index, reason, sessionId }) => {
      meters.dropped(reason, 1)
      return writes.add(warn(projectId, reason, { index, sessionId }))
    })

  /** A session that was deleted goes on in the browser for a while: one warning for it is enough. */
  const noteFate = async (projectId: number, { sessionId, snapshots }: Piece, fate: Fate): Promise<void> => {
    if (fate === 'stored') return
    meters.dropped(fate, snapshots.length)
    if (once(`${fate} ${projectId}/${sessionId}`)) await writes.add(warn(projectId, fate, { sessionId }))
  }

  const store = async ({ project, pieces }: Unpacked): Promise<void> => {
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0)
    if (waiting > 0 && waiting + bytes > limits.waiting) throw overloaded()
    waiting += bytes
    const since = performance.now()
    try {
      const fates = pieces.map(async (piece) => noteFate(project.id, piece, await recorder.record(project, piece)))
      for (const fate of await Promise.allSettled(fates)) if (fate.status === 'rejected') throw fate.reason
    } finally {
      waiting -= bytes
      meters.step('replay_store', performance.now() - since)
    }
  }

  return {
    /** Rejects when nothing of the request was an event of a recording, or when it has to be sent again. */
    async accept(call: RawCall): Promise<ReplayAnswer> {
      const unpacked = await inTurn(() => unpack(parts, quota, call))
      await store(unpacked)
      await Promise.all(warnDrops(unpacked.project.id, unpacked.drops))
      return { drops: unpacked.drops.map(({ index, reason }) => ({ index, reason })), limited: unpacked.limited }
    },
    bodyLimit: limits.body,
    /** Stores everything that waits. */
    close: () => writes.close(),
  }
}

export type Replay = ReturnType<typeof createReplay>
