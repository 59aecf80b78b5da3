/** Names, titles and labels (`Line` in schema.ts) are kept without the white space around them. */
import { isJsonObject } from '../lib/json.ts'
import type { Schema } from './explain.ts'

const isLine = (field: Schema): boolean => field['x-line'] === true || (field.anyOf?.some(isLine) ?? false)

/** The body with its lines trimmed; anything but an object is left as it is, for the check that follows. */
export function trimLines(schema: Schema, body: unknown): unknown {
  if (!isJsonObject(body)) return body
  const lines = Object.entries(schema.properties ?? {}).filter(([, field]) => isLine(field))
  const trimmed = lines.flatMap(([name]) => {
    const text = Object.hasOwn(body, name) ? body[name] : undefined
    return typeof text === 'string' ? [[name, text.trim()]] : []
  })
  return trimmed.length === 0 ? body : { ...body, ...Object.fromEntries(trimmed) }
}
