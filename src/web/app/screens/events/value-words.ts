/** Values of properties, as short as they have to be: an event may have a megabyte. */

const LONGEST = 120

const count = (number: number, one: string): string => `${number} ${number === 1 ? one : `${one}s`}`

/** For a cell. Objects are told by their size alone, as writing them out may take long. */
export function shortValue(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  if (Array.isArray(value)) return `[${count(value.length, 'item')}]`
  if (typeof value === 'object' && value !== null) return `{${count(Object.keys(value).length, 'field')}}`
  return JSON.stringify(value)
}

/** As the API writes it; text without quotes. */
export const wholeValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

/** Properties whose name or, where it is text, value contains the words, by name. */
export function matchingProperties(properties: Readonly<Record<string, unknown>>, words: string): string[] {
  const wanted = words.trim().toLowerCase()
  const names = Object.keys(properties).sort((a, b) => a.localeCompare(b, 'en'))
  if (wanted === '') return names
  return names.filter((name) => {
    const value = properties[name]
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    return name.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted)
  })
}
