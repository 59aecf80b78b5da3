/**
 * `console_log_filters` of a list: conditions on one line of the console. Lines are counted by level and not stored, so
 * only their level can be filtered; all filters apply to the same line, as in PostHog.
 */
import { type AppError, invalid } from '../../lib/errors.ts'
import { isJsonObject, type Json } from '../../lib/json/json.ts'
import { cutText } from '../../lib/text/code-points.ts'
import type { ConsoleLevel, RecordingCondition } from '../../model/recordings/recording.ts'

const ATTR = 'console_log_filters'
const MAX_FILTERS = 100
const KEYS: unknown[] = ['level', 'console_log_level']
const ALL: ConsoleLevel[] = ['info', 'warn', 'error']

/** `console.log` writes lines of level info. */
const LEVELS = new Map<unknown, ConsoleLevel>([...ALL.map((level) => [level, level] as const), ['log', 'info']])

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? `'${cutText(value, 40)}'` : 'this')

/** The levels that a line may have under this filter. */
function readFilter(item: Json, refuse: (detail: string) => AppError): ConsoleLevel[] {
  if (!isJsonObject(item)) throw refuse('a filter must be an object.')
  const { type, key, operator, value } = item
  if ((type ?? 'log_entry') !== 'log_entry') throw refuse(`filters of type ${textOf(type)} are not supported here.`)
  if (!KEYS.includes(key)) {
    throw refuse(`${textOf(key)} cannot be asked for: console lines are counted by level, not kept.`)
  }
  const negated = operator === 'is_not'
  if (!negated && (operator ?? 'exact') !== 'exact') throw refuse('a level is compared by exact or is_not.')
  const named = (Array.isArray(value) ? value : [value]).map((one) => LEVELS.get(one))
  if (named.length === 0 || named.includes(undefined)) throw refuse(`value must be one or more of ${ALL.join(', ')}.`)
  return ALL.filter((level) => named.includes(level) !== negated)
}

/** Empty when no filter is given. */
export function readConsoleLevels(items: Json[], operand: 'AND' | 'OR'): RecordingCondition[] {
  if (items.length === 0) return []
  if (items.length > MAX_FILTERS) throw invalid(`At most ${MAX_FILTERS} filters are allowed.`, ATTR)
  const filters = items.map((item, index) =>
    readFilter(item, (detail) => invalid(`${ATTR}[${index}]: ${detail}`, ATTR)),
  )
  const fits = (level: ConsoleLevel) =>
    operand === 'AND'
      ? filters.every((levels) => levels.includes(level))
      : filters.some((levels) => levels.includes(level))
  return [{ consoleLevels: ALL.filter(fits) }]
}
