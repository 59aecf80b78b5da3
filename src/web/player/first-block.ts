/** Where to begin to read for a given time: a window can be drawn from a full snapshot on, and no earlier event is needed. */
import type { Block } from './snapshot-source.ts'

/**
 * The index of the block with the last full snapshot up to this time, of this window or of any. 0 when there is none, or
 * when the list does not say of each block before: then everything is read from the beginning.
 */
export function firstBlockFor(blocks: Block[], time: number, windowId?: string): number {
  let found = 0
  let latest = Number.NEGATIVE_INFINITY
  for (const [index, { start, full }] of blocks.entries()) {
    if (start > time) break
    if (full === null) return 0
    for (const snapshot of full) {
      if (snapshot.timestamp > time || snapshot.timestamp <= latest) continue
      if (windowId !== undefined && snapshot.windowId !== windowId) continue
      found = index
      latest = snapshot.timestamp
    }
  }
  return found
}

/** The time of the first frame; `blocks` must say where their full snapshots are, up to the first of them. */
export function firstFrame(blocks: Block[]): number {
  let first = Number.POSITIVE_INFINITY
  for (const { full } of blocks) for (const { timestamp } of full ?? []) first = Math.min(first, timestamp)
  return first
}
