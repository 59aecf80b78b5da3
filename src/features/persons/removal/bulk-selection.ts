/** Which persons a bulk request selects: by id (integer or UUID) or by distinct id, never both at once. */
import { AppError, invalid } from '../../../lib/errors.ts'
import { cutText } from '../../../lib/text/code-points.ts'
import type { Person, PersonReader, PersonRef } from '../../../model/persons/person.ts'
import { readPersonRef } from '../person-id.ts'

const MAX_CHOSEN = 1_000

/** Ids as they were given, so that those not found can be reported in the caller's spelling. */
export type BulkSelection = { ids: { given: string | number; ref: PersonRef }[] } | { distinctIds: string[] }

export interface BulkMatch {
  /** Each person once, however many of its ids were named. */
  persons: Person[]
  idsNotFound: (string | number)[]
  distinctIdsNotFound: string[]
}

function readBulkId(id: unknown): { given: string | number; ref: PersonRef } {
  const isId = typeof id === 'string' || Number.isInteger(id)
  try {
    if (isId) return { given: id as string | number, ref: readPersonRef(String(id)) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  throw invalid(`An id must be an integer or a UUID; ${cutText(JSON.stringify(id), 100)} is neither.`, 'ids')
}

export function readBulkSelection(body: { ids?: unknown[]; distinct_ids?: string[] }): BulkSelection {
  const { ids = [], distinct_ids: distinctIds = [] } = body
  if (ids.length > 0 && distinctIds.length > 0) {
    throw invalid('You must provide either distinct_ids or ids, not both')
  }
  if (distinctIds.length > MAX_CHOSEN) throw invalid(`You can only pass ${MAX_CHOSEN} distinct_ids in one call`)
  if (ids.length > MAX_CHOSEN) throw invalid(`You can only pass ${MAX_CHOSEN} ids in one call`)
  if (distinctIds.length > 0) return { distinctIds }
  if (ids.length === 0) throw invalid('You need to specify either distinct_ids or ids')
  return { ids: ids.map(readBulkId) }
}

const isFoundIn = (persons: Person[]) => {
  const known = new Set<number | string>(persons.flatMap((person) => [person.id, person.uuid]))
  return (ref: PersonRef): boolean => known.has('id' in ref ? ref.id : ref.uuid)
}

export async function matchPersons(reader: PersonReader, projectId: number, choice: BulkSelection): Promise<BulkMatch> {
  if ('ids' in choice) {
    const refs = choice.ids.map((item) => item.ref)
    const persons = await reader.findMany(projectId, refs)
    const isFound = isFoundIn(persons)
    const idsNotFound = choice.ids.filter(({ ref }) => !isFound(ref)).map(({ given }) => given)
    return { persons, idsNotFound, distinctIdsNotFound: [] }
  }
  const found = await reader.findByDistinctIds(projectId, choice.distinctIds)
  const persons = [...new Map([...found.values()].map((person) => [person.id, person])).values()]
  const distinctIdsNotFound = choice.distinctIds.filter((id) => !found.has(id))
  return { persons, idsNotFound: [], distinctIdsNotFound }
}
