/** Parameters that several lists have in common. */
import { invalid } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import { foldCase } from '../../lib/text/case-fold.ts'

/** Each word is a separate condition in the SQL. */
const MAX_WORDS = 20

/** `search`: words between white space and commas, all of which must be found. */
export function searchWords(text: string): string[] {
  const words = [...new Set(text.split(/[\s,]+/).map(foldCase))].filter((word) => word !== '')
  if (words.length > MAX_WORDS) throw invalid(`At most ${MAX_WORDS} words can be searched for.`, 'search')
  return words
}

/** `created_by`: the UUID of a user. */
export function authorUuid(text: string): string {
  const uuid = readUuid(text)
  if (uuid === null) throw invalid('Not a valid UUID.', 'created_by')
  return uuid
}
