/** A stored person as the API shows it: on its own, in short form, and as a row of the list. */
import { formatInstant, formatOptional } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Person } from '../../model/persons/person.ts'
import { personName, sortDistinctIds } from '../../rules/persons/person-name.ts'

export interface PersonView {
  id: number
  name: string
  distinct_ids: string[]
  properties: Record<string, unknown>
  created_at: string
  uuid: string
}

const MINIMAL_IDS = 10
const ROW_IDS = 1_000

export const viewPerson = (project: Project, person: Person): PersonView => ({
  id: person.id,
  name: personName(person, project.personDisplayNameProperties),
  distinct_ids: sortDistinctIds(person.distinctIds),
  properties: person.properties,
  created_at: formatInstant(person.createdAt),
  uuid: person.uuid,
})

/** With its first ten distinct ids at most. */
export function viewMinimal(project: Project, person: Person): PersonView {
  const view = viewPerson(project, person)
  return { ...view, distinct_ids: view.distinct_ids.slice(0, MINIMAL_IDS) }
}

/** A row of the list; its distinct ids are in the order in which they were stored. */
export const viewRow = (project: Project, person: Person) => ({
  type: 'person' as const,
  id: person.id,
  uuid: person.uuid,
  created_at: formatInstant(person.createdAt),
  last_seen_at: formatOptional(person.lastSeenAt),
  properties: person.properties,
  is_identified: person.isIdentified,
  name: personName(person, project.personDisplayNameProperties),
  distinct_ids: person.distinctIds.slice(0, ROW_IDS),
  matched_recordings: [],
  value_at_data_point: null,
})

export type PersonRow = ReturnType<typeof viewRow>
