/** When somebody was seen last, as far as the list knows it. */
import type { PersonRow } from '../../data/people/people.ts'

const HOUR = 3_600_000

/** It is known by the hour, at its beginning: who came first in that hour was not seen before they came. */
export function lastSeen({ created_at: first, last_seen_at: hour }: Pick<PersonRow, 'created_at' | 'last_seen_at'>) {
  if (hour === null) return null
  const sinceHour = Date.parse(first) - Date.parse(hour)
  return sinceHour > 0 && sinceHour < HOUR ? first : hour
}
