/** Series of a query: which events each one selects, and its label. */
import { AppError, invalid } from '../../lib/errors.ts'
import { cutText } from '../../lib/text/code-points.ts'
import { MINUTE } from '../../lib/time/time.ts'
import type { Breakdown, EventSelector } from '../../model/insights/insight-question.ts'
import type { ResultAction } from '../../model/insights/insight-result.ts'
import type { PropertyFilter } from '../../model/persons/person.ts'
import { readPropertyFilter } from '../filters/property-filter.ts'
import type { Setting } from './date-range.ts'
import { type Node, notSupported } from './query-node.ts'

const MAX_SERIES = 26
const DEFAULT_BREAKDOWN_LIMIT = 25
const MAX_BREAKDOWN_LIMIT = 500

/** Relative dates in filters are resolved to the minute, so that cached results stay valid for a while. */
export function readFilter(node: Node, name: string, { now }: Setting): PropertyFilter | null {
  try {
    return readPropertyFilter(node.raw(name), Math.floor(now / MINUTE) * MINUTE, 'event')
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw invalid(cause.message, node.attr(name))
  }
}

export function bothOf(...filters: (PropertyFilter | null)[]): PropertyFilter | null {
  const of = filters.filter((filter) => filter !== null)
  return of.length > 1 ? { join: 'AND', of } : (of[0] ?? null)
}

export interface Series {
  selector: EventSelector
  action: ResultAction
  label: string
  node: Node
}

const KINDS: Record<string, string> = {
  ActionsNode: 'Actions (ActionsNode) are',
  DataWarehouseNode: 'Data warehouse tables (DataWarehouseNode) are',
  GroupNode: 'Groups of events (GroupNode) are',
}

function readEventsNode(node: Node, order: number, shared: PropertyFilter | null, setting: Setting): Series {
  const kind = node.text('kind') ?? 'EventsNode'
  if (kind !== 'EventsNode')
    throw notSupported(KINDS[kind] ?? `Series of kind "${cutText(kind, 60)}" are`, node.attr('kind'))
  node.refuse({ optionalInFunnel: 'Optional steps are' })
  const event = node.text('event')
  const filter = bothOf(shared, readFilter(node, 'properties', setting), readFilter(node, 'fixedProperties', setting))
  const [name, customName] = [node.text('name'), node.text('custom_name')]
  return {
    selector: { event, filter },
    action: {
      id: event,
      type: 'events',
      order,
      name: name ?? event,
      custom_name: customName,
      math: node.text('math'),
      math_property: node.text('math_property'),
    },
    label: customName || name || event || 'All events',
    node,
  }
}

/** Refuses unsupported options of a whole query. */
export function refuseCommon(query: Node): void {
  query.refuse({ aggregation_group_type_index: 'Groups are' })
  const sampling = query.raw('samplingFactor')
  if (sampling !== undefined && sampling !== 1) throw notSupported('Sampling is', query.attr('samplingFactor'))
}

export function readSeries(query: Node, setting: Setting): Series[] {
  const nodes = query.children('series')
  if (nodes.length === 0) throw invalid('At least one series is needed.', query.attr('series'))
  if (nodes.length > MAX_SERIES) throw invalid(`At most ${MAX_SERIES} series are allowed.`, query.attr('series'))
  const shared = readFilter(query, 'properties', setting)
  return nodes.map((node, order) => readEventsNode(node, order, shared, setting))
}

const BREAKDOWN_TYPES = ['event', 'person'] as const

/** The one key, given as text or as a list of one. */
function readKey(filter: Node): string {
  const value = filter.raw('breakdown')
  const key = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (Array.isArray(key)) throw notSupported('Breakdowns by several properties are', filter.attr('breakdown'))
  if (typeof key !== 'string' || key === '') throw invalid('Expected the name of a property.', filter.attr('breakdown'))
  return key
}

export interface ReadBreakdown extends Breakdown {
  hidesOther: boolean
}

export function readBreakdown(query: Node): ReadBreakdown | null {
  const filter = query.child('breakdownFilter')
  filter.refuse({
    breakdown_histogram_bin_count: 'Breakdowns into ranges are',
    breakdown_normalize_url: 'Breakdowns by normalised URLs are',
    breakdown_group_type_index: 'Breakdowns by groups are',
    breakdown_path_cleaning: 'Path cleaning is',
  })
  const several = filter.children('breakdowns')
  if (several.length > 1) throw notSupported('Breakdowns by several properties are', filter.attr('breakdowns'))
  const [first] = several
  first?.refuse({
    histogram_bin_count: 'Breakdowns into ranges are',
    normalize_url: 'Breakdowns by normalised URLs are',
  })
  if (!first && !filter.has('breakdown')) return null
  const of =
    (first ? first.choice('type', BREAKDOWN_TYPES) : filter.choice('breakdown_type', BREAKDOWN_TYPES)) ?? 'event'
  const key = first ? first.text('property') : readKey(filter)
  if (!key) throw invalid('Expected the name of a property.', (first ?? filter).attr('property'))
  const limit = filter.integer('breakdown_limit', { min: 1, max: MAX_BREAKDOWN_LIMIT }) ?? DEFAULT_BREAKDOWN_LIMIT
  return { of, key, limit, hidesOther: filter.isOn('breakdown_hide_other_aggregation') }
}
