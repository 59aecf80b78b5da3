/** `{id}` of a person: an integer of any size or a UUID in any spelling; a distinct id is refused with a hint. */
import { invalid, notFound } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import { cutText } from '../../lib/text/code-points.ts'
import type { PersonRef } from '../../model/persons/person.ts'

/** A body may hold a megabyte in its place, of which the answer is not made. */
const SHOWN_OF_ID = 400

/** An id no stored person can have: the look-up finds nothing. */
const NO_PERSON: PersonRef = { id: -1 }

export function readPersonRef(id: string): PersonRef {
  const uuid = readUuid(id)
  if (uuid) return { uuid }
  if (!/^[+-]?\d+$/.test(id)) {
    throw invalid(
      `The ID provided does not look like a personID. If you are using a distinctId, please use /persons?distinct_id=${cutText(id, SHOWN_OF_ID)} instead.`,
    )
  }
  const number = Number(id)
  return Number.isSafeInteger(number) ? { id: number } : NO_PERSON
}

/** The person, or the same 404 for unknown ids and those of other projects. */
export function found<T>(person: T | null): T {
  if (person === null) throw notFound()
  return person
}
