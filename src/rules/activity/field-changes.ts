/** What differs between two states of an object, as the changes of an activity entry: one per field of the API. */
import { isDeepStrictEqual } from 'node:util'
import type { ActivityChange } from '../../model/accounts/activity.ts'

/** Both have the same fields, in the order in which the changes are listed. */
export function fieldChanges(
  type: string,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): ActivityChange[] {
  return Object.entries(after)
    .filter(([field, value]) => !isDeepStrictEqual(before[field], value))
    .map(([field, value]) => ({ type, action: 'changed', field, before: before[field] ?? null, after: value ?? null }))
}
