/**
 * Computes a split: which of a person's distinct ids are split off, and which person each of them goes to. Nothing is
 * read or written here.
 */
import { invalid } from '../../lib/errors.ts'
import type { Person } from '../../model/persons/person.ts'
import { personUuid, splitUuids } from '../../rules/persons/identity.ts'
import type { SplitRequest } from './parameters.ts'

const NAMED_AT_MOST = 20

/** The ids that the person does not have, listed as in PostHog's message. */
function notOnPerson(ids: string[]): string {
  const named = ids.sort().slice(0, NAMED_AT_MOST)
  const more = ids.length > named.length ? ', …' : ''
  return `not on this person: [${named.map((id) => `'${id}'`).join(', ')}${more}]`
}

/**
 * The ids that are split off, in the order in which they were stored. The person keeps at least one: the main id, or
 * all that were not chosen, or the id stored first. Empty when there is nothing to split.
 */
export function idsToSplit(distinctIds: string[], { main, chosen }: SplitRequest): string[] {
  const own = new Set(distinctIds)
  if (chosen !== null) {
    const leaving = new Set(chosen)
    const foreign = [...leaving].filter((id) => !own.has(id))
    if (foreign.length > 0) throw invalid(notOnPerson(foreign), 'distinct_ids_to_split')
    if (leaving.size === own.size) {
      throw invalid('must leave the person at least one distinct id', 'distinct_ids_to_split')
    }
    return distinctIds.filter((id) => leaving.has(id))
  }
  if (main !== null && !own.has(main)) throw invalid(notOnPerson([main]), 'main_distinct_id')
  const staying = main ?? distinctIds[0]
  return distinctIds.filter((id) => id !== staying)
}

/**
 * The person that an id goes to: the one that capture would create for it, or one that already has this uuid; but if
 * that is the person it is split from, a new one, under the first of these uuids that no person has.
 */
export type SplitTarget = { uuid: string } | { firstFreeOf: Iterable<string> }

export function splitTarget({ projectId, uuid }: Pick<Person, 'projectId' | 'uuid'>, distinctId: string): SplitTarget {
  const usual = personUuid(projectId, distinctId)
  return usual === uuid ? { firstFreeOf: splitUuids(projectId, distinctId) } : { uuid: usual }
}
