/** Values of properties, and the results of conditions on them (docs/filters.md). */
import type { Breakdown, EventSelector } from '../../src/model/insights/insight-question.ts'
import type { PropertyCondition, PropertyFilter } from '../../src/model/persons/person.ts'
import type { Json, World, WorldEvent } from './world.ts'

const LONGEST_BREAKDOWN = 1_000

/** A string as it is, all else as JSON writes it, exponents without a plus; null for what is missing or null. */
function textForm(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number') return JSON.stringify(value).replace('e+', 'e')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A number, or a text that is one in decimal digits, spaces removed. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  const text = value.split(' ').join('')
  const number = /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : null
}

/** Null where there is no value. */
function breakdownText(value: unknown): string | null {
  const text = textForm(value)
  return text ? [...text].slice(0, LONGEST_BREAKDOWN).join('') : null
}

export function breakdownOf(world: World, event: WorldEvent, breakdown: Breakdown): string | null {
  const properties = breakdown.of === 'event' ? event.properties : world.owners.get(event.distinctId)?.properties
  return breakdownText(properties?.[breakdown.key])
}

function equals(value: unknown, wanted: unknown): boolean {
  const text = textForm(value)
  if (text === null) return false
  return text === String(wanted) || (typeof value === 'number' && value === Number(wanted))
}

function compares(value: unknown, test: (number: number) => boolean): boolean {
  const number = numberOf(value)
  return number !== null && test(number)
}

function holds({ key, operator, value }: PropertyCondition, properties: Json): boolean {
  const own = properties[key]
  const text = textForm(own)?.toLowerCase()
  const wanted = Array.isArray(value) ? value : [value]
  const contains = () => wanted.some((part) => text?.includes(String(part).toLowerCase()) === true)
  switch (operator) {
    case 'exact':
      return wanted.some((item) => equals(own, item))
    case 'is_not':
      return !wanted.some((item) => equals(own, item))
    case 'icontains':
      return contains()
    case 'not_icontains':
      return !contains()
    case 'gt':
      return compares(own, (number) => number > Number(value))
    case 'lte':
      return compares(own, (number) => number <= Number(value))
    case 'is_set':
      return key in properties
    case 'is_not_set':
      return !(key in properties)
    default:
      throw new Error(`The oracle does not know ${operator}.`)
  }
}

function fits(world: World, event: WorldEvent, filter: PropertyFilter): boolean {
  if ('join' in filter) {
    const judged = filter.of.map((part) => fits(world, event, part))
    return filter.join === 'AND' ? !judged.includes(false) : judged.includes(true)
  }
  if (filter.type !== 'person') return holds(filter, event.properties)
  return holds(filter, world.owners.get(event.distinctId)?.properties ?? {})
}

export const isMeant = (world: World, event: WorldEvent, { event: name, filter }: EventSelector): boolean =>
  (name === null || event.event === name) && (filter === null || fits(world, event, filter))

/** Texts in the order of their code points. */
export function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
