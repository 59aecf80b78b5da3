/**
 * The tables of the SQL store as Kysely sees them. Instants are milliseconds (fraction: microseconds),
 * booleans 0 or 1, JSON is text: the same on every engine, so that rows need no translation.
 */
import type { Generated } from 'kysely'

type Flag = 0 | 1

export interface Tables {
  organizations: { id: string; name: string; created_at: number }
  projects: ProjectTable
  users: UserTable
  memberships: { organization_id: string; user_id: number }
  personal_api_keys: KeyTable
  persons: PersonTable
  distinct_ids: { id: Generated<number>; project_id: number; distinct_id: string; person_id: number }
  property_history: PropertyHistoryTable
  activity: ActivityTable
  deletions: DeletionTable
  outbox: { id: string; seq: number; payload: Uint8Array; created_at: number }
  sequences: { name: string; value: number }
  idempotency: IdempotencyTable
  secrets: { name: string; value: string }
}

export interface ProjectTable {
  id: Generated<number>
  uuid: string
  organization_id: string
  api_token: string
  name: string
  timezone: string
  person_display_name_properties: string | null
  session_recording_opt_in: Flag
  capture_console_log_opt_in: Flag
  session_recording_retention_period: string
  session_recording_quota_bytes: number | null
  events_retention_days: number | null
  is_demo: Flag
  created_at: number
}

export interface UserTable {
  id: Generated<number>
  uuid: string
  distinct_id: string
  email: string
  first_name: string
  last_name: string
  is_email_verified: Flag
  is_active: Flag
  current_project_id: number | null
  created_at: number
}

export interface KeyTable {
  id: string
  user_id: number
  label: string
  hash: string
  mask_value: string
  scopes: string
  scoped_teams: string | null
  scoped_organizations: string | null
  created_at: number
  last_used_at: number | null
  last_rolled_at: number | null
  expires_at: number | null
}

export interface PersonTable {
  id: Generated<number>
  project_id: number
  uuid: string
  properties: string
  is_identified: Flag
  created_at: number
  updated_at: number
  last_seen_at: number | null
}

export interface PropertyHistoryTable {
  id: Generated<number>
  project_id: number
  person_id: number
  key: string
  value: string | null
  removed: Flag
  once: Flag
  at: number
  seq: number
  event_uuid: string | null
}

export interface ActivityTable {
  id: string
  project_id: number | null
  organization_id: string | null
  user_id: number | null
  scope: string
  item_id: string | null
  activity: string
  detail: string
  created_at: number
}

export interface DeletionTable {
  id: Generated<number>
  project_id: number
  person_id: number
  person_uuid: string
  distinct_ids: string
  cutoff_seq: number
  created_by: number | null
  created_at: number
  scheduled_for: number
  status: 'pending' | 'completed'
  verified_at: number | null
  events_deleted: number | null
  sessions_deleted: number | null
  recordings_deleted: number | null
}

export interface IdempotencyTable {
  key_id: string
  project_id: number
  token: string
  body_hash: string
  status: number | null
  body: string | null
  claimed_at: number
}
