/** What a merge of two persons means, whoever asks for it: an event or a request. */
import type { ActivityChange } from '../../model/accounts/activity.ts'
import type { Properties } from '../../model/persons/person.ts'

/** A person with more ids is not moved at once: probably an id shared by many, or an attack. */
export const MOST_MOVED_IDS = 2_000
/** The log of a merge lists up to this many ids, and the total. */
const LOGGED_IDS = 100

/** What the one that stays gets of the other's properties: where both have one, its own stays. */
export function gainedProperties(own: Properties, others: Properties): Map<string, unknown> {
  const gained = new Map<string, unknown>()
  for (const key of Object.keys(others)) if (!Object.hasOwn(own, key)) gained.set(key, others[key])
  return gained
}

/** What the log says of the person that was merged into another, with the ids that it had. */
export const mergeChange = (uuid: string, distinctIds: string[]): ActivityChange => ({
  type: 'Person',
  action: 'merged',
  field: null,
  before: { uuid },
  after: { distinct_ids: distinctIds.slice(0, LOGGED_IDS), distinct_ids_count: distinctIds.length },
})
