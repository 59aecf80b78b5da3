/** Replay in, put together: how its requests are read, how they are stored, and what a stop left of them. */
import type { RawCall } from '../../http/raw-routes.ts'
import type { Ends } from '../../lib/json/json-scanner.ts'
import { createReplay, type ReplayParts } from './replay.ts'
import { sweepDrafts } from './sweep-drafts.ts'

interface ReplayReading {
  inflated: number
  depth: number
  ends: Ends
  isReplay: true
}

export interface ReplayFeatureParts extends Omit<ReplayParts, 'read'> {
  /** What a request holds, however it is wrapped. */
  readBody: (call: RawCall, options: ReplayReading) => ReturnType<ReplayParts['read']>
}

/** Nested as deep as pages are: each element of a document is two levels of its recording. */
const REPLAY_DEPTH = 1_000

export function createReplayFeature({ readBody, ...parts }: ReplayFeatureParts) {
  const { inflated } = parts.limits
  const read = (call: RawCall, ends: Ends) => readBody(call, { inflated, depth: REPLAY_DEPTH, ends, isReplay: true })
  return {
    ...createReplay({ ...parts, read }),
    /** Removes files that were begun long before `now` and never became part of a recording. */
    sweepDrafts: (now: number, signal: AbortSignal) => sweepDrafts(parts.stores, now, signal),
  }
}

export type ReplayFeature = ReturnType<typeof createReplayFeature>
