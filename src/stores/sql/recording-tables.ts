/** The tables of recordings and of sharing them, as Kysely sees them (see tables.ts). */
import type { Generated } from 'kysely'

export type Flag = 0 | 1

export interface RecordingTable {
  project_id: number
  session_id: string
  distinct_id: string
  start_at: number
  end_at: number
  active_ms: number
  click_count: number
  keypress_count: number
  mouse_activity_count: number
  console_log_count: number
  console_warn_count: number
  console_error_count: number
  start_url: string
  snapshot_source: 'web' | 'mobile'
  snapshot_library: string | null
  total_size: number
  event_count: number
  retention_days: number
  expires_at: number
  last_ingest_at: number
  person_id: number | null
  analyzed: Flag
  shared_at: number | null
}

export interface RecordingBlockTable {
  project_id: number
  session_id: string
  block: number
  blob_key: string
  byte_offset: number
  byte_length: number
  first_at: number
  last_at: number
  follows: number | null
  full_snapshots: string | null
}

export interface RecordingProgressTable {
  project_id: number
  session_id: string
  activity: string
  urls: string
  stored_bytes: number
}

export interface RecordingTombstoneTable {
  project_id: number
  session_id: string
  deleted_at: number
  deleted_by: number | null
  freed_at: number | null
}

export interface SharingTable {
  project_id: number
  session_id: string
  enabled: Flag
  settings: string | null
  password_required: Flag
  created_at: number
}

export interface SharingPasswordTable {
  id: Generated<number>
  project_id: number
  session_id: string
  hash: string
  note: string | null
  created_by: number
  created_at: number
}
