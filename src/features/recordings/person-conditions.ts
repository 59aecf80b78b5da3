/**
 * Conditions of a list of which the recordings store can decide only a part: the properties of persons are known to the
 * event store. No group negates, so a recording that fails with all conditions on persons taken as met can be left out;
 * of every other one the store says which of the remaining conditions hold.
 */
import type { PropertyFilter } from '../../model/persons/person.ts'
import type { RecordingCondition, RecordingConditions } from '../../model/recordings/recording.ts'

export type ListCondition =
  | RecordingCondition
  /** Properties of its person; a recording without a stored person counts as one whose person has no properties. */
  | { person: PropertyFilter }
  | ListConditions

export interface ListConditions {
  join: 'AND' | 'OR'
  of: ListCondition[]
}

/** A group with conditions on persons. The numbers are places in `tests` and `filters`; null: there is nothing. */
interface Undecided {
  join: 'AND' | 'OR'
  test: number | null
  filter: number | null
  of: Undecided[]
}

export interface PersonConditions {
  /** Those on persons taken as met. */
  possible: RecordingConditions
  /** What the recordings store has to say of each candidate. */
  tests: RecordingCondition[]
  /** What the event store has to say of each person. */
  filters: PropertyFilter[]
  /** Whether a candidate is listed. */
  decide(holds: (test: number) => boolean, fits: (filter: number) => boolean): boolean
}

const ALWAYS: RecordingConditions = { join: 'AND', of: [] }

function isDecidable(condition: ListCondition): condition is RecordingCondition {
  if ('person' in condition) return false
  return !('join' in condition) || condition.of.every(isDecidable)
}

/** Conditions without any on persons; null otherwise. */
export const withoutPersons = (conditions: ListConditions): RecordingConditions | null =>
  isDecidable(conditions) ? conditions : null

/** Null: holds in any case, as far as the recordings store can tell. */
function possibleOf(condition: ListCondition): RecordingCondition | null {
  if ('person' in condition) return null
  if (!('join' in condition)) return condition
  const parts = condition.of.map(possibleOf)
  const of = parts.filter((part) => part !== null)
  const isMet = condition.join === 'AND' ? of.length === 0 : of.length < parts.length
  return isMet ? null : { join: condition.join, of }
}

const joined = <T>(join: 'AND' | 'OR', of: T[]): T | { join: 'AND' | 'OR'; of: T[] } | null => {
  const [only] = of
  if (only === undefined) return null
  return of.length === 1 ? only : { join, of }
}

/** Adds an item that may be nothing; returns its place. */
function place<T>(list: T[], item: T | null): number | null {
  return item === null ? null : list.push(item) - 1
}

function decideGroup(group: Undecided, holds: (n: number) => boolean, fits: (n: number) => boolean): boolean {
  const isAll = group.join === 'AND'
  if (group.test !== null && holds(group.test) !== isAll) return !isAll
  if (group.filter !== null && fits(group.filter) !== isAll) return !isAll
  return group.of.some((inner) => decideGroup(inner, holds, fits) !== isAll) ? !isAll : isAll
}

export function splitConditions(conditions: ListConditions): PersonConditions {
  const tests: RecordingCondition[] = []
  const filters: PropertyFilter[] = []
  /** `isGiven`: whatever this group needs of the recordings store, candidates have it. */
  const undecided = ({ join, of }: ListConditions, isGiven: boolean): Undecided => {
    const given = isGiven && join === 'AND'
    const decidable = of.filter(isDecidable)
    const persons = of.flatMap((item) => ('person' in item ? [item.person] : []))
    const groups = of.filter((item): item is ListConditions => 'join' in item && !isDecidable(item))
    return {
      join,
      test: given ? null : place(tests, joined<RecordingCondition>(join, decidable)),
      filter: place(filters, joined<PropertyFilter>(join, persons)),
      of: groups.map((group) => undecided(group, given)),
    }
  }
  const root = undecided(conditions, true)
  const possible = possibleOf(conditions) ?? ALWAYS
  return {
    possible: 'join' in possible ? possible : { join: 'AND', of: [possible] },
    tests,
    filters,
    decide: (holds, fits) => decideGroup(root, holds, fits),
  }
}
