/**
 * Where the full snapshots of a block are: a player begins at one, as every other event only says what has changed since.
 * Found among events that are parsed anyway, and kept beside the block's place as a short text: of each window its id
 * and the times, `[["<window id>",<time>,…],…]`; empty when there are none.
 *
 * Bounded, so that no block can make its row large. What is left out can only make a player begin earlier: the first one
 * of each window goes in before others, as blocks are read as a whole.
 */
import type { RrwebEvent } from './event.ts'

const FULL_SNAPSHOT = 2
export const MAX_FULL_SNAPSHOTS = 20
/** Characters of the text; the ids of windows are the longest part. */
const MAX_TEXT = 2_000

export interface FullSnapshot {
  windowId: string
  at: number
}

const ascending = (a: number, b: number): number => a - b

/** Times of the first full snapshots among these events, each time once. */
export function fullSnapshotTimes(events: RrwebEvent[]): number[] {
  const times = new Set<number>()
  for (const event of events) if (event.type === FULL_SNAPSHOT) times.add(event.timestamp)
  return [...times].sort(ascending).slice(0, MAX_FULL_SNAPSHOTS)
}

/** Firsts of windows, then the others; each group by time. */
function inOrderOfUse(found: FullSnapshot[]): FullSnapshot[] {
  const windows = new Set<string>()
  const firsts: FullSnapshot[] = []
  const others: FullSnapshot[] = []
  for (const one of found.sort((a, b) => a.at - b.at)) {
    if (windows.has(one.windowId)) others.push(one)
    else firsts.push(one)
    windows.add(one.windowId)
  }
  return [...firsts, ...others]
}

const write = (windows: Map<string, Set<number>>): string =>
  JSON.stringify([...windows].map(([windowId, times]) => [windowId, ...times]))

/** `parts` are those of one block; a window may have several. */
export function writeFullSnapshots(parts: { windowId: string; fullSnapshots: number[] }[]): string {
  const found = parts.flatMap(({ windowId, fullSnapshots }) => fullSnapshots.map((at) => ({ windowId, at })))
  if (found.length === 0) return ''
  const kept = new Map<string, Set<number>>()
  let [text, count] = ['', 0]
  for (const { windowId, at } of inOrderOfUse(found)) {
    const times = kept.get(windowId)
    if (times?.has(at)) continue
    kept.set(windowId, new Set([...(times ?? []), at]))
    const longer = write(kept)
    if (longer.length > MAX_TEXT) break
    text = longer
    if (++count === MAX_FULL_SNAPSHOTS) break
  }
  return text
}

/** By time. */
export function readFullSnapshots(text: string): FullSnapshot[] {
  if (text === '') return []
  const windows = JSON.parse(text) as [string, ...number[]][]
  return windows.flatMap(([windowId, ...times]) => times.map((at) => ({ windowId, at }))).sort((a, b) => a.at - b.at)
}
