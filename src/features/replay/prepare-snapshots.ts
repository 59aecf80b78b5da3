/**
 * Prepares snapshots for storing: one piece for each session of a request. The slow work (undoing the SDK's own
 * compression, writing the text, counting) is done here, before waiting for the recording's turn.
 */
import { createHash } from 'node:crypto'
import { Slices } from '../../lib/concurrency/time-slices.ts'
import { blockText, linesLength } from '../../rules/rrweb/block.ts'
import { type Hold, type Inflated, inflateParts, writeInflated } from '../../rules/rrweb/compression.ts'
import type { RrwebEvent } from '../../rules/rrweb/event.ts'
import { fullSnapshotTimes } from '../../rules/rrweb/full-snapshots.ts'
import { type RrwebSummary, summarise } from '../../rules/rrweb/summary.ts'
import type { Snapshot } from './read-snapshots.ts'

export interface PreparedSnapshot {
  /** Its index in the request. */
  index: number
  /** 32 hex digits that identify a repeat: the SDK's uuid, or a hash of the text. */
  id: string
  /** A part of a block (rules/rrweb/block.ts). */
  text: Buffer
  /** Bytes of its lines as players read them. */
  size: number
  summary: RrwebSummary
  windowId: string
  /** Times of those in it, as far as they are kept (rules/rrweb/full-snapshots.ts). */
  fullSnapshots: number[]
}

/** The part of one request for one recording. */
export interface SessionPiece extends Pick<Snapshot, 'sessionId' | 'distinctId' | 'source' | 'library'> {
  snapshots: PreparedSnapshot[]
  bytes: number
}

export interface PrepareOptions {
  /** Maximum bytes of decompressed text. */
  inflated: number
  /** Called with the bytes of decompressed text. */
  hold: Hold
  withConsole: boolean
}

const hashOf = (text: Buffer): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** The text of each event. */
async function write({ events, texts }: Snapshot, inflated: Inflated, slices: Slices): Promise<(string | Buffer)[]> {
  const written: (string | Buffer)[] = []
  for (const [i, event] of events.entries()) {
    written.push(writeInflated(event, inflated) ?? texts?.[i] ?? JSON.stringify(event))
    if (slices.isOver) await slices.rest()
  }
  return written
}

function prepare(snapshot: Snapshot, written: (string | Buffer)[], withConsole: boolean): PreparedSnapshot {
  const { index, windowId, events, uuid } = snapshot
  const text = blockText(windowId, written)
  const size = linesLength(text, windowId, events.length)
  const summary = summarise(events, { withConsole })
  const fullSnapshots = fullSnapshotTimes(events)
  return { index, id: uuid ?? hashOf(text), text, size, summary, windowId, fullSnapshots }
}

function* eventsOf(snapshots: Snapshot[]): Iterable<RrwebEvent> {
  for (const { events } of snapshots) yield* events
}

/** Recordings take their distinct id and source from the first snapshot received. */
export async function prepareSnapshots(snapshots: Snapshot[], options: PrepareOptions): Promise<SessionPiece[]> {
  const slices = new Slices()
  const inflated = await inflateParts(eventsOf(snapshots), options.inflated, options.hold)
  const pieces = new Map<string, SessionPiece>()
  for (const snapshot of snapshots) {
    const { sessionId, distinctId, source, library } = snapshot
    const piece = pieces.get(sessionId) ?? { sessionId, distinctId, source, library, snapshots: [], bytes: 0 }
    const prepared = prepare(snapshot, await write(snapshot, inflated, slices), options.withConsole)
    if (slices.isOver) await slices.rest()
    piece.snapshots.push(prepared)
    piece.bytes += prepared.text.length
    pieces.set(sessionId, piece)
  }
  return [...pieces.values()]
}
