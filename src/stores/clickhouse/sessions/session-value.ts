/** What conditions ask of a session property, given the SQL of its value. */
import { MAX_SHORT_TEXT } from '../../property-filter.ts'
import { BOUNCE } from '../../sessions/session-properties.ts'
import type { PropertyValue } from '../properties/property-sql.ts'
import { text as textLiteral } from '../values/literal.ts'
import { STRING_MARK } from '../values/property-arrays.ts'
import { DATES, NUMBERS } from './session-table.ts'

const DECIMAL = String.raw`^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$`

/** SQL of the number that a text contains, with spaces removed; NaN: none. */
function numberIn(text: string): string {
  const bare = `replaceAll(${text}, ' ', '')`
  const isNumber = `length(${bare}) <= ${MAX_SHORT_TEXT} AND match(${bare}, ${textLiteral(DECIMAL)})`
  return `if(${isNumber} AND isFinite(toFloat64OrZero(${bare})), toFloat64OrZero(${bare}), nan)`
}

/** Of a text; empty: none. */
const ofText = (text: string): PropertyValue => ({
  value: `if(${text} = '', '', concat(${textLiteral(STRING_MARK)}, ${text}))`,
  isSet: `${text} != ''`,
  hasText: `${text} != ''`,
  text,
  isNumber: '0',
  number: numberIn(text),
  instant: 'nan',
})

/** Of a number; NaN: none. */
const ofNumber = (number: string): PropertyValue => ({
  value: `if(isNaN(${number}), '', toString(${number}))`,
  isSet: `isNaN(${number}) = 0`,
  hasText: `isNaN(${number}) = 0`,
  text: `toString(${number})`,
  isNumber: `isNaN(${number}) = 0`,
  number: `toFloat64(${number})`,
  instant: 'nan',
})

/** Of an instant, which nothing but its milliseconds is asked of. */
const ofInstant = (micros: string): PropertyValue => ({
  value: "''",
  isSet: '1',
  hasText: '0',
  text: "''",
  isNumber: '0',
  number: 'nan',
  instant: `${micros} / 1000`,
})

/** Of a boolean as it is listed: `1` or `0`; empty: none. */
function ofBoolean(listed: string): PropertyValue {
  const value = `multiIf(${listed} = '1', 'true', ${listed} = '0', 'false', '')`
  return { ...ofText(value), value }
}

/** `column`: SQL of the property as the tables of session-table.ts have it. */
export function sessionValue(key: string, column: string): PropertyValue {
  if (DATES.has(key)) return ofInstant(column)
  if (NUMBERS.has(key)) return ofNumber(`toFloat64(${column})`)
  return key === BOUNCE ? ofBoolean(column) : ofText(column)
}
