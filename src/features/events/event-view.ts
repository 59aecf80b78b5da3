/** Stored events as the API shows them, each with a small view of the person that owns it now. */
import { formatInstant } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { StoredEvent } from '../../model/events/stored-event.ts'
import type { Person, PersonReader } from '../../model/persons/person.ts'
import { personName } from '../../rules/persons/person-name.ts'

type ShownEvent = Omit<StoredEvent, 'projectId' | 'seq'>

/** All properties of a person may take a megabyte, and a page may show a thousand persons. */
const SHOWN_PROPERTIES = new Set(['email', 'name', 'username'])

const viewOwner = (project: Project, distinctId: string, person: Person) => ({
  id: person.id,
  uuid: person.uuid,
  name: personName(person, project.personDisplayNameProperties),
  distinct_ids: [distinctId],
  properties: Object.fromEntries(Object.entries(person.properties).filter(([key]) => SHOWN_PROPERTIES.has(key))),
  created_at: formatInstant(person.createdAt),
})

/** One after the other, as a person may be large and its view is small. */
async function ownersOf(persons: Pick<PersonReader, 'findByDistinctId'>, project: Project, events: ShownEvent[]) {
  const owners = new Map<string, ReturnType<typeof viewOwner>>()
  for (const distinctId of new Set(events.map((event) => event.distinctId))) {
    const person = await persons.findByDistinctId(project.id, distinctId)
    if (person) owners.set(distinctId, viewOwner(project, distinctId, person))
  }
  return owners
}

export async function viewEvents(
  persons: Pick<PersonReader, 'findByDistinctId'>,
  project: Project,
  events: ShownEvent[],
) {
  const owners = await ownersOf(persons, project, events)
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
