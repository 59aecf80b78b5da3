/** What a session is computed from, as a list of texts with each of its events, so that no session query reads whole events. */
import { SESSION_PROPERTIES } from '../../sessions/session-properties.ts'
import type { PropertyLists } from '../values/property-arrays.ts'

/** In UTF-16 units, of all texts of an event together. */
const MAX_TEXTS = 8_192

/** In the order of `SESSION_PROPERTIES`; what is not there or too long is empty, or left out at the end. */
export function sessionTexts({ keys, values, texts: found }: PropertyLists): string[] {
  const texts: string[] = []
  let length = 0
  for (const [place, name] of SESSION_PROPERTIES.entries()) {
    const at = keys.indexOf(name)
    const text = found[at]
    if (text === undefined || values[at] === null || text === '' || length + text.length > MAX_TEXTS) continue
    length += text.length
    while (texts.length < place) texts.push('')
    texts.push(text)
  }
  return texts
}
