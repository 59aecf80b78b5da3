/**
 * What the capture transaction asks of the SQL store, statement by statement: look-ups by distinct id without the
 * rest of a person, and writes that need no answer. Hot: every adapter keeps these prepared.
 */
import type { Properties, PropertyChange } from '../persons/person.ts'

/** A person without its distinct ids. */
export interface IntakePerson {
  id: number
  uuid: string
  properties: Properties
  isIdentified: boolean
  createdAt: number
  lastSeenAt: number | null
}

/** Warnings kept of a project: more than anybody reads, few enough for whoever sends nothing but rubbish. */
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
}

export interface IntakeWriter extends IntakeReader {
  /** Notes the uuids and gives those that were not noted before. */
  freshUuids(projectId: number, uuids: string[], now: number): Promise<Set<string>>
  /** Forgets uuids that this transaction noted: their events wait for another one. */
  withdrawUuids(projectId: number, uuids: string[]): Promise<void>
  /** Uuids noted before this instant may come again: forgets so many of them at most. How many were forgotten. */
  forgetUuids(before: number, limit: number): Promise<number>
  /** The persons that have these distinct ids, by the id; those that nobody has are left out. */
  resolve(projectId: number, distinctIds: string[]): Promise<Map<string, IntakePerson>>
  /** Its new id; null when another person of the project carries the uuid, and nothing was written. */
  addPerson(projectId: number, person: Omit<IntakePerson, 'id'>, now: number): Promise<number | null>
  savePerson(person: IntakePerson, now: number): Promise<void>
  addDistinctId(projectId: number, distinctId: string, personId: number): Promise<void>
  /** The first so many, in the order in which they came. */
  distinctIdsOf(personId: number, limit: number): Promise<string[]>
  /**
   * Distinct ids, history, recordings and activity of `other` become the target's; then `other` is gone. How many rows
   * were changed for it.
   */
  absorb(projectId: number, otherId: number, targetId: number): Promise<number>
  addHistory(projectId: number, change: PropertyChange): Promise<void>
  /** The id was used without a profile; doing it twice is the same as once. */
  notePersonless(projectId: number, distinctId: string): Promise<void>
  wasPersonless(projectId: number, distinctId: string): Promise<boolean>
  /** Of a project the newest WARNINGS_KEPT stay; there may be up to 500 more until some of the oldest go. */
  addWarning(warning: IngestionWarning): Promise<void>
  /** Removes up to `limit` of those beyond the newest WARNINGS_KEPT. How many went. */
  trimWarnings(projectId: number, limit: number): Promise<number>
  /** Removes up to `limit` of those from before the instant. How many went. */
  forgetWarnings(projectId: number, before: number, limit: number): Promise<number>
  /** Removes the warnings that mention any of these ids. */
  eraseWarnings(projectId: number, distinctIds: string[]): Promise<void>
}
