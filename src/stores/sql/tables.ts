/**
 * The tables of the SQL store as Kysely sees them. Instants are milliseconds (fraction: microseconds),
 * booleans 0 or 1, JSON is text: the same on every engine, so that rows need no translation.
 */
import type { Generated } from 'kysely'
import type { LinkPurpose, SignInWay } from '../../model/accounts/sign-in.ts'
import type { MemberLevel, ThemeMode } from '../../model/accounts/user.ts'
import type { DeletionRunCountTable, DeletionRunTable, DeletionTable } from './deletion-tables.ts'
import type {
  Flag,
  RecordingBlockTable,
  RecordingProgressTable,
  RecordingTable,
  RecordingTombstoneTable,
  SharingPasswordTable,
  SharingTable,
} from './recording-tables.ts'

export interface Tables {
  organizations: { id: string; name: string; created_at: number }
  projects: ProjectTable
  users: UserTable
  memberships: { organization_id: string; user_id: number; level: MemberLevel }
  personal_api_keys: KeyTable
  sign_ins: SignInTable
  account_links: AccountLinkTable
  persons: PersonTable
  /** How many a project has: the sum of its rows. */
  person_counts: { project_id: number; slot: number; persons: number }
  distinct_ids: { id: Generated<number>; project_id: number; distinct_id: string; person_id: number }
  property_history: PropertyHistoryTable
  activity: ActivityTable
  kept_undos: { activity_id: string; project_id: number; person_id: number; kept: string }
  kept_undo_ids: { project_id: number; distinct_id: string; activity_id: string }
  deletions: DeletionTable
  deletion_runs: DeletionRunTable
  deletion_run_counts: DeletionRunCountTable
  outbox: OutboxTable
  parked_batches: ParkedBatchTable
  sequences: { name: string; value: number }
  idempotency: IdempotencyTable
  secrets: { name: string; value: string }
  event_uuids: { project_id: number; uuid: Uint8Array; noted_at: number }
  personless_ids: { project_id: number; distinct_id: string }
  ingestion_warnings: IngestionWarningTable
  recordings: RecordingTable
  recording_blocks: RecordingBlockTable
  recording_progress: RecordingProgressTable
  recording_snapshots: { project_id: number; session_id: string; snapshot: Uint8Array }
  recording_drafts: { project_id: number; blob_key: string; begun_at: number }
  counted_requests: { id: Generated<number>; process: string; at: number; counts: string }
  recording_views: { project_id: number; session_id: string; user_id: number; viewed_at: number }
  recording_tombstones: RecordingTombstoneTable
  sharing: SharingTable
  sharing_tokens: { token: string; project_id: number; session_id: string; expires_at: number | null }
  sharing_passwords: SharingPasswordTable
  password_tries: { id: Generated<number>; subject: string; at: number }
  insights: InsightTable
  insight_results: InsightResultTable
  dashboards: DashboardTable
  dashboard_tiles: TileTable
  subscriptions: SubscriptionTable
  jobs: JobTable
  ticks: { name: string; last_at: number }
  clock_state: { name: string; seen_at: number; trusted_at: number; hold_left: number | null }
  installation: InstallationTable
  subscription_departures: SubscriptionDepartureTable
  deliveries: DeliveryTable
  delivery_recipients: DeliveryRecipientTable
  planned_mails: { project_id: number; hour_at: number; mails: number }
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
  autocapture_exceptions_opt_in: Flag
  autocapture_web_vitals_opt_in: Flag
  heatmaps_opt_in: Flag
  capture_dead_clicks: Flag
  anonymize_ips: Flag
  is_demo: Flag
  ingested_event: Generated<Flag>
  created_at: number
  /** It is hidden everywhere; its rows are being deleted. */
  removed_at: number | null
  erasures: Generated<number>
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
  password_hash: string | null
  theme_mode: ThemeMode | null
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

export interface SignInTable {
  id: string
  user_id: number
  hash: string
  via: SignInWay
  key_id: string | null
  user_agent: string
  ip: string
  created_at: number
  last_used_at: number
  proved_at: number
}

interface AccountLinkTable {
  hash: string
  user_id: number
  purpose: LinkPurpose
  created_at: number
  expires_at: number
  used_at: number | null
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
  at: number
  seq: number
  event_uuid: string | null
  /**
   * JSON: `set`, `once` and `removed` of the change, without those that are empty. Null in rows from before step 18,
   * which are about one key each, in the columns below, until the job `reformat-history` has been there.
   */
  changes: string | null
  key: Generated<string>
  value: Generated<string | null>
  removed: Generated<Flag>
  once: Generated<Flag>
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
  /** From step 27 on: `kept`, `done` or `erased`. */
  undo: string | null
}

interface IdempotencyTable {
  key_id: string
  project_id: number
  token: string
  body_hash: string
  status: number | null
  body: string | null
  claimed_at: number
}

export interface InsightTable {
  id: Generated<number>
  project_id: number
  short_id: string
  name: string | null
  derived_name: string | null
  description: string | null
  query: string | null
  filters: string
  favorited: Flag
  /** One per line, so that a search for a word matches within one tag only. */
  tags: string
  position: number | null
  created_at: number
  created_by: number | null
  last_modified_at: number
  last_modified_by: number | null
  deleted: Flag
}

interface InsightResultTable {
  project_id: number
  key: string
  state: string
  result: string
  bytes: number
  computed_at: number
}

export interface DashboardTable {
  id: Generated<number>
  project_id: number
  name: string | null
  description: string
  pinned: Flag
  /** One per line. */
  tags: string
  filters: string
  creation_mode: string
  is_default: Flag
  created_at: number
  created_by: number | null
  deleted: Flag
}

export interface TileTable {
  id: Generated<number>
  project_id: number
  dashboard_id: number
  insight_id: number
  layouts: string
  color: string | null
}

export interface SubscriptionTable {
  id: Generated<number>
  project_id: number
  dashboard_id: number | null
  insight_id: number | null
  target_type: string
  target_value: string
  frequency: string
  interval: number
  byweekday: string | null
  bysetpos: number | null
  count: number | null
  start_date: number
  until_date: number | null
  timezone: string
  title: string | null
  invite_message: string | null
  created_at: number
  created_by: number
  deleted: Flag
  next_delivery_date: number | null
  signing_secret: string | null
  disabled_at: number | null
  disabled_reason: string | null
}

interface SubscriptionDepartureTable {
  project_id: number
  subscription_id: number
  /** In lower case. */
  address: string
  departed_at: number
}

export interface DeliveryTable {
  id: string
  project_id: number
  subscription_id: number
  idempotency_key: string
  trigger_type: string
  occasion: string
  scheduled_at: number | null
  is_late: Flag
  target_type: string
  target_value: string
  status: string
  error: string | null
  insight_ids: string
  content: string
  created_at: number
  updated_at: number
  finished_at: number | null
}

export interface DeliveryRecipientTable {
  id: string
  delivery_id: string
  project_id: number
  recipient: string
  status: string
  attempts: number
  resends: number
  message_id: string | null
  possible_repeat: Flag
  error: string | null
  created_at: number
  updated_at: number
  sent_at: number | null
}

export interface JobTable {
  id: Generated<number>
  kind: string
  key: string
  project_id: number | null
  payload: string
  run_at: number
  attempts: number
  lease_owner: string | null
  lease_until: number | null
  parked_at: number | null
  error: string | null
}

interface OutboxTable {
  id: string
  seq: number
  payload: Uint8Array
  created_at: number
  in_parts: Generated<Flag>
  /** The rows that were claimed together, and how often. */
  shipment: Generated<string | null>
  attempts: Generated<number>
  leased_until: Generated<number | null>
  /** To the event store; null: never. */
  sent_at: Generated<number | null>
  /** Null: it waits. */
  applied_at: Generated<number | null>
  waits_again: Generated<number>
}

export interface ParkedBatchTable {
  id: string
  project_id: number | null
  seq: number
  payload: Uint8Array
  events: number
  changes: number
  error: string
  created_at: number
  parked_at: number
}

interface InstallationTable {
  id: string
  is_stamped: Flag
  handed_seq: number
  starts: number
  blobs_lost_until: number
}

export interface IngestionWarningTable {
  id: string
  project_id: number
  type: string
  details: string
  created_at: number
}
