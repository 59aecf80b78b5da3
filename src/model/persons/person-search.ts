/**
 * Questions that scan people. The event store answers them with ids only; the rows are read by key from the SQL store,
 * and a person that is gone by then is left out.
 */
import type { PersonCursor, PersonFilter, PropertyFilter } from './person.ts'

/** Which time a list of people is ordered by; where it is the same, by id, in the same direction. */
export interface PersonOrder {
  by: 'createdAt' | 'lastSeenAt'
  isAscending: boolean
}

export const NEWEST_FIRST: PersonOrder = { by: 'createdAt', isAscending: false }

/** As when somebody was seen of whom nobody knows when. */
export const NEVER_SEEN = 0

export interface PersonIdsRequest {
  /** Infinity: all of them, for a whole CSV; then without a time limit. */
  limit: number
  offset?: number
  /** Only those after this one in the order of the list. */
  after?: PersonCursor
  /** NEWEST_FIRST unless given. */
  order?: PersonOrder
  /** Whether to count all that match (in the same scan), whatever the limit, the offset and the position. */
  withCount: boolean
}

export interface FoundPersons {
  /** As one block of numbers: a million ids cross to another thread without being copied one by one. */
  ids: Float64Array
  /** Of each: with its id, its place in the list, after which the next page may begin. */
  times: Float64Array
  /** Null when it was not asked for. */
  count: number | null
}

export interface PersonValuesQuery {
  projectId: number
  /** One literal key of the person's properties. */
  key: string
  /** Contained in the value, case-insensitive. */
  search: string | null
}

/** A person of the projection, with what is needed to mark it as deleted. */
export interface IncompletePerson {
  projectId: number
  personId: number
  uuid: string
  createdAt: number
}

/** No person has this id. */
export const NOBODY = 0

/** Most ids that `personsThatFit` takes at once: each call may have to read the properties of all people. */
export const FITTED_AT_ONCE = 20_000

/**
 * A pattern that the engine cannot read matches nothing, whether negated or not. Whose property a condition names is
 * ignored: it is the person's.
 */
export interface PersonSearch {
  /**
   * Persons that match all of the filter, in the order of the request. `updatedAfter` rejects with `unavailable` while
   * there are persons of which the store does not know when they were changed.
   */
  findPersons(
    projectId: number,
    filter: PersonFilter,
    request: PersonIdsRequest,
    signal?: AbortSignal,
  ): Promise<FoundPersons>
  /**
   * The 20 most frequent values of a property, most frequent first, then by name, as text: booleans are `1` and `0`,
   * texts are cut after 1,000 characters, empty ones are left out. Of the latest 100,000 persons that have one.
   */
  personValues(query: PersonValuesQuery, signal?: AbortSignal): Promise<{ name: string; count: number }[]>
  /**
   * For each filter, which of these persons match; a person that is not there (any more) is in none, NOBODY is one
   * without properties. At most FITTED_AT_ONCE ids.
   */
  personsThatFit(
    projectId: number,
    personIds: number[],
    filters: PropertyFilter[],
    signal?: AbortSignal,
  ): Promise<number[][]>
  /**
   * Persons of all projects that were stored by a version which did not record everything, with an id after `after`, by
   * id. A person that is stored again is complete.
   */
  incompletePersons(after: number, limit: number): Promise<IncompletePerson[]>
}
