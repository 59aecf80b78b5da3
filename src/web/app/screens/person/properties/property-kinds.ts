/** The kinds of values that a property may have, and what stands in the field of each. */

export const KINDS = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['boolean', 'Yes or no'],
  ['json', 'List or object'],
  ['nothing', 'Nothing (null)'],
] as const

export type Kind = (typeof KINDS)[number][0]

export function kindOfValue(value: unknown): Kind {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'json'
}

/** What the field shows first. */
export function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** What of a text another kind can take over. */
export const textForKind = (text: string, kind: Kind): string =>
  kind === 'boolean' ? String(text === 'true') : kind === 'nothing' ? '' : text

function readNumber(text: string): { value: number } | null {
  const value = Number(text)
  return text.trim() === '' || !Number.isFinite(value) ? null : { value }
}

function readJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/** Null when the text is none of this kind. */
export function readAs(kind: Kind, text: string): { value: unknown } | null {
  if (kind === 'text') return { value: text }
  if (kind === 'number') return readNumber(text)
  if (kind === 'boolean') return { value: text === 'true' }
  return kind === 'nothing' ? { value: null } : readJson(text)
}
