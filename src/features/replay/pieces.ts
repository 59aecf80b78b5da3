/**
 * Snapshots made ready to be stored: one piece for each session of a request. What takes time (undoing the SDK's own
 * compression, writing the lines, counting) is done here, before anything waits for a recording's turn.
 */
import { createHash } from 'node:crypto'
import type { RrwebEvent } from '../../rules/rrweb.ts'
import { blockLines } from '../../rules/rrweb-block.ts'
import { type Inflated, inflateParts, writeEvent } from '../../rules/rrweb-compression.ts'
import { type RrwebSummary, summarise } from '../../rules/rrweb-summary.ts'
import type { Snapshot } from './read-snapshots.ts'

export interface PreparedSnapshot {
  /** 32 hex digits, by which a repeat is known: the SDK's uuid, or a hash of the lines. */
  id: string
  lines: Buffer
  summary: RrwebSummary
}

/** What one request brings to one recording. */
export interface Piece extends Pick<Snapshot, 'sessionId' | 'distinctId' | 'source' | 'library'> {
  snapshots: PreparedSnapshot[]
  bytes: number
}

export interface PrepareOptions {
  /** Bytes of text that compressed parts may become. */
  inflated: number
  withConsole: boolean
}

const hashOf = (lines: Buffer): string => createHash('sha256').update(lines).digest('hex').slice(0, 32)

function prepare(snapshot: Snapshot, inflated: Inflated, withConsole: boolean): PreparedSnapshot {
  const { windowId, events, uuid } = snapshot
  const lines = blockLines(
    windowId,
    events.map((event) => writeEvent(event, inflated)),
  )
  return { id: uuid ?? hashOf(lines), lines, summary: summarise(events, { withConsole }) }
}

function* eventsOf(snapshots: Snapshot[]): Iterable<RrwebEvent> {
  for (const { events } of snapshots) yield* events
}

/** Recordings take their distinct id and source from the first snapshot that came. */
export async function makePieces(snapshots: Snapshot[], options: PrepareOptions): Promise<Piece[]> {
  const inflated = await inflateParts(eventsOf(snapshots), options.inflated)
  const pieces = new Map<string, Piece>()
  for (const snapshot of snapshots) {
    const { sessionId, distinctId, source, library } = snapshot
    const piece = pieces.get(sessionId) ?? { sessionId, distinctId, source, library, snapshots: [], bytes: 0 }
    const prepared = prepare(snapshot, inflated, options.withConsole)
    piece.snapshots.push(prepared)
    piece.bytes += prepared.lines.length
    pieces.set(sessionId, piece)
  }
  return [...pieces.values()]
}
