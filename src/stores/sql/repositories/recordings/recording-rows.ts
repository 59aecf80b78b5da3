/** Recordings as rows and back. */
import type { Insertable, Selectable } from 'kysely'
import type {
  NewRecording,
  Recording,
  RecordingBlock,
  RecordingTombstone,
} from '../../../../model/recordings/recording.ts'
import type { RecordingBlockTable, RecordingTable, RecordingTombstoneTable } from '../../recording-tables.ts'

export const toRecording = (row: Selectable<RecordingTable>): Recording => ({
  projectId: row.project_id,
  sessionId: row.session_id,
  distinctId: row.distinct_id,
  startAt: row.start_at,
  endAt: row.end_at,
  activeMs: row.active_ms,
  counters: {
    clicks: row.click_count,
    keypresses: row.keypress_count,
    mouseActivity: row.mouse_activity_count,
    consoleLogs: row.console_log_count,
    consoleWarns: row.console_warn_count,
    consoleErrors: row.console_error_count,
  },
  startUrl: row.start_url,
  snapshotSource: row.snapshot_source,
  snapshotLibrary: row.snapshot_library,
  totalSize: row.total_size,
  eventCount: row.event_count,
  retentionDays: row.retention_days,
  expiresAt: row.expires_at,
  lastIngestAt: row.last_ingest_at,
  personId: row.person_id,
  analyzed: row.analyzed === 1,
  sharedAt: row.shared_at,
})

export const newRow = ({ counters, ...recording }: NewRecording): Insertable<RecordingTable> => ({
  project_id: recording.projectId,
  session_id: recording.sessionId,
  distinct_id: recording.distinctId,
  start_at: recording.startAt,
  end_at: recording.endAt,
  active_ms: recording.activeMs,
  click_count: counters.clicks,
  keypress_count: counters.keypresses,
  mouse_activity_count: counters.mouseActivity,
  console_log_count: counters.consoleLogs,
  console_warn_count: counters.consoleWarns,
  console_error_count: counters.consoleErrors,
  start_url: recording.startUrl,
  snapshot_source: recording.snapshotSource,
  snapshot_library: recording.snapshotLibrary,
  total_size: recording.totalSize,
  event_count: recording.eventCount,
  retention_days: recording.retentionDays,
  expires_at: recording.expiresAt,
  last_ingest_at: recording.lastIngestAt,
  person_id: null,
  analyzed: 0,
  shared_at: null,
})

export const toBlock = (row: Selectable<RecordingBlockTable>): RecordingBlock => ({
  index: row.block,
  blobKey: row.blob_key,
  offset: row.byte_offset,
  length: row.byte_length,
  firstAt: row.first_at,
  lastAt: row.last_at,
  follows: row.follows,
  fullSnapshots: row.full_snapshots,
})

export const toTombstone = (row: Selectable<RecordingTombstoneTable>): RecordingTombstone => ({
  projectId: row.project_id,
  sessionId: row.session_id,
  deletedAt: row.deleted_at,
  deletedBy: row.deleted_by,
  freedAt: row.freed_at,
})
