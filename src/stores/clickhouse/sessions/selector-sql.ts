/** The events that a selector names, as SQL. */
import type { EventSelector } from '../../../model/insights/insight-question.ts'
import { checkSelectors, readsPeople, selectorSql } from '../actors/event-satisfies.ts'
import { eventsWithOwners } from '../actors/owners.ts'
import type { Reading } from '../parts.ts'
import { int } from '../values/literal.ts'

/** SQL of the table to read, and of the condition on its rows. Refuses patterns that the engine cannot compile. */
export async function eventsOfSelectors(
  reading: Reading,
  projectId: number,
  selectors: EventSelector[],
): Promise<{ from: string; where: string }> {
  await checkSelectors(reading, selectors)
  const sides = selectors.map((selector) => selectorSql(reading, projectId, selector))
  return {
    from: selectors.some(({ filter }) => readsPeople(filter)) ? eventsWithOwners(projectId) : 'events',
    where: `project_id = ${int(projectId)} AND (${sides.join(' OR ')})`,
  }
}
