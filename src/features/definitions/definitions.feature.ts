/** A project's events and their properties, derived from the data itself. */
import { uuidV5 } from '../../lib/ids.ts'
import { formatInstant } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { EventName, PropertyName } from '../../model/events/event.ts'
import type { Stores } from '../../model/stores.ts'
import { searchWords } from '../../rules/filters/list-filter.ts'

export interface DefinitionsParts {
  stores: Pick<Stores, 'events'>
}

export interface PropertyDefinitionsQuery {
  search?: string
  type?: 'event' | 'person'
  is_numerical?: boolean
}

interface PageRequest {
  limit: number
  offset: number
}

const NAMESPACE = 'a6a7c7d5-4f0f-4a52-9d1f-5c8f2f0c3b1e'

/** Derived, not stored: the same name always has the same id. */
const definitionId = (project: Project, kind: string, name: string): string =>
  uuidV5(NAMESPACE, `${project.id}:${kind}:${name}`)

const viewEvent = (project: Project, { name, count, firstAt, lastAt }: EventName) => ({
  id: definitionId(project, 'event', name),
  name,
  created_at: formatInstant(firstAt),
  last_seen_at: formatInstant(lastAt),
  volume: count,
  tags: [],
})

const viewProperty = (project: Project, of: 'event' | 'person', { name, count, type }: PropertyName) => ({
  id: definitionId(project, `${of}_property`, name),
  name,
  type: of,
  property_type: type,
  is_numerical: type === 'Numeric',
  count,
  is_seen_on_filtered_events: null,
  tags: [],
})

export function createDefinitionsFeature({ stores }: DefinitionsParts) {
  const { events } = stores
  return {
    async events(project: Project, search: string | undefined, page: PageRequest, signal: AbortSignal) {
      const words = searchWords(search ?? '')
      const { count, items } = await events.eventNames({ projectId: project.id, words, page }, signal)
      return { count, items: items.map((item) => viewEvent(project, item)) }
    },
    async properties(project: Project, query: PropertyDefinitionsQuery, page: PageRequest, signal: AbortSignal) {
      const { type: of = 'event', is_numerical: isNumerical = null } = query
      const words = searchWords(query.search ?? '')
      const asked = { projectId: project.id, of, words, isNumerical, page }
      const { count, items } = await events.propertyNames(asked, signal)
      return { count, items: items.map((item) => viewProperty(project, of, item)) }
    },
  }
}

export type DefinitionsFeature = ReturnType<typeof createDefinitionsFeature>
