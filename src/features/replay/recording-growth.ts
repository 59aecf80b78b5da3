/** Computes a recording's state after one more block: pure, so that the transaction only has to write. */

import { cutText } from '../../lib/text/code-points.ts'
import type { Project } from '../../model/accounts/project.ts'
import type {
  NewRecording,
  RecordingBlock,
  RecordingProgress,
  RecordingStanding,
} from '../../model/recordings/recording.ts'
import { expiryOf, RETENTION_DAYS } from '../../rules/recordings/recording.ts'
import { activeMs, activityUntil, NO_ACTIVITY, readActivity, writeActivity } from '../../rules/rrweb/activity.ts'
import type { ChainEnd } from '../../rules/rrweb/block.ts'
import { NO_COUNTERS } from '../../rules/rrweb/event.ts'
import { joinSummaries, type RrwebSummary } from '../../rules/rrweb/summary.ts'
import type { PreparedSnapshot, SessionPiece } from './prepare-snapshots.ts'

/** A recording as the intake sees it. */
export interface GrownRecording {
  recording: NewRecording
  summary: RrwebSummary
  storedBytes: number
}

/** The same with its last block, on which the next one builds. */
export interface RecordingState extends GrownRecording {
  lastBlock: RecordingBlock | null
  /** Null: what the next block could build on is no longer known. */
  chain: ChainEnd | null
  /** Ids of the latest snapshots. */
  recent: string[]
}

export interface NewContent {
  project: Project
  piece: Pick<SessionPiece, 'sessionId' | 'distinctId' | 'source' | 'library'>
  snapshots: PreparedSnapshot[]
  /** Bytes of the new block, as stored. */
  length: number
  now: number
}

const MAX_START_URL = 512

const NOTHING: RrwebSummary = {
  startAt: Number.POSITIVE_INFINITY,
  endAt: Number.NEGATIVE_INFINITY,
  counters: NO_COUNTERS,
  activity: NO_ACTIVITY,
  urls: [],
  eventCount: 0,
}

export function stateFrom({ recording, progress, lastBlock }: RecordingStanding): RecordingState {
  const { startAt, endAt, counters, eventCount } = recording
  const activity = progress ? readActivity(progress.activity) : activityUntil(recording.activeMs, endAt)
  const summary = { startAt, endAt, counters, activity, urls: progress?.urls ?? [], eventCount }
  return { recording, summary, storedBytes: progress?.storedBytes ?? 0, lastBlock, chain: null, recent: [] }
}

/** If the session already has a recording, the recording's own fields stay. */
export function appendTo(
  before: GrownRecording | null,
  { project, piece, snapshots, length, now }: NewContent,
): GrownRecording {
  const known = before?.recording
  const summary = snapshots.reduce((sum, item) => joinSummaries(sum, item.summary), before?.summary ?? NOTHING)
  const { startAt, endAt, counters, eventCount, urls, activity } = summary
  const retentionDays = known?.retentionDays ?? RETENTION_DAYS[project.sessionRecordingRetentionPeriod]
  const recording = {
    projectId: project.id,
    sessionId: piece.sessionId,
    distinctId: known?.distinctId ?? piece.distinctId,
    startAt,
    endAt,
    activeMs: activeMs(activity),
    counters,
    startUrl: urls[0] ? cutText(urls[0].url, MAX_START_URL) : (known?.startUrl ?? ''),
    snapshotSource: known?.snapshotSource ?? piece.source,
    snapshotLibrary: known?.snapshotLibrary ?? piece.library,
    totalSize: snapshots.reduce((sum, item) => sum + item.size, known?.totalSize ?? 0),
    eventCount,
    retentionDays,
    expiresAt: expiryOf(startAt, retentionDays),
    lastIngestAt: now,
  }
  return { recording, summary, storedBytes: (before?.storedBytes ?? 0) + length }
}

export const progressOf = ({ summary, storedBytes }: GrownRecording): RecordingProgress => ({
  activity: writeActivity(summary.activity),
  urls: summary.urls,
  storedBytes,
})
