/** A project (also called environment): the wall between one customer's data and another's. */

export type RecordingRetention = '30d' | '90d' | '1y' | '5y'

export interface ProjectSettings {
  name: string
  /** IANA name. */
  timezone: string
  /** Null: the default list of rules/persons/person-name.ts. */
  personDisplayNameProperties: string[] | null
  sessionRecordingOptIn: boolean
  captureConsoleLogOptIn: boolean
  sessionRecordingRetentionPeriod: RecordingRetention
  sessionRecordingQuotaBytes: number | null
  eventsRetentionDays: number | null
}

export interface Project extends ProjectSettings {
  id: number
  uuid: string
  organizationId: string
  /** The public token (`phc_…`) that SDKs send. */
  apiToken: string
  isDemo: boolean
  createdAt: number
}

type NewProject = Omit<Project, 'id'>

export interface ProjectReader {
  /** Null when there is none. */
  find(id: number): Promise<Project | null>
  findByToken(apiToken: string): Promise<Project | null>
  /** By id, ascending; `organizationIds` and `ids` narrow it, null means no narrowing. */
  list(filter: ProjectFilter, page: { limit: number; offset: number }): Promise<{ count: number; items: Project[] }>
  /** The lowest id of these organisations' projects; null when they have none. */
  first(organizationIds: string[]): Promise<Project | null>
}

export interface ProjectFilter {
  organizationIds: string[] | null
  ids: number[] | null
  search: string | null
}

export interface ProjectWriter extends ProjectReader {
  /** Ids grow and are never used twice. */
  create(project: NewProject): Promise<Project>
  /** Null when there is none. Absent settings stay. */
  update(id: number, patch: Partial<ProjectSettings> & { apiToken?: string }): Promise<Project | null>
  /** From now on there is no such project for any reader; false when there was none. It is nobody's current one. */
  markRemoved(id: number, at: number): Promise<boolean>
  /**
   * Removes a portion (5,000 rows at most) of what belongs to a project in the SQL store, from `from` on, and says where
   * to go on: null when nothing is left. Begun anew it removes what has come since.
   */
  clear(id: number, from: ClearCursor | null): Promise<ClearCursor | null>
  /** The last of a project that was marked as removed: its own row. */
  forget(id: number): Promise<void>
}

/** How far the clearing of a project has come; to be handed back as it is. */
export interface ClearCursor {
  table: number
  row: number
}
