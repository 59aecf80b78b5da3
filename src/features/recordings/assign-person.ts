/**
 * Assigns a recording to a person by hand: `person` of a PATCH. The object that GET returned is accepted as it is,
 * including the stub of an unknown person, and then nothing changes.
 */
import { invalid } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import { isJsonObject } from '../../lib/json/json.ts'
import type { PersonReader, PersonRef } from '../../model/persons/person.ts'
import type { Recording } from '../../model/recordings/recording.ts'
import { personUuid } from '../../rules/persons/identity.ts'

function readRef(value: unknown): PersonRef {
  const named = isJsonObject(value) ? (value.id ?? value.uuid) : value
  if (Number.isSafeInteger(named)) return { id: named as number }
  const uuid = typeof named === 'string' ? readUuid(named) : null
  if (uuid !== null) return { uuid }
  throw invalid('Must be the integer id or the UUID of a person, an object that holds one of them, or null.', 'person')
}

const refText = (ref: PersonRef): string => ('id' in ref ? String(ref.id) : ref.uuid)

/**
 * The person to store: an id, null for "the owner of the distinct id", undefined when nothing changes. A person that
 * owns the recording anyway is not stored: a later merge or split has to move the recording along.
 */
export async function readAttribution(
  persons: Pick<PersonReader, 'find' | 'findByDistinctId'>,
  { projectId, distinctId, personId }: Recording,
  value: unknown,
): Promise<number | null | undefined> {
  const unless = (id: number | null) => (id === personId ? undefined : id)
  if (value === null) return unless(null)
  const ref = readRef(value)
  const owner = await persons.findByDistinctId(projectId, distinctId)
  const person = await persons.find(projectId, ref)
  if (person) return unless(person.id === owner?.id ? null : person.id)
  if ('uuid' in ref && !owner && ref.uuid === personUuid(projectId, distinctId)) return unless(null)
  throw invalid(`Invalid pk "${refText(ref)}" - object does not exist.`, 'person', 'does_not_exist')
}
