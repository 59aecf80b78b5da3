/**
 * Conditions of a list of which the recordings store can decide only a part: the properties of persons, and which events
 * sessions have, are known to the event store. No group negates, so a recording that fails with all other conditions
 * taken as met can be left out; of every other one the recordings store says which of its own conditions hold.
 */
import { UuidSet } from '../../lib/lists/uuid-set.ts'
import type { PropertyFilter } from '../../model/persons/person.ts'
import type { RecordingCondition, RecordingConditions } from '../../model/recordings/recording.ts'

export type ListCondition =
  | RecordingCondition
  /** Properties of its person; a recording without a stored person counts as one whose person has no properties. */
  | { person: PropertyFilter }
  /** Its session is one of these many, which have the events that are asked for. */
  | { sessions: UuidSet }
  | ListConditions

export interface ListConditions {
  join: 'AND' | 'OR'
  of: ListCondition[]
}

/**
 * A group with conditions that the recordings store cannot decide. The numbers are places in `tests` and `filters`; null:
 * there is nothing.
 */
interface Undecided {
  join: 'AND' | 'OR'
  test: number | null
  sessions: UuidSet[]
  filter: number | null
  of: Undecided[]
}

/** What is known of a recording when it is decided on. */
interface Candidate {
  sessionId: string
  /** Whether the test at this place holds. */
  holds(test: number): boolean
  /** Whether its person matches the filter at this place. */
  fits(filter: number): boolean
}

export interface SplitConditions {
  /** Those that the recordings store cannot decide taken as met. */
  possible: RecordingConditions
  /** What the recordings store has to say of each candidate. */
  tests: RecordingCondition[]
  /** What the event store has to say of each person. */
  filters: PropertyFilter[]
  /** Whether a candidate is listed. */
  decide(candidate: Candidate): boolean
}

/** Of so few the recordings store decides itself, which is quicker than to give all recordings as candidates. */
const FEW_SESSIONS = 500

/** The session of a recording is one of these, 16 sorted bytes each. */
export function amongSessions(ids: Uint8Array): ListCondition {
  const sessions = new UuidSet(ids)
  return sessions.size > FEW_SESSIONS ? { sessions } : { sessionIds: sessions.texts() }
}

const ALWAYS: RecordingConditions = { join: 'AND', of: [] }

const isOfEventStore = (condition: ListCondition): condition is { person: PropertyFilter } | { sessions: UuidSet } =>
  'person' in condition || 'sessions' in condition

function isDecidable(condition: ListCondition): condition is RecordingCondition {
  if (isOfEventStore(condition)) return false
  return !('join' in condition) || condition.of.every(isDecidable)
}

/** The same conditions if the recordings store can decide them all; null otherwise. */
export const ofRecordingsAlone = (conditions: ListConditions): RecordingConditions | null =>
  isDecidable(conditions) ? conditions : null

/** Null: holds in any case, as far as the recordings store can tell. */
function possibleOf(condition: ListCondition): RecordingCondition | null {
  if (isOfEventStore(condition)) return null
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

function decideGroup({ join, test, sessions, filter, of }: Undecided, candidate: Candidate): boolean {
  const isAll = join === 'AND'
  if (test !== null && candidate.holds(test) !== isAll) return !isAll
  for (const set of sessions) if (set.has(candidate.sessionId) !== isAll) return !isAll
  if (filter !== null && candidate.fits(filter) !== isAll) return !isAll
  return of.some((inner) => decideGroup(inner, candidate) !== isAll) ? !isAll : isAll
}

export function splitConditions(conditions: ListConditions): SplitConditions {
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
      sessions: of.flatMap((item) => ('sessions' in item ? [item.sessions] : [])),
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
    decide: (candidate) => decideGroup(root, candidate),
  }
}
