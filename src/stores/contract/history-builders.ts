/** Changes of the property history, and all of a person's. */
import type { PersonReader, PropertyChange, StoredChange } from '../../model/persons/person.ts'

/** A change that does nothing yet. */
export const makeChange = (personId: number, at: number, more: Partial<PropertyChange> = {}): PropertyChange => ({
  personId,
  set: {},
  once: {},
  removed: [],
  at,
  seq: Math.floor(at),
  eventUuid: null,
  ...more,
})

/** Read in portions of `limit`. */
export async function wholeHistory(
  persons: Pick<PersonReader, 'history'>,
  projectId: number,
  personId: number,
  { until = Number.MAX_SAFE_INTEGER, limit = 1_000 } = {},
): Promise<StoredChange[]> {
  const all: StoredChange[] = []
  for (;;) {
    const some = await persons.history(projectId, personId, until, all.at(-1) ?? null, limit)
    if (some.length === 0) return all
    all.push(...some)
  }
}
