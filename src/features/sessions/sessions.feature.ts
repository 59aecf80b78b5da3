/** Sessions; their properties: the definitions, and the values in the latest sessions. */
import { foldCase } from '../../lib/text/case-fold.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { SessionValue } from '../../model/events/event.ts'
import { createSessionList, type SessionListParts } from './session-list.ts'
import { CHANNELS, isListable, isNumerical, SESSION_PROPERTIES, type SessionProperty } from './session-properties.ts'

const MAX_VALUES = 20

const viewDefinition = (property: SessionProperty) => ({
  id: property.name,
  name: property.name,
  is_numerical: isNumerical(property),
  property_type: property.type,
  is_seen_on_filtered_events: null,
  tags: [],
})

/** Every word of the search is part of the name; characters such as `$` are ignored. */
function matches(name: string, search: string): boolean {
  const words = foldCase(search).match(/\w+/g) ?? []
  return words.every((word) => name.includes(word))
}

/** Values that are offered whether or not a session has them, in this order. */
const FIXED: Record<string, readonly string[]> = { $channel_type: CHANNELS, $is_bounce: ['1', '0'] }

/** The fixed values of a property with their counts, or those found in the sessions. */
function offered(key: string, search: string | null, found: SessionValue[]): SessionValue[] {
  const fixed = FIXED[key]
  if (!fixed) return found
  const counts = new Map(found.map(({ name, count }) => [name, count]))
  return fixed
    .filter((name) => search === null || foldCase(name).includes(foldCase(search)))
    .map((name) => ({ key, name, count: counts.get(name) ?? 0 }))
}

export function createSessionsFeature({ stores, clock }: SessionListParts) {
  return {
    ...createSessionList({ stores, clock }),

    definitions({ search, isNumerical: wanted }: { search?: string; isNumerical?: boolean }) {
      const found = SESSION_PROPERTIES.filter(
        (property) =>
          matches(property.name, search ?? '') && (wanted === undefined || isNumerical(property) === wanted),
      )
      return { count: found.length, results: found.map(viewDefinition) }
    },
    /** At most 20 of each property, the most frequent first; of every property when no key is given. */
    async values(
      project: Project,
      { key, search }: { key: string | null; search: string | null },
      signal: AbortSignal,
    ) {
      const listable = SESSION_PROPERTIES.filter(isListable).map((property) => property.name)
      const keys = key === null ? listable : listable.filter((name) => name === key)
      const query = { projectId: project.id, keys, search, limit: MAX_VALUES }
      const found = keys.length === 0 ? [] : await stores.events.sessionValues(query, signal)
      if (key === null) return found
      return keys.flatMap((name) => offered(name, search, found)).map(({ name, count }) => ({ name, count }))
    },
  }
}

export type SessionsFeature = ReturnType<typeof createSessionsFeature>
