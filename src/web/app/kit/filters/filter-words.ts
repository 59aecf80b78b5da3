/** Filters as people say them, and a condition while it is being written. */
import { type Condition, type Filters, type FilterValue, type Group, kindOf, OPERATORS } from './property-filter.ts'

const quoted = (value: FilterValue): string =>
  Array.isArray(value) ? value.map((one) => `“${one}”`).join(' or ') : `“${value}”`

export function conditionInWords({ key, operator, value }: Condition): string {
  const [words] = OPERATORS[operator]
  if (value === undefined || kindOf(operator) === 'none') return `${key} ${words}`
  return words.includes('…')
    ? `${key} ${words.replace('…', `“${value}”`).replace(':', '')}`
    : `${key} ${words} ${quoted(value)}`
}

export function groupInWords({ type, values }: Group): string {
  const parts = values.map((item) => ('values' in item ? `(${groupInWords(item)})` : conditionInWords(item)))
  return parts.join(type === 'AND' ? ' and ' : ' or ')
}

/** Each with what is left without it: what a chip says, and what taking it away leads to. */
export function partsOf(filters: Filters): { words: string; without: Filters }[] {
  if (!Array.isArray(filters)) return [{ words: groupInWords(filters), without: [] }]
  return filters.map((condition, at) => ({
    words: conditionInWords(condition),
    without: filters.filter((_, other) => other !== at),
  }))
}

export interface ConditionDraft extends Pick<Condition, 'key' | 'operator'> {
  type: string
  values: string[]
}

export const draftOf = ({ key, operator, value, type }: Condition, fallbackType: string): ConditionDraft => ({
  key,
  operator,
  type: type ?? fallbackType,
  values: value === undefined ? [] : [value].flat().map(String),
})

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

function comparedWith({ operator, values }: ConditionDraft): FilterValue | undefined {
  const [first = ''] = values
  if (kindOf(operator) === 'number') return isNumber(first) ? Number(first) : undefined
  if (kindOf(operator) === 'list' && values.length > 1) return values
  return first === '' ? undefined : first
}

/** Undefined while something is missing. */
export function conditionOf(draft: ConditionDraft): Condition | undefined {
  const { key, operator, type } = draft
  if (key === '') return undefined
  if (kindOf(operator) === 'none') return { key, operator, type }
  const value = comparedWith(draft)
  return value === undefined ? undefined : { key, operator, value, type }
}
