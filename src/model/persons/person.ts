/** People, their distinct ids, and the history of their properties. */
import type { DistinctIdProjection, PersonProjection } from '../events/outbox.ts'
import type { PageRequest } from '../page.ts'

type PropertyValue = unknown
export type Properties = Record<string, PropertyValue>

export interface Person {
  id: number
  projectId: number
  uuid: string
  properties: Properties
  isIdentified: boolean
  createdAt: number
  lastSeenAt: number | null
  /** In the order in which they were stored; the first one is "the first id". */
  distinctIds: string[]
}

export interface NewPerson {
  projectId: number
  uuid: string
  properties: Properties
  isIdentified: boolean
  createdAt: number
}

/** A person is addressed by integer id or by uuid. */
export type PersonRef = { id: number } | { uuid: string }

/** What one event or request changed in a person's properties. No key is in it twice. */
export interface PropertyChange {
  personId: number
  /** By `$set`, by a merge or through the API. */
  set: Properties
  /** By `$set_once`. */
  once: Properties
  removed: string[]
  at: number
  seq: number
  /** The event that caused it; null when it came through the API. */
  eventUuid: string | null
}

/** Where a walk through a person's changes is: by (at, id). */
export interface ChangePlace {
  at: number
  id: number
}

/** The keys that a change loses. */
interface ChangeTrim {
  id: number
  keys: Set<string>
}

export interface StoredChange extends PropertyChange {
  /** Grows in the order in which changes were stored. */
  id: number
}

/** Operators of a property filter; the meaning of each is in `docs/filters.md`. */
export type PropertyOperator =
  | 'exact'
  | 'is_not'
  | 'icontains'
  | 'not_icontains'
  | 'icontains_multi'
  | 'not_icontains_multi'
  | 'regex'
  | 'not_regex'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'is_set'
  | 'is_not_set'
  | 'is_date_exact'
  | 'is_date_before'
  | 'is_date_after'
  | 'semver_eq'
  | 'semver_neq'
  | 'semver_gt'
  | 'semver_gte'
  | 'semver_lt'
  | 'semver_lte'
  | 'semver_tilde'
  | 'semver_caret'
  | 'semver_wildcard'

export interface PropertyCondition {
  key: string
  operator: PropertyOperator
  value: unknown
  /**
   * Whose property it is, if not that of the filtered object: for an event, its `person`; for a recording, an `event` of
   * its session (by default its person).
   */
  type?: 'person' | 'event'
}

/** A tree of conditions: a leaf, or several joined by AND or OR. */
export type PropertyFilter = PropertyCondition | { join: 'AND' | 'OR'; of: PropertyFilter[] }

export interface PersonFilter {
  /** Contained in e-mail, name, uuid or a distinct id, case-insensitive. */
  search?: string
  /** Exactly this `email` property. */
  email?: string
  distinctId?: string
  updatedAfter?: number
  properties?: PropertyFilter
}

/** A place in a list of people. */
export interface PersonCursor {
  /** The time that the list is ordered by. */
  time: number
  id: number
}

/** What the SQL store finds by an index: everyone, those with this e-mail, or the one with this distinct id. */
export type PersonLookup = Pick<PersonFilter, 'email' | 'distinctId'>

/** A page begins after `after`, or at the offset. */
export interface PersonPageRequest extends PageRequest {
  after?: PersonCursor | null
}

export interface PersonPage {
  persons: Person[]
  /** Where the next page begins, at the place of this page's last person when it was found; null when there is none. */
  next: PersonCursor | null
}

/** The first persons of a list of ids. */
interface PersonPart {
  persons: Person[]
  /** How many of the ids they are, with those that are gone. */
  taken: number
}

export interface PersonReader {
  /** Null when the project has no such person. */
  find(projectId: number, ref: PersonRef): Promise<Person | null>
  findByDistinctId(projectId: number, distinctId: string): Promise<Person | null>
  /** Those that exist, in no order. */
  findMany(projectId: number, refs: PersonRef[]): Promise<Person[]>
  /** Requested id → person, for those that exist. */
  findByDistinctIds(projectId: number, distinctIds: string[]): Promise<Map<string, Person>>
  /**
   * Newest first, then by id descending; exact pages of at most PAGE_BYTES, each person with its first 1,000 distinct
   * ids. This and the methods below read many persons: in parallel to other work, until the deadline (`timeout`) or
   * until `signal` is aborted. Filters that look through persons are answered by the event store (person-search.ts).
   */
  list(projectId: number, lookup: PersonLookup, page: PersonPageRequest, signal?: AbortSignal): Promise<PersonPage>
  /** As list, from the beginning or after a place, for reading everything page by page: without a deadline. */
  listAfter(
    projectId: number,
    lookup: PersonLookup,
    after: PersonCursor | null,
    limit: number,
    signal?: AbortSignal,
  ): Promise<PersonPage>
  /**
   * Persons as list gives them, in the order of their ids: as many of the first as fit into so many bytes, but at least
   * one. Those that are gone, or another project's, are left out. Without a deadline.
   */
  listByIds(projectId: number, ids: number[], maxBytes: number, signal?: AbortSignal): Promise<PersonPart>
  /** Of all persons of a project the number is kept, not counted. */
  count(projectId: number, lookup: PersonLookup, signal?: AbortSignal): Promise<number>
  /**
   * Changes of a person up to and including `until`, oldest first: by (at, seq, id), starting after `after`, at most
   * `limit`, fewer where they are large, none at the end.
   */
  history(
    projectId: number,
    personId: number,
    until: number,
    after: StoredChange | null,
    limit: number,
  ): Promise<StoredChange[]>
  /**
   * Persons of the project with an id after `after` and more than one change before the instant: those of some
   * thousand ids, and the last of these ids; null at the end.
   */
  withPast(projectId: number, before: number, after: number): Promise<{ ids: number[]; upTo: number | null }>
}

export interface PersonWriter extends PersonReader {
  /** As `find`, and no other transaction changes the person, nor its distinct ids, until this one ends. */
  findToChange(projectId: number, ref: PersonRef): Promise<Person | null>
  /** Ids ascend and are never reused, not even after a removal. */
  create(person: NewPerson, distinctIds: string[]): Promise<Person>
  /** Replaces the properties; the filter updated_after compares with `updatedAt`. */
  saveProperties(personId: number, properties: Properties, updatedAt: number): Promise<void>
  /** Each id moves to `personId` and keeps its place in the order of storage. */
  moveDistinctIds(projectId: number, distinctIds: string[], personId: number): Promise<void>
  /** Removes the person, its distinct ids and the records of their use without a profile. `removeHistory` removes its property history. */
  remove(personId: number): Promise<void>
  addHistory(projectId: number, changes: PropertyChange[]): Promise<void>
  /** Removes up to `limit` changes of a person; returns how many. */
  removeHistory(personId: number, limit: number): Promise<number>
  /** Changes of a person by (at, id), starting after `after`, at most `limit`, fewer where they are large, none at the end. */
  changesAfter(personId: number, after: ChangePlace | null, limit: number): Promise<StoredChange[]>
  /**
   * Removes keys from changes, and the reference to the event that caused them. A change that has no key left is
   * removed; those that are gone are passed over.
   */
  trimChanges(trims: ChangeTrim[]): Promise<void>
  /**
   * Brings changes that an earlier version stored, one row for each key, into the present format: those of some hundred
   * ids after `after`. Returns the last of these ids; null at the end.
   */
  reformatChanges(after: number): Promise<number | null>
  /** The projection rows of these persons and of their distinct ids, as far as they exist, by id. */
  projections(personIds: number[]): Promise<{ persons: PersonProjection[]; distinctIds: DistinctIdProjection[] }>
}
