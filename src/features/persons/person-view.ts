/** A stored person as the API shows it. */
import { formatInstant } from '../../lib/time.ts'
import type { Person } from '../../model/person.ts'
import type { Project } from '../../model/project.ts'
import { personName, sortDistinctIds } from '../../rules/name.ts'

export interface PersonView {
  id: number
  name: string
  distinct_ids: string[]
  properties: Record<string, unknown>
  created_at: string
  uuid: string
}

export const viewPerson = (project: Project, person: Person): PersonView => ({
  id: person.id,
  name: personName(person, project.personDisplayNameProperties),
  distinct_ids: sortDistinctIds(person.distinctIds),
  properties: person.properties,
  created_at: formatInstant(person.createdAt),
  uuid: person.uuid,
})
