/** Who owns distinct ids now, as lists of events and sessions show it. */
import { formatInstant } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Person, PersonReader } from '../../model/persons/person.ts'
import { personName } from './person-name.ts'

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

/** By distinct id; those that are nobody's are left out. One after the other, as a person may be large and its view is small. */
export async function viewOwners(
  persons: Pick<PersonReader, 'findByDistinctId'>,
  project: Project,
  distinctIds: string[],
) {
  const owners = new Map<string, ReturnType<typeof viewOwner>>()
  for (const distinctId of new Set(distinctIds)) {
    const person = await persons.findByDistinctId(project.id, distinctId)
    if (person) owners.set(distinctId, viewOwner(project, distinctId, person))
  }
  return owners
}
