/**
 * Reads the query of a recordings list. Lists and objects are JSON in their parameter. A value of the wrong type is
 * refused, and so is a filter that is not supported (actions, texts of console lines, comments): the result of an
 * ignored filter would be taken for the filtered one.
 */
import { invalid } from '../../lib/errors.ts'
import { type Json, parseJsonText } from '../../lib/json/json.ts'
import { DAY } from '../../lib/time/time.ts'
import { readFrom } from '../../rules/filters/list-dates.ts'

/** Longest list of ids; a URL hardly holds more. */
const MAX_IDS = 1_000
/** Most session ids of a bulk route. */
const MAX_BULK_IDS = 100
const DEFAULT_WINDOW = 3 * DAY

/** The value of a JSON parameter; undefined when it is absent, empty or null. */
export function readJson(text: string | undefined, attr: string): Json | undefined {
  if (text === undefined || text.trim() === '') return undefined
  try {
    return parseJsonText(text) ?? undefined
  } catch (cause) {
    throw invalid((cause as Error).message, attr)
  }
}

export function readList(text: string | undefined, attr: string): Json[] | undefined {
  const value = readJson(text, attr)
  if (value === undefined || Array.isArray(value)) return value
  throw invalid('Must be a JSON list.', attr, 'not_a_list')
}

export function readTexts(text: string | undefined, attr: string): string[] | undefined {
  const list = readList(text, attr)
  if (list === undefined) return undefined
  if (!list.every((item) => typeof item === 'string')) throw invalid('Must be a JSON list of texts.', attr)
  const unique = [...new Set(list)]
  if (unique.length > MAX_IDS) throw invalid(`At most ${MAX_IDS} are allowed.`, attr, 'max_length')
  return unique
}

/** The ids that a bulk route is given, each once, in the order given. */
export function readSessionIds(value: unknown, attr: string): string[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid(`${attr} must be provided as a non-empty array`, attr)
  if (value.length > MAX_BULK_IDS) throw invalid(`Cannot process more than ${MAX_BULK_IDS} recordings at once`, attr)
  if (!value.every((id) => typeof id === 'string')) throw invalid(`${attr} must hold texts only`, attr)
  return [...new Set(value)]
}

const saysNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** Parameters for unsupported filters must be empty. */
export function refuseUnanswerable(query: Record<string, unknown>, reasons: Record<string, string>): void {
  for (const [attr, reason] of Object.entries(reasons)) {
    const value = readJson(query[attr] as string | undefined, attr)
    if (!saysNothing(value)) throw invalid(`This cannot be answered: ${reason}`, attr)
  }
}

/** Start of the range; the last three days unless another date, or `all`, is given. */
export const readStart = (text: string | undefined, now: number): number => readFrom(text, now, now - DEFAULT_WINDOW)
