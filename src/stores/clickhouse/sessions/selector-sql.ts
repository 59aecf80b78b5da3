/** The events that a selector names, as SQL. */
import type { EventSelector } from '../../../model/insights/insight-question.ts'
import { leavesOf } from '../../property-filter.ts'
import { eventSatisfies, readsPeople } from '../actors/event-satisfies.ts'
import { eventsWithOwners } from '../actors/owners.ts'
import type { Reading } from '../parts.ts'
import { checkPatterns } from '../properties/property-sql.ts'
import { int, text } from '../values/literal.ts'

/** SQL of the table to read, and of the condition on its rows. Refuses patterns that the engine cannot compile. */
export async function eventsOfSelectors(
  reading: Reading,
  projectId: number,
  selectors: EventSelector[],
): Promise<{ from: string; where: string }> {
  await checkPatterns(
    reading,
    selectors.flatMap(({ filter }) => (filter ? leavesOf(filter) : [])),
  )
  const sides = selectors.map(({ event, filter }) => {
    const name = event === null ? '1' : `event = ${text(event)}`
    return filter === null ? name : `(${name} AND ${eventSatisfies(projectId, filter)})`
  })
  return {
    from: selectors.some(({ filter }) => readsPeople(filter)) ? eventsWithOwners(projectId) : 'events',
    where: `project_id = ${int(projectId)} AND (${sides.join(' OR ')})`,
  }
}
