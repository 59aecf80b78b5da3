/** Trims names, titles and labels (`Line` in http/schema.ts); in lists of them, white space inside becomes one space. */
import { isJsonObject } from '../../lib/json/json.ts'
import type { Schema } from './validate.ts'

const isLine = (field: Schema): boolean => field['x-line'] === true || (field.anyOf?.some(isLine) ?? false)
const isLineList = ({ items }: Schema): boolean => items !== undefined && isLine(items)

const folded = (item: unknown): unknown => (typeof item === 'string' ? item.trim().replace(/\s+/g, ' ') : item)

/** The trimmed value; undefined when the field is not to be trimmed. */
function trimmedField(field: Schema, value: unknown): unknown {
  if (typeof value === 'string' && isLine(field)) return value.trim()
  return Array.isArray(value) && isLineList(field) ? value.map(folded) : undefined
}

/** The body with its lines trimmed; anything but an object is left as it is, for the validation that follows. */
export function trimLines(schema: Schema, body: unknown): unknown {
  if (!isJsonObject(body)) return body
  const trimmed = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const value = Object.hasOwn(body, name) ? trimmedField(field, body[name]) : undefined
    return value === undefined ? [] : [[name, value]]
  })
  return trimmed.length === 0 ? body : { ...body, ...Object.fromEntries(trimmed) }
}
