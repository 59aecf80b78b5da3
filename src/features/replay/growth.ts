/** What a recording becomes by one more block: pure, so that the transaction only reads, adds and writes. */
import type { Project } from '../../model/project.ts'
import type { NewRecording, RecordingProgress, RecordingStanding } from '../../model/recording.ts'
import { expiryOf, RETENTION_DAYS } from '../../rules/recording.ts'
import { NO_COUNTERS } from '../../rules/rrweb.ts'
import { activeMs, activityUntil, NO_ACTIVITY, readActivity, writeActivity } from '../../rules/rrweb-activity.ts'
import { joinSummaries, type RrwebSummary } from '../../rules/rrweb-summary.ts'
import type { Piece, PreparedSnapshot } from './pieces.ts'

const MAX_START_URL = 512

const NOTHING: RrwebSummary = {
  startAt: Number.POSITIVE_INFINITY,
  endAt: Number.NEGATIVE_INFINITY,
  counters: NO_COUNTERS,
  activity: NO_ACTIVITY,
  urls: [],
  eventCount: 0,
}

function summaryOf({ recording, progress }: RecordingStanding): RrwebSummary {
  const { startAt, endAt, counters, eventCount } = recording
  const activity = progress ? readActivity(progress.activity) : activityUntil(recording.activeMs, endAt)
  return { startAt, endAt, counters, activity, urls: progress?.urls ?? [], eventCount }
}

export interface Added {
  project: Project
  piece: Pick<Piece, 'sessionId' | 'distinctId' | 'source' | 'library'>
  snapshots: PreparedSnapshot[]
  /** Bytes of the new block, as stored. */
  length: number
  now: number
}

/** The whole recording, and what intake goes on with; of a session that has one already, its own fields stay. */
export function grown(
  standing: RecordingStanding | null,
  { project, piece, snapshots, length, now }: Added,
): { recording: NewRecording; progress: RecordingProgress } {
  const before = standing ? summaryOf(standing) : NOTHING
  const summary = snapshots.reduce((sum, snapshot) => joinSummaries(sum, snapshot.summary), before)
  const { startAt, endAt, counters, eventCount, urls, activity } = summary
  const known = standing?.recording
  const retentionDays = known?.retentionDays ?? RETENTION_DAYS[project.sessionRecordingRetentionPeriod]
  const size = snapshots.reduce((sum, snapshot) => sum + snapshot.lines.length, 0)
  return {
    recording: {
      projectId: project.id,
      sessionId: piece.sessionId,
      distinctId: known?.distinctId ?? piece.distinctId,
      startAt,
      endAt,
      activeMs: activeMs(activity),
      counters,
      startUrl: urls[0]?.url.slice(0, MAX_START_URL) ?? known?.startUrl ?? '',
      snapshotSource: known?.snapshotSource ?? piece.source,
      snapshotLibrary: known?.snapshotLibrary ?? piece.library,
      totalSize: (known?.totalSize ?? 0) + size,
      eventCount,
      retentionDays,
      expiresAt: expiryOf(startAt, retentionDays),
      lastIngestAt: now,
    },
    progress: {
      activity: writeActivity(activity),
      urls,
      storedBytes: (standing?.progress?.storedBytes ?? 0) + length,
    },
  }
}
