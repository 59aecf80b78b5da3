/**
 * Conditions on the events of sessions: `events`, each item of which applies to one event, its name and its properties
 * together; and `properties` of type event, each condition of which may be met by another event of the session.
 */
import { AppError, invalid } from '../../lib/errors.ts'
import { isJsonObject, type Json } from '../../lib/json/json.ts'
import type { EventSelector } from '../../model/insights/insight-question.ts'
import type { PropertyCondition, PropertyFilter } from '../../model/persons/person.ts'
import { readPropertyFilter } from '../../rules/filters/property-filter.ts'
import type { ListCondition } from './list-conditions.ts'
import { readJson, readList } from './list-query.ts'

/** Each is a search of its own in the event store. */
const MAX_SELECTORS = 50

/** A refusal of the content of an item of `events`. */
const refuse = (index: number, detail: string): AppError => invalid(`events[${index}]: ${detail}`, 'events')

/** Filter errors refer to `properties`; within an item of `events` they have to name the item. */
export const asOfItem = (index: number, cause: unknown): unknown =>
  cause instanceof AppError && cause.kind === 'invalid' ? refuse(index, cause.message) : cause

function readItemFilter(properties: Json | undefined, index: number, now: number): PropertyFilter | null {
  try {
    return readPropertyFilter(properties, now, 'event')
  } catch (cause) {
    throw asOfItem(index, cause)
  }
}

function readItem(item: Json, index: number, now: number): EventSelector {
  if (!isJsonObject(item)) throw refuse(index, 'an event filter must be an object.')
  const { type = 'events', properties } = item
  if (type !== 'events') throw refuse(index, "the type must be 'events'.")
  const event = item.id === undefined ? item.name : item.id
  if (event !== null && (typeof event !== 'string' || event === '')) {
    throw refuse(index, 'id must be the name of an event, or null for any.')
  }
  return { event, filter: readItemFilter(properties, index, now) }
}

const checkNumber = (count: number, attr: string): void => {
  if (count > MAX_SELECTORS)
    throw invalid(`At most ${MAX_SELECTORS} conditions on events are allowed.`, attr, 'max_length')
}

export function readEvents(text: string | undefined, now: number): EventSelector[] {
  const list = readList(text, 'events') ?? []
  checkNumber(list.length, 'events')
  return list.map((item, index) => readItem(item, index, now))
}

const leavesOf = (filter: PropertyFilter): PropertyCondition[] =>
  'join' in filter ? filter.of.flatMap(leavesOf) : [filter]

const isAboutEvent = (condition: PropertyCondition): boolean => condition.type === 'event'

/** The events of a session that meet one of the conditions, however these are combined. */
export function readEventProperties(text: string | undefined, now: number): EventSelector[] {
  const filter = readPropertyFilter(readJson(text, 'properties'), now, 'session event')
  const leaves = filter ? leavesOf(filter) : []
  checkNumber(leaves.length, 'properties')
  return leaves.map((leaf) => ({ event: null, filter: leaf }))
}

/** The condition that a session has such an event. */
type FindSessions = (selector: EventSelector) => Promise<ListCondition>

async function conditionOf(filter: PropertyFilter, find: FindSessions): Promise<ListCondition> {
  if (!leavesOf(filter).some(isAboutEvent)) return { person: filter }
  if (!('join' in filter)) return find({ event: null, filter })
  const of: ListCondition[] = []
  for (const item of filter.of) of.push(await conditionOf(item, find))
  return { join: filter.join, of }
}

/**
 * `properties` of a list: conditions on the person of a recording and on events of its session; empty when there are
 * none.
 */
export async function readProperties(
  text: string | undefined,
  now: number,
  find: FindSessions,
): Promise<ListCondition[]> {
  const filter = readPropertyFilter(readJson(text, 'properties'), now, 'recording')
  if (!filter) return []
  checkNumber(leavesOf(filter).filter(isAboutEvent).length, 'properties')
  return [await conditionOf(filter, find)]
}
