/** Stored events as the API shows them, each with a small view of the person that owns it now. */
import { formatInstant } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { StoredEvent } from '../../model/events/stored-event.ts'
import type { PersonReader } from '../../model/persons/person.ts'
import { viewOwners } from '../../rules/persons/owner-view.ts'

type ShownEvent = Omit<StoredEvent, 'projectId' | 'seq'>

export async function viewEvents(
  persons: Pick<PersonReader, 'findByDistinctId'>,
  project: Project,
  events: ShownEvent[],
) {
  const ids = events.map((event) => event.distinctId)
  const owners = await viewOwners(persons, project, ids)
  return events.map((event) => ({
    id: event.uuid,
    uuid: event.uuid,
    event: event.event,
    distinct_id: event.distinctId,
    timestamp: formatInstant(event.timestamp),
    properties: event.properties,
    person: owners.get(event.distinctId) ?? null,
    session_id: event.sessionId,
  }))
}

export type EventView = Awaited<ReturnType<typeof viewEvents>>[number]
