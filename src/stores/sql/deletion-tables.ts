/** The tables of event deletions: requests, and runs. */
import type { Generated } from 'kysely'
import type { RunPhase } from '../../model/persons/deletion-run.ts'
import type { Flag } from './recording-tables.ts'

export interface DeletionTable {
  id: Generated<number>
  project_id: number
  person_id: number
  person_uuid: string
  distinct_ids: string
  /** JSON: lists of ids, each with an earlier cut-off. */
  earlier_ids: Generated<string>
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

export interface DeletionRunTable {
  id: Generated<number>
  /** Null: of all projects. */
  project_id: number | null
  started_at: number
  phase: RunPhase
  phase_since: number
  seen_at: number
  is_under_way: Flag
  finished_at: number | null
  bytes_freed: number | null
}

export interface DeletionRunCountTable {
  project_id: number
  run_id: number
  persons: number
  events: number
  sessions: number
  recordings: number
}
