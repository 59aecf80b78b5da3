/** Rows for a statement that takes them as one bound JSON list. */

/** Longer lists are bound in several parts: each is held three times while its statement runs. */
const LONGEST = 1_000_000

/** The rows as JSON lists, in order; none where there are no rows. One row is never divided. */
export function jsonLists(rows: unknown[]): string[] {
  const lists: string[] = []
  let parts: string[] = []
  let length = 0
  for (const row of rows) {
    const text = JSON.stringify(row)
    if (parts.length > 0 && length + text.length > LONGEST) {
      lists.push(`[${parts.join()}]`)
      parts = []
      length = 0
    }
    parts.push(text)
    length += text.length
  }
  if (parts.length > 0) lists.push(`[${parts.join()}]`)
  return lists
}
