/**
 * Whether an insight's query has a shape that can be computed or shown later: a known kind with the parts that kind
 * requires. All problems are reported. Nothing is changed: unknown fields and values stay as given.
 */
import type { Problem } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { cutText } from '../../lib/text/code-points.ts'

type Check = (node: JsonObject, path: string) => Problem[]

const problem = (attr: string, detail: string, code = 'invalid_input'): Problem => ({ attr, code, detail })

const missing = (attr: string): Problem => problem(attr, 'This field is required.', 'required')

/** Null and absent both mean that the field is not used. */
const isUnused = (value: unknown): boolean => value === undefined || value === null

function kindProblems(node: JsonObject, path: string, kinds: readonly string[]): Problem[] {
  const { kind } = node
  const attr = `${path}__kind`
  if (isUnused(kind)) return [missing(attr)]
  if (typeof kind !== 'string') return [problem(attr, 'Not a valid string.')]
  return kinds.includes(kind) ? [] : [problem(attr, `"${cutText(kind, 100)}" is not a valid choice.`, 'invalid_choice')]
}

/** The named fields must hold an object where they are used; `needed` ones are required. */
function objectProblems(node: JsonObject, path: string, names: string[], needed = false): Problem[] {
  return names.flatMap((name) => {
    const value = node[name]
    if (isUnused(value)) return needed ? [missing(`${path}__${name}`)] : []
    return isJsonObject(value) ? [] : [problem(`${path}__${name}`, 'Expected an object.')]
  })
}

const MAX_SERIES = 100
const SERIES_KINDS = ['EventsNode', 'ActionsNode', 'DataWarehouseNode', 'GroupNode']

function seriesItemProblems(item: unknown, path: string): Problem[] {
  if (!isJsonObject(item)) return [problem(path, 'Expected an object.')]
  const wrongKind = kindProblems(item, path, SERIES_KINDS)
  if (wrongKind.length > 0) return wrongKind
  if (item.kind === 'EventsNode' && !isUnused(item.event) && typeof item.event !== 'string') {
    return [problem(`${path}__event`, 'Not a valid string.')]
  }
  if (item.kind === 'ActionsNode' && !Number.isInteger(item.id)) {
    return [problem(`${path}__id`, 'A valid integer is required.')]
  }
  return item.kind === 'GroupNode' ? listProblems(item, path, 'nodes') : []
}

function listProblems(node: JsonObject, path: string, name: string): Problem[] {
  const attr = `${path}__${name}`
  const list = node[name]
  if (isUnused(list)) return [missing(attr)]
  if (!Array.isArray(list)) return [problem(attr, 'Expected a list of items.', 'not_a_list')]
  if (list.length > MAX_SERIES)
    return [problem(attr, `Ensure this field has no more than ${MAX_SERIES} elements.`, 'max_length')]
  return list.flatMap((item, index) => seriesItemProblems(item, `${attr}__${index}`))
}

const INTERVALS = ['second', 'minute', 'hour', 'day', 'week', 'month']

/** What all insight queries share. */
function commonProblems(node: JsonObject, path: string): Problem[] {
  const { interval, properties } = node
  const wrongProperties = !isUnused(properties) && !Array.isArray(properties) && !isJsonObject(properties)
  const wrongInterval = !isUnused(interval) && !(typeof interval === 'string' && INTERVALS.includes(interval))
  return [
    ...objectProblems(node, path, ['dateRange', 'breakdownFilter', 'compareFilter']),
    ...(wrongInterval
      ? [problem(`${path}__interval`, `Must be one of: ${INTERVALS.join(', ')}.`, 'invalid_choice')]
      : []),
    ...(wrongProperties ? [problem(`${path}__properties`, 'Expected a list or an object.')] : []),
  ]
}

const withSeries =
  (filter: string): Check =>
  (node, path) => [
    ...listProblems(node, path, 'series'),
    ...commonProblems(node, path),
    ...objectProblems(node, path, [filter]),
  ]

const withFilter =
  (filter: string): Check =>
  (node, path) => [...objectProblems(node, path, [filter], true), ...commonProblems(node, path)]

const hogQL: Check = ({ query }, path) => {
  if (isUnused(query)) return [missing(`${path}__query`)]
  if (typeof query !== 'string') return [problem(`${path}__query`, 'Not a valid string.')]
  return query.trim() === '' ? [problem(`${path}__query`, 'This field may not be blank.', 'blank')] : []
}

const INSIGHT_QUERIES = new Map<string, Check>([
  ['TrendsQuery', withSeries('trendsFilter')],
  ['FunnelsQuery', withSeries('funnelsFilter')],
  ['StickinessQuery', withSeries('stickinessFilter')],
  ['LifecycleQuery', withSeries('lifecycleFilter')],
  ['RetentionQuery', withFilter('retentionFilter')],
  ['PathsQuery', withFilter('pathsFilter')],
])

/** A node around another one; the inner one is of these kinds, or of any kind when `inner` is null. */
const around =
  (inner: ReadonlyMap<string, Check> | null): Check =>
  (node, path) => {
    const { source } = node
    const attr = `${path}__source`
    if (isUnused(source)) return [missing(attr)]
    if (!isJsonObject(source)) return [problem(attr, 'Expected an object.')]
    return inner === null ? anyKindProblems(source, attr) : nodeProblems(source, attr, inner)
  }

/**
 * Table rows come from many kinds of query: known ones are checked, others are stored for the client that made them.
 */
function anyKindProblems(node: JsonObject, path: string): Problem[] {
  return typeof node.kind === 'string' && !STORED.has(node.kind) ? [] : nodeProblems(node, path, STORED)
}

function nodeProblems(node: JsonObject, path: string, kinds: ReadonlyMap<string, Check>): Problem[] {
  const wrongKind = kindProblems(node, path, [...kinds.keys()])
  const check = kinds.get(String(node.kind))
  return wrongKind.length > 0 || check === undefined ? wrongKind : check(node, path)
}

const STORED = new Map<string, Check>([
  ...INSIGHT_QUERIES,
  ['HogQLQuery', hogQL],
  ['InsightVizNode', around(INSIGHT_QUERIES)],
  ['DataVisualizationNode', around(new Map([['HogQLQuery', hogQL]]))],
  ['DataTableNode', around(null)],
])

/** All problems of a query, each under its path joined by `__`; empty when it may be stored. */
export function queryProblems(query: unknown, attr = 'query'): Problem[] {
  if (!isJsonObject(query)) return [problem(attr, 'Expected an object.')]
  return nodeProblems(query, attr, STORED)
}
