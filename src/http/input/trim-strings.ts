/** Names, titles and labels (`Line` in http/schema.ts) are kept without the white space around them; in lists, on one line. */
import { isJsonObject } from '../../lib/json/json.ts'
import type { Schema } from './validate.ts'

const isLine = (field: Schema): boolean => field['x-line'] === true || (field.anyOf?.some(isLine) ?? false)
const isLineList = ({ items }: Schema): boolean => items !== undefined && isLine(items)

const folded = (item: unknown): unknown => (typeof item === 'string' ? item.trim().replace(/\s+/g, ' ') : item)

/** As the field is kept; undefined when there is nothing to do. */
function trimmedField(field: Schema, value: unknown): unknown {
  if (typeof value === 'string' && isLine(field)) return value.trim()
  return Array.isArray(value) && isLineList(field) ? value.map(folded) : undefined
}

/** The body with its lines trimmed; anything but an object is left as it is, for the check that follows. */
export function trimLines(schema: Schema, body: unknown): unknown {
  if (!isJsonObject(body)) return body
  const trimmed = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const value = Object.hasOwn(body, name) ? trimmedField(field, body[name]) : undefined
    return value === undefined ? [] : [[name, value]]
  })
  return trimmed.length === 0 ? body : { ...body, ...Object.fromEntries(trimmed) }
}
