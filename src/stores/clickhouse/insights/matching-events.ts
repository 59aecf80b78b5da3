/**
 * The events that match a selector, or any of several, as SQL. Events are read once, however many selectors there are.
 * Owners of ids are joined only where somebody has to be known.
 */
import type { EventSelector } from '../../../model/insights/insight-question.ts'
import { checkSelectors, readsPeople, selectorSql } from '../actors/event-satisfies.ts'
import { ACTOR, eventsWithOwners } from '../actors/owners.ts'
import { eventWithin } from '../listing/time-windows.ts'
import type { Reading } from '../parts.ts'
import { instant, int, isOneOf, microsOf, text } from '../values/literal.ts'

interface Range {
  projectId: number
  from: number
  /** Excluded. */
  to: number
}

interface Search extends Range {
  selector: EventSelector
  /** Whether `who` is wanted. */
  withActors: boolean
}

/** Of these events only later ones match where `since` says so. */
type Choice = EventSelector & { since?: number }

interface WideSearch extends Range {
  selectors: Choice[]
}

/** SQL of who did an event, for a SELECT of all that follows `FROM` here. */
export const WHO = `${ACTOR} AS who`

const rangeSql = ({ projectId, from, to }: Range): string =>
  `project_id = ${int(projectId)} AND ${eventWithin({ from: microsOf(from), to: microsOf(to) })}`

function choiceSql(reading: Reading, projectId: number, { since, ...selector }: Choice): string {
  const chosen = selectorSql(reading, projectId, selector)
  return since === undefined ? chosen : `(ts >= ${instant(since)} AND ${chosen})`
}

/** SQL from `FROM` on, of the events that match the selector. */
export async function matchingEvents(reading: Reading, search: Search): Promise<string> {
  const { projectId, selector, withActors } = search
  await checkSelectors(reading, [selector])
  const from = withActors || readsPeople(selector.filter) ? eventsWithOwners(projectId) : 'events'
  return `FROM ${from} WHERE ${rangeSql(search)} AND ${choiceSql(reading, projectId, selector)}`
}

/** SQL of events that match any of several selectors. */
export interface FoundEvents {
  /** From `FROM` on. */
  from: string
  /** Which selectors an event matches, a bit for each. Defines `matches`, so it must stand in the same SELECT, once. */
  matches: string
}

/** Whoever did them is known. */
export async function eventsOfAny(reading: Reading, search: WideSearch): Promise<FoundEvents> {
  const { projectId, selectors } = search
  await checkSelectors(reading, selectors)
  const names = selectors.map(({ event }) => event)
  const named = names.includes(null) ? '1' : isOneOf('event', [...new Set(names as string[])], text)
  const bits = selectors.map((choice, place) => `if(${choiceSql(reading, projectId, choice)}, ${int(2 ** place)}, 0)`)
  return {
    // Named, the conditions are computed once; people are asked once.
    from: `FROM ${eventsWithOwners(projectId)} WHERE ${rangeSql(search)} AND ${named} AND matches != 0`,
    matches: `(toUInt32(${bits.join(' + ')}) AS matches)`,
  }
}

/** SQL of whether `matches`, or several of them together, have the bit of this selector. */
export const hasBit = (matches: string, place: number): string => `bitAnd(${matches}, ${int(2 ** place)}) != 0`
