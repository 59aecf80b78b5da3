/** `having_predicates` of a list: comparisons with the counters of a recording. */
import { type AppError, invalid } from '../../lib/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json.ts'
import { cutText } from '../../lib/text/code-points.ts'
import { readNumeric } from '../../lib/text/numeric.ts'
import type { RecordingCondition, RecordingMeasure } from '../../model/recordings/recording.ts'

const ATTR = 'having_predicates'
const MAX_PREDICATES = 100

const MEASURES: Record<string, RecordingMeasure> = {
  duration: 'recording_duration',
  recording_duration: 'recording_duration',
  active_seconds: 'active_seconds',
  inactive_seconds: 'inactive_seconds',
  click_count: 'click_count',
  keypress_count: 'keypress_count',
  mouse_activity_count: 'mouse_activity_count',
  console_log_count: 'console_log_count',
  console_warn_count: 'console_warn_count',
  console_error_count: 'console_error_count',
  activity_score: 'activity_score',
}

const COMPARISONS = { exact: '=', is_not: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
type Operator = keyof typeof COMPARISONS

const refuse = (index: number, detail: string): AppError => invalid(`${ATTR}[${index}]: ${detail}`, ATTR)
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? `'${cutText(value, 40)}'` : 'this')

/** Clients wrap single values in a list. */
function readNumber(value: Json | undefined): number | null {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (typeof one === 'number') return one
  return typeof one === 'string' ? readNumeric(one) : null
}

function readSource(operator: Operator, value: Json | undefined, index: number): RecordingCondition {
  const source = Array.isArray(value) ? value : [value]
  if (operator !== 'exact' && operator !== 'is_not') throw refuse(index, 'a source is compared by exact or is_not.')
  if (!source.every((item) => typeof item === 'string')) throw refuse(index, 'value must be text or a list of texts.')
  return { source: source as string[], negated: operator === 'is_not' }
}

function readPredicate(item: JsonObject, index: number): RecordingCondition {
  const { type = 'recording', key, operator = 'exact', value } = item
  if (type !== 'recording') throw refuse(index, `filters of type ${textOf(type)} are not supported here.`)
  if (typeof operator !== 'string' || !Object.hasOwn(COMPARISONS, operator)) {
    throw refuse(index, `unknown operator; it must be one of ${Object.keys(COMPARISONS).join(', ')}.`)
  }
  const known = operator as Operator
  if (key === 'snapshot_source') return readSource(known, value, index)
  const measure = typeof key === 'string' && Object.hasOwn(MEASURES, key) ? MEASURES[key] : undefined
  if (!measure) throw refuse(index, `recordings cannot be compared by ${textOf(key)}.`)
  const number = readNumber(value)
  if (number === null) throw refuse(index, 'value must be a number.')
  return { measure, comparison: COMPARISONS[known], value: number }
}

export function readHaving(items: Json[]): RecordingCondition[] {
  if (items.length > MAX_PREDICATES) throw invalid(`At most ${MAX_PREDICATES} predicates are allowed.`, ATTR)
  return items.map((item, index) => {
    if (!isJsonObject(item)) throw refuse(index, 'a predicate must be an object.')
    return readPredicate(item, index)
  })
}
