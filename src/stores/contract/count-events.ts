/** How many events a project has, for tests. */
import type { EventStore } from '../../model/events/event.ts'

export const countEvents = async (
  store: Pick<EventStore, 'eventTotals'>,
  projectId: number,
  signal?: AbortSignal,
): Promise<number> => (await store.eventTotals(projectId, 0, signal)).count
