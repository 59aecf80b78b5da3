/**
 * What is kept beside entries of the activity log so that they can be undone: of splits and merges of persons made
 * through the API. A change of properties needs nothing more than its entry says.
 */
import type { Person } from './person.ts'

/** What a person has that is not found by its distinct ids. */
export interface Belongings {
  /** Its changes in the property history. */
  history: number[]
  /** The sessions whose recordings were given to it. */
  recordings: string[]
  /** Its entries in the activity log. */
  entries: string[]
}

export interface KeptSplit {
  kind: 'split'
  /** The ids that left, with the person each went to, and whether the split made that person. */
  moved: { distinctId: string; personId: number; isNew: boolean }[]
}

export interface KeptMerge {
  kind: 'merge'
  /** The number of the merge, which the change in the property history has. */
  seq: number
  /** The person that stayed, as it was. */
  stayed: Pick<Person, 'isIdentified' | 'createdAt' | 'lastSeenAt'>
  /** The person that is gone, as it was. */
  gone: Omit<Person, 'projectId'>
  /** Properties that the person that stayed has from the other. */
  gained: string[]
  belongings: Belongings
}

export type Kept = KeptSplit | KeptMerge

/** The entry, and whose it was when it was made. */
interface KeptOf {
  activityId: string
  projectId: number
  personId: number
}

export interface UndoWriter {
  /** Keeps it, and marks the entry as `kept`. These distinct ids are those of whom it tells something. */
  keep(entry: KeptOf, kept: Kept, distinctIds: string[]): Promise<void>
  /** Null when nothing is kept, or no more. */
  find(activityId: string): Promise<{ personId: number; kept: Kept } | null>
  /** The entries of merges into this person, oldest first, with which something is kept. */
  mergesInto(projectId: number, personId: number): Promise<string[]>
  /** Keeps this instead; nothing when nothing is kept. */
  replace(activityId: string, kept: Kept): Promise<void>
  /**
   * Marks an entry as `done` and removes what was kept. False when it is done already: of two transactions at once that
   * both commit, one gets true.
   */
  markUndone(activityId: string): Promise<boolean>
  /** Removes what is kept with entries of these persons or tells of these distinct ids, and marks the entries as `erased`. */
  erase(projectId: number, personIds: number[], distinctIds: string[]): Promise<void>
  /** Null when it is more than `limit` of one kind. */
  belongings(projectId: number, personId: number, limit: number): Promise<Belongings | null>
  /**
   * Gives them to `to`, as far as they still are those of `from`. What is kept with the entries, and was about the person
   * `was`, is about `to` from now on.
   */
  giveBack(projectId: number, people: { from: number; to: number; was: number }, belongings: Belongings): Promise<void>
}
