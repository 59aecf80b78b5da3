/** From when on, and until when: a few usual ranges, or two times of one's own. */

export const RANGES: readonly (readonly [after: string, name: string])[] = [
  ['', 'Any time'],
  ['-1h', 'Last hour'],
  ['-24h', 'Last 24 hours'],
  ['-7d', 'Last 7 days'],
  ['-30d', 'Last 30 days'],
]

/** The choice that is not in the list. */
export const OWN = 'own'

export const rangeOf = (after: string, before: string): string =>
  before === '' && RANGES.some(([known]) => known === after) ? after : OWN

const two = (part: number): string => String(part).padStart(2, '0')

/** For a field of a date and a time, which are those of the browser's zone; empty for what is no instant. */
export function localText(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** As the API takes it; empty for none. */
export function instantOf(local: string): string {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/** Of a filter, in words: `in the last 7 days`, `after 2026-05-01T10:00:00.000Z`. */
export function rangeInWords(after: string, before: string): string {
  const known = RANGES.find(([one]) => one === after && one !== '')
  const from = known ? known[1].toLowerCase() : after && `after ${after}`
  return [from, before && `before ${before}`].filter(Boolean).join(', ')
}
