/**
 * The texts that a search for people looks through, folded once, when they are stored: reading them is several times
 * faster than reading the properties and folding each time. The fold is the project's own (lib/text/case-fold.ts), for
 * the stored text and for what is searched alike.
 */
import { foldCase } from '../lib/text/case-fold.ts'
import type { Properties } from '../model/persons/person.ts'

/**
 * Between the texts of one person. A person whose own texts contain it has no search text, and nothing that contains it
 * is found in one, so that no match spans two of them.
 */
export const SEPARATOR = '\u001f'

/** Longer ones would make the column wide: those persons are searched in their properties. */
const MAX_SEARCH_TEXT = 1_000

/** The properties of a person that a search looks through, besides its uuid and its distinct ids. */
export const SEARCHED_KEYS = ['email', 'name'] as const

/** Strings as they are, all else as JSON; empty for what has no text form. */
function textForm(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const WRITTEN_KEYS = SEARCHED_KEYS.map((key) => `"${key}":`)

/** Of properties as JSON, which are parsed only where one of these keys is in them. Null: they have to be searched. */
export function searchTextOf(json: string): string | null {
  if (!WRITTEN_KEYS.some((key) => json.includes(key))) return ''
  const properties: Properties = JSON.parse(json)
  const texts = SEARCHED_KEYS.map((key) => textForm(properties[key])).filter((text) => text !== '')
  if (texts.reduce((total, text) => total + text.length, 0) > MAX_SEARCH_TEXT) return null
  if (texts.some((text) => text.includes(SEPARATOR))) return null
  return texts.map(foldCase).join(SEPARATOR)
}

/** The distinct id folded; empty when folding does not change it, as with most ids. */
export function foldedIdOf(distinctId: string): string {
  const folded = foldCase(distinctId)
  return folded === distinctId ? '' : folded
}
