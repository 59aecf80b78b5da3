/**
 * The people of a batch of events, found all at once. Where other transactions run at the same time, those that the batch
 * changes are locked and read once more; the others are only read, as nearly every event comes from someone known and
 * changes nothing.
 */
import { HOUR, MINUTE } from '../../lib/time/time.ts'
import type { IntakePerson, IntakeWriter } from '../../model/events/intake.ts'
import type { SqlWriters } from '../../model/stores.ts'
import { changesOf, worthWriting } from './person-properties.ts'
import type { ReadyEvent } from './pipeline.ts'
import type { LoadedPerson } from './unwritten.ts'

/** By distinct id; null: nobody's. Each id of the events is there, and a person with several ids is one object. */
export type LoadedPeople = Map<string, LoadedPerson | null>

const NEVER_CHANGES = new Set(['$exception', '$$heatmap'])
const ABOUT_THE_PERSON = new Set(['$identify', '$create_alias', '$merge_dangerously', '$set'])

const loaded = ({ id, uuid, properties: json, isIdentified, createdAt, lastSeenAt }: IntakePerson): LoadedPerson => ({
  id,
  uuid,
  properties: JSON.parse(json),
  json,
  isIdentified,
  createdAt,
  lastSeenAt,
  bytes: null,
  isChanged: false,
  isUnsaved: false,
  gone: false,
})

export const hourOf = (instant: number): number => Math.floor(instant / HOUR) * HOUR

/** Whether an event that asks for no person has none, although its id has one: it may be from before the person. */
export const staysPersonless = (event: ReadyEvent, person: LoadedPerson): boolean =>
  event.mode === 'personless' && event.timestamp <= person.createdAt + MINUTE

/** Whether the person was last seen in an earlier hour. */
export const isSeenLater = (event: ReadyEvent, person: LoadedPerson): boolean =>
  hourOf(event.timestamp) > (person.lastSeenAt ?? 0)

const NO_CHANGES: ReadonlyMap<string, unknown> = new Map()

/** The properties that an event changes, with their new values; none if that is not worth writing the person. */
export function wantedChanges(event: ReadyEvent, person: LoadedPerson): ReadonlyMap<string, unknown> {
  if (NEVER_CHANGES.has(event.event)) return NO_CHANGES
  const changes = changesOf(person.properties, event.update)
  if (changes.size === 0) return NO_CHANGES
  const explicit = new Set([
    ...Object.keys(event.properties.$set ?? {}),
    ...Object.keys(event.properties.$set_once ?? {}),
    ...event.update.unset,
  ])
  const keys = [...changes.keys()]
  const areWanted = ABOUT_THE_PERSON.has(event.event) || worthWriting(keys) || keys.some((key) => explicit.has(key))
  return areWanted ? changes : NO_CHANGES
}

/** Whether the event changes the person as it is. If no event of a batch does, all of them together do not either. */
const changes = (event: ReadyEvent, person: LoadedPerson): boolean =>
  !staysPersonless(event, person) && (isSeenLater(event, person) || wantedChanges(event, person).size > 0)

/** The ids whose owners the batch may change: those of merges, and of people that an event changes. */
function changingIds(events: ReadyEvent[], people: LoadedPeople): Set<string> {
  const ids = new Set<string>()
  for (const event of events) {
    const { distinctId, mergeWith } = event
    const person = people.get(distinctId)
    if (mergeWith !== null) ids.add(distinctId).add(mergeWith)
    else if (person && !ids.has(distinctId) && changes(event, person)) ids.add(distinctId)
  }
  return ids
}

/** Adds the ids that have one of these owners; false when there are none. */
function addIdsOf(owners: Set<number | null>, people: LoadedPeople, ids: Set<string>): boolean {
  const before = ids.size
  for (const [id, person] of people) if (person && owners.has(person.id)) ids.add(id)
  return ids.size > before
}

function keep(people: LoadedPeople, ids: Iterable<string>, found: Map<string, IntakePerson>): void {
  const known = new Map<number, LoadedPerson>()
  for (const id of ids) {
    const row = found.get(id)
    const person = row ? (known.get(row.id) ?? loaded(row)) : null
    if (row && person) known.set(row.id, person)
    people.set(id, person)
  }
}

type LockOwners = NonNullable<IntakeWriter['lockOwners']>

/** Locks the people that the batch changes, with all their ids in it, and reads them anew; false: there are none. */
async function lockChanging(
  lockOwners: LockOwners,
  projectId: number,
  events: ReadyEvent[],
  people: LoadedPeople,
): Promise<boolean> {
  const ids = changingIds(events, people)
  if (ids.size === 0) return false
  addIdsOf(new Set([...ids].map((id) => people.get(id)?.id ?? null)), people, ids)
  let found: Map<string, IntakePerson>
  // Ids may have gone to someone whom the batch has other ids of.
  do found = await lockOwners(projectId, [...ids])
  while (addIdsOf(new Set([...found.values()].map(({ id }) => id)), people, ids))
  keep(people, ids, found)
  return true
}

/** The people of all ids of the events. */
export async function findPeople(
  { intake }: Pick<SqlWriters, 'intake'>,
  projectId: number,
  events: ReadyEvent[],
): Promise<LoadedPeople> {
  const ids = new Set<string>()
  for (const { distinctId, mergeWith } of events) {
    ids.add(distinctId)
    if (mergeWith !== null) ids.add(mergeWith)
  }
  const people: LoadedPeople = new Map()
  keep(people, ids, await intake.resolve(projectId, [...ids]))
  return people
}

/** Where others may change them, those that these events change are then as they are for the rest of the transaction. */
export async function lockPeople(
  { intake }: Pick<SqlWriters, 'intake'>,
  projectId: number,
  events: ReadyEvent[],
  people: LoadedPeople,
): Promise<boolean> {
  return intake.lockOwners !== null && (await lockChanging(intake.lockOwners, projectId, events, people))
}
