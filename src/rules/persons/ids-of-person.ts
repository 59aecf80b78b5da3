/** `person_id` of lists of what persons did. */
import { invalid } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import type { PersonReader, PersonRef } from '../../model/persons/person.ts'

/** Null for an integer that no person can have. */
function readPerson(text: string): PersonRef | null {
  const uuid = readUuid(text)
  if (uuid !== null) return { uuid }
  if (!/^[+-]?\d+$/.test(text)) throw invalid('Must be the integer id or the UUID of a person.', 'person_id')
  return Number.isSafeInteger(Number(text)) ? { id: Number(text) } : null
}

/** Its distinct ids; an unknown person has none. */
export async function idsOfPerson(
  persons: Pick<PersonReader, 'find'>,
  projectId: number,
  text: string,
): Promise<string[]> {
  const ref = readPerson(text)
  return (ref && (await persons.find(projectId, ref)))?.distinctIds ?? []
}
