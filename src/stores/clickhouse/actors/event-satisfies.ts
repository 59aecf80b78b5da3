/** Filters on properties of events and of who did them, as SQL. */
import type { EventSelector } from '../../../model/insights/insight-question.ts'
import type { PropertyFilter } from '../../../model/persons/person.ts'
import { fitsNobody, leavesOf } from '../../property-filter.ts'
import type { Reading } from '../parts.ts'
import { checkPatterns, conditionSql, satisfiesSql } from '../properties/property-sql.ts'
import { int, text } from '../values/literal.ts'
import { ACTOR } from './owners.ts'

const isOfPeople = (filter: PropertyFilter): boolean => {
  const leaves = leavesOf(filter)
  return leaves.length > 0 && leaves.every(({ type }) => type === 'person')
}

/** SQL of whether the filter, of conditions on people only, holds of who did an event of `eventsWithOwners`. */
function actorSatisfies({ columns }: Reading, projectId: number, filter: PropertyFilter): string {
  // Only persons are listed, and of them only those with another result than somebody without properties has.
  const otherwise = fitsNobody(filter)
  const differs = `deleted = 0 AND (${satisfiesSql(filter, columns.persons)}) = ${otherwise ? 0 : 1}`
  // Not nested: where it is part of what is selected by a part of a statement, the oldest server would lose its columns.
  const people = `SELECT person_id FROM persons WHERE project_id = ${int(projectId)} GROUP BY person_id
    HAVING argMax(${differs}, seq) = 1`
  return `(${ACTOR} GLOBAL ${otherwise ? 'NOT IN' : 'IN'} (${people}))`
}

/** Whether who did an event has to be known for the filter. */
export const readsPeople = (filter: PropertyFilter | null): boolean =>
  filter !== null && leavesOf(filter).some(({ type }) => type === 'person')

/**
 * SQL of whether an event satisfies the filter: one of `eventsWithOwners` where it has conditions on people. Such conditions
 * that stand together are looked up together.
 */
export function eventSatisfies(reading: Reading, projectId: number, filter: PropertyFilter): string {
  if (isOfPeople(filter)) return actorSatisfies(reading, projectId, filter)
  if (!('join' in filter)) return conditionSql(filter, reading.columns.events)
  const ofPeople = filter.of.filter(isOfPeople)
  const others = filter.of.filter((part) => !isOfPeople(part))
  const parts = others.map((part) => eventSatisfies(reading, projectId, part))
  if (ofPeople.length > 0) parts.push(actorSatisfies(reading, projectId, { join: filter.join, of: ofPeople }))
  if (parts.length === 0) return filter.join === 'AND' ? '1' : '0'
  return `(${parts.join(` ${filter.join} `)})`
}

/** SQL of whether an event is one that the selector names: one of `eventsWithOwners` where its filter reads people. */
export function selectorSql(reading: Reading, projectId: number, { event, filter }: EventSelector): string {
  const parts = [
    ...(event === null ? [] : [`event = ${text(event)}`]),
    ...(filter === null ? [] : [eventSatisfies(reading, projectId, filter)]),
  ]
  return parts.length === 0 ? '1' : `(${parts.join(' AND ')})`
}

/** Refuses patterns that the engine cannot compile. */
export const checkSelectors = (reading: Reading, selectors: EventSelector[]): Promise<void> =>
  checkPatterns(
    reading,
    selectors.flatMap(({ filter }) => (filter ? leavesOf(filter) : [])),
  )
