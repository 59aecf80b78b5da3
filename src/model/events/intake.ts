/**
 * The statements of the capture transaction: look-ups by distinct id that load only part of a person, and writes that
 * return nothing. Hot path: adapters keep these statements prepared.
 */
/** A person without its distinct ids. */
export interface IntakePerson {
  id: number
  uuid: string
  /** JSON, as for the projection. */
  properties: string
  isIdentified: boolean
  createdAt: number
  lastSeenAt: number | null
}

/** Warnings kept per project: more than people read, few enough for a client that sends only invalid data. */
export const WARNINGS_KEPT = 10_000

export interface IngestionWarning {
  id: string
  projectId: number
  type: string
  details: Record<string, unknown>
  createdAt: number
}

export interface IntakeReader {
  /** Newest first; `type` narrows. */
  warnings(
    projectId: number,
    type: string | null,
    page: { limit: number; offset: number },
  ): Promise<{ count: number; items: IngestionWarning[] }>
  countWarnings(projectId: number, since: number): Promise<number>
}

export interface IntakeWriter extends IntakeReader {
  /** Records the uuids and returns those that were not recorded before. In a `peopleTransaction` only. */
  freshUuids(projectId: number, uuids: string[], now: number): Promise<Set<string>>
  /** Removes uuids that this transaction recorded: their events are left to another transaction. */
  withdrawUuids(projectId: number, uuids: string[]): Promise<void>
  /** Removes up to `limit` uuids recorded before this instant, which may then be used again; returns how many. */
  forgetUuids(before: number, limit: number): Promise<number>
  /** The owners of these distinct ids, by distinct id; unowned ids are left out. */
  resolve(projectId: number, distinctIds: string[]): Promise<Map<string, IntakePerson>>
  /**
   * As `resolve`, and until this transaction ends no other one changes these owners, nor takes an id from them. Null where
   * one transaction runs at a time.
   */
  lockOwners: ((projectId: number, distinctIds: string[]) => Promise<Map<string, IntakePerson>>) | null
  /** Their new ids, ascending; null for one whose uuid another person of the project has, which is not added. */
  addPersons(projectId: number, persons: Omit<IntakePerson, 'id'>[], now: number): Promise<(number | null)[]>
  /** Nobody twice. */
  savePersons(persons: Omit<IntakePerson, 'uuid'>[], now: number): Promise<void>
  /** In this order. Nobody may have any of them. */
  addDistinctIds(projectId: number, ids: { distinctId: string; personId: number }[]): Promise<void>
  /** The first `limit` ids, in the order in which they were stored. */
  distinctIdsOf(personId: number, limit: number): Promise<string[]>
  /**
   * Moves distinct ids, history, recordings and activity of `other` to the target and removes `other`. Returns how many
   * rows were changed.
   */
  absorb(projectId: number, otherId: number, targetId: number): Promise<number>
  /** Records that the ids were used without a profile. Idempotent. */
  notePersonless(projectId: number, distinctIds: string[]): Promise<void>
  wasPersonless(projectId: number, distinctId: string): Promise<boolean>
  /** Keeps the newest WARNINGS_KEPT of a project; there may be up to 500 more until the oldest are removed. */
  addWarnings(projectId: number, warnings: Omit<IngestionWarning, 'projectId'>[]): Promise<void>
  /** Removes up to `limit` of those beyond the newest WARNINGS_KEPT; returns how many. */
  trimWarnings(projectId: number, limit: number): Promise<number>
  /** Removes up to `limit` of those from before the instant; returns how many. */
  forgetWarnings(projectId: number, before: number, limit: number): Promise<number>
  /** Removes the warnings that mention any of these ids. */
  eraseWarnings(projectId: number, distinctIds: string[]): Promise<void>
}
