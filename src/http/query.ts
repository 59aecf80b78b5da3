/**
 * Query strings, read by the schema that documents them: integers, booleans (true/false/1/0 in any case, the
 * bare name is true), choices and text. Unknown parameters are ignored; of a repeated one the last counts.
 */
import { invalidFields, type Problem } from '../lib/errors.ts'
import { isStorable } from '../lib/json.ts'
import type { Schema } from './explain.ts'
import { explain } from './explain.ts'

const TRUE = /^(?:true|1|)$/i
const FALSE = /^(?:false|0)$/i

/** The value of its type, or the text itself when it is none: explain then says what is wrong. */
function coerce(schema: Schema, text: string): unknown {
  if (schema.type === 'integer') return /^[+-]?\d{1,300}$/.test(text.trim()) ? Number(text) : text
  if (schema.type === 'boolean') {
    if (TRUE.test(text)) return true
    if (FALSE.test(text)) return false
  }
  return text
}

/** What one parameter says; undefined when it says nothing. */
function readParameter(field: Schema, given: unknown): unknown {
  const last = Array.isArray(given) ? given.at(-1) : given
  if (typeof last !== 'string') return field.default
  // An empty number or choice means "not given", as in a form; only a boolean's bare name says something.
  if (last === '' && (field.type === 'integer' || field.enum)) return field.default
  return coerce(field, last)
}

/** Typed values of the parameters that `schema` names; throws with every problem found. */
export function readQuery(schema: Schema, raw: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = readParameter(field, Object.hasOwn(raw, name) ? raw[name] : undefined)
    if (value === undefined) continue
    values[name] = value
    if (typeof value === 'string' && !isStorable(value)) {
      problems.push({ attr: name, code: 'invalid_input', detail: 'Text must not contain NUL or lone surrogates.' })
    }
  }
  problems.push(...explain(schema, values))
  if (problems.length > 0) throw invalidFields(problems)
  return values
}
