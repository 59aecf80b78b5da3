/** A project (also called environment): isolates one customer's data from another's. */

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
  /** The next four are what the browser SDK captures by itself besides clicks and pages. */
  autocaptureExceptionsOptIn: boolean
  autocaptureWebVitalsOptIn: boolean
  heatmapsOptIn: boolean
  captureDeadClicks: boolean
  /** Events are stored without the address of their sender. */
  anonymizeIps: boolean
}

export interface Project extends ProjectSettings {
  id: number
  uuid: string
  organizationId: string
  /** The public token (`phc_…`) that SDKs send. */
  apiToken: string
  isDemo: boolean
  /** Whether it ever took an event. */
  ingestedEvent: boolean
  createdAt: number
}

type NewProject = Omit<Project, 'id' | 'ingestedEvent'>

export interface ProjectReader {
  /** Null when there is none. */
  find(id: number): Promise<Project | null>
  findByToken(apiToken: string): Promise<Project | null>
  /** By id, ascending; `organizationIds` and `ids` restrict it, null: no restriction. */
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
  /** Ids ascend and are never reused. */
  create(project: NewProject): Promise<Project>
  /** Null when there is none. Absent settings stay. */
  update(id: number, patch: Partial<ProjectSettings> & { apiToken?: string }): Promise<Project | null>
  /** It has taken an event. */
  noteEvent(id: number): Promise<void>
  /** Hides the project from every reader; false when there was none. It is no user's current project any more. */
  markRemoved(id: number, at: number): Promise<boolean>
  /**
   * Removes a portion (5,000 rows at most) of a project's rows in the SQL store, starting at `from`, and returns where
   * to continue: null when nothing is left. Started again, it removes rows added since.
   */
  clear(id: number, from: ClearCursor | null): Promise<ClearCursor | null>
  /** Removes the last of a project marked as removed: its own row. */
  forget(id: number): Promise<void>
}

/** Progress of clearing a project; opaque, to be passed back unchanged. */
export interface ClearCursor {
  table: number
  row: number
}
