/** A project (also called environment): the wall between one customer's data and another's. */

export type RecordingRetention = '30d' | '90d' | '1y' | '5y'

export interface ProjectSettings {
  name: string
  /** IANA name. */
  timezone: string
  /** Null: the default list of rules/name.ts. */
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

export interface NewProject extends Partial<ProjectSettings> {
  name: string
  organizationId: string
  apiToken: string
  uuid: string
  isDemo?: boolean
  createdAt: number
}

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
  /** Removes the project and every row that belongs to it in the SQL store; false when there was none. */
  remove(id: number): Promise<boolean>
}
