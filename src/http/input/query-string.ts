/**
 * Query strings, read by the schema that documents them: integers, booleans (true/false/1/0 in any case, the
 * bare name is true), choices and text. Unknown parameters are ignored; if one is repeated, the last counts.
 */
import { parse } from 'node:querystring'
import { invalidFields, malformed, type Problem } from '../../lib/errors.ts'
import { isStorable } from '../../lib/json/json.ts'
import type { Schema } from './validate.ts'
import { validate } from './validate.ts'

const TRUE = /^(?:true|1)$/i
const FALSE = /^(?:false|0)$/i

/** The value of a parameter given by its name alone, without `=`. */
const BARE = true
const MALFORMED = Symbol('malformed')
const BARE_NAME = /(?:^|&)([^=&]+)(?=&|$)/g

const decodes = (text: string): boolean => {
  try {
    // A percent sign that begins no escape is literal.
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'))
    return true
  } catch {
    return false
  }
}

/** Fastify's query parser: distinguishes a bare name from an empty value, and marks bytes that are not UTF-8. */
export function parseQueryString(text: string): Record<string, unknown> {
  if (text === '') return {}
  const values: Record<string | symbol, unknown> = { ...parse(text) }
  for (const [, name = ''] of text.matchAll(BARE_NAME)) {
    const [key = ''] = Object.keys(parse(name))
    if (values[key] === '') values[key] = BARE
  }
  if (text.includes('%') && !decodes(text)) values[MALFORMED] = true
  return values
}

/** The value converted to its type, or the text itself if that is impossible: validate then reports it. */
function coerce(schema: Schema, text: string): unknown {
  if (schema.type === 'integer') return /^[+-]?\d{1,300}$/.test(text.trim()) ? Number(text) : text
  if (schema.type === 'boolean') {
    if (TRUE.test(text)) return true
    if (FALSE.test(text)) return false
  }
  return text
}

/** The value of one parameter; undefined when it is not given and has no default. */
function readParameter(field: Schema, given: unknown): unknown {
  const last = Array.isArray(given) ? given.at(-1) : given
  if (last === BARE) return field.type === 'boolean' ? true : coerce(field, '')
  if (typeof last !== 'string') return field.default
  // An empty choice means "not given", as in a form.
  if (last === '' && field.enum) return field.default
  return coerce(field, last)
}

/** Typed values of the parameters that `schema` names; throws with every problem found. */
export function readQuery(schema: Schema, raw: Record<string, unknown>): Record<string, unknown> {
  if (MALFORMED in raw) throw malformed('The query string is not valid UTF-8.')
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
  problems.push(...validate(schema, values))
  if (problems.length > 0) throw invalidFields(problems)
  return values
}
