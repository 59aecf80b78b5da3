/**
 * Validates a value against a schema, with the messages PostHog's clients know: one problem per field, with its
 * code, message and path (`attr`, nested names joined by `__`). Supports the part of JSON Schema
 * that our schemas use. This is the only validation: a value without problems is accepted.
 */

import type { Problem } from '../../lib/errors.ts'
import { isLongerThan } from '../../lib/text/code-points.ts'
import { hasControlCharacters } from '../../lib/text/control-characters.ts'
import { readInstant, WRONG_FORMAT } from '../../lib/time/time.ts'

/** The keywords our schemas use. */
export interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  default?: unknown
  /** A date-time in any of the forms that lib/time/time.ts reads. */
  'x-date-time'?: boolean
  /** The integer id of another object. */
  'x-relation'?: boolean
  /** A name, title or label: stored trimmed; control characters are refused. */
  'x-line'?: boolean
}

/** A list may fill a whole body; an error that repeats all of it is useless. */
const MAX_LIST_PROBLEMS = 20

const PYTHON_NAMES: Record<string, string> = { string: 'str', number: 'int', boolean: 'bool', object: 'dict' }

/** The name of a value's type in PostHog's messages, which are Python's. */
function typeName(value: unknown): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number' && !Number.isInteger(value)) return 'float'
  return PYTHON_NAMES[typeof value] ?? typeof value
}

function wrongType(expected: string | undefined, value: unknown): [code: string, detail: string] | null {
  switch (expected) {
    case 'integer':
      return Number.isInteger(value) ? null : ['invalid_input', 'A valid integer is required.']
    case 'number':
      return typeof value === 'number' ? null : ['invalid_input', 'A valid number is required.']
    case 'boolean':
      return typeof value === 'boolean' ? null : ['invalid_input', 'Must be a valid boolean.']
    case 'string':
      return typeof value === 'string' ? null : ['invalid_input', 'Not a valid string.']
    case 'array':
      return Array.isArray(value) ? null : ['not_a_list', `Expected a list of items but got type "${typeName(value)}".`]
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? null
        : ['not_a_dict', `Expected a dictionary of items but got type "${typeName(value)}".`]
    default:
      return null
  }
}

const UNSEEN = 'This field may not hold control characters, nor characters that change the direction of text.'

/** Checks date-times and relations, which the JSON type alone does not. */
function wrongKind(schema: Schema, value: unknown): [code: string, detail: string] | null {
  if (schema['x-date-time']) {
    return typeof value === 'string' && readInstant(value) !== null ? null : ['invalid_input', WRONG_FORMAT]
  }
  if (!schema['x-relation'] || Number.isInteger(value)) return null
  return ['incorrect_type', `Incorrect type. Expected pk value, received ${typeName(value)}.`]
}

function textBounds(
  { minLength, maxLength, 'x-line': isLine }: Schema,
  value: string,
): [code: string, detail: string] | null {
  if (value.length < (minLength ?? 0)) return ['blank', 'This field may not be blank.']
  // Counted in code points, not in UTF-16 units, of which some characters take two.
  if (maxLength !== undefined && isLongerThan(value, maxLength)) {
    return ['max_length', `Ensure this field has no more than ${maxLength} characters.`]
  }
  return isLine && hasControlCharacters(value) ? ['invalid_input', UNSEEN] : null
}

function numberBounds({ minimum, maximum }: Schema, value: number): [code: string, detail: string] | null {
  if (maximum !== undefined && value > maximum) {
    return ['max_value', `Ensure this value is less than or equal to ${maximum}.`]
  }
  if (minimum === undefined || value >= minimum) return null
  return ['min_value', `Ensure this value is greater than or equal to ${minimum}.`]
}

function outOfBounds(schema: Schema, value: unknown): [code: string, detail: string] | null {
  if (schema.enum && !schema.enum.includes(value)) return ['invalid_choice', `"${value}" is not a valid choice.`]
  if (typeof value === 'string') return textBounds(schema, value)
  if (typeof value === 'number') return numberBounds(schema, value)
  return Array.isArray(value) ? listBounds(schema, value) : null
}

function listBounds(schema: Schema, value: unknown[]): [code: string, detail: string] | null {
  if (value.length < (schema.minItems ?? 0)) return ['empty', 'This list may not be empty.']
  const { maxItems } = schema
  if (maxItems !== undefined && value.length > maxItems) {
    return ['max_length', `Ensure this field has no more than ${maxItems} elements.`]
  }
  return null
}

/** The branch of a nullable schema for values other than null. */
const substance = (schema: Schema): Schema => schema.anyOf?.find((branch) => branch.type !== 'null') ?? schema
const allowsNull = (schema: Schema): boolean =>
  schema.type === 'null' ||
  schema.anyOf?.some((branch) => branch.type === 'null') === true ||
  !('type' in substance(schema))

const join = (path: string | null, name: string | number): string => (path === null ? `${name}` : `${path}__${name}`)

function validateField(schema: Schema, value: unknown, attr: string): Problem[] {
  if (value === null) {
    return allowsNull(schema) ? [] : [{ attr, code: 'null', detail: 'This field may not be null.' }]
  }
  const inner = substance(schema)
  const problem = wrongKind(inner, value) ?? wrongType(inner.type, value) ?? outOfBounds(inner, value)
  if (problem) return [{ attr, code: problem[0], detail: problem[1] }]
  if (Array.isArray(value) && inner.items) {
    const { items } = inner
    return value.flatMap((item, index) => validateField(items, item, join(attr, index))).slice(0, MAX_LIST_PROBLEMS)
  }
  if (inner.properties) return validate(inner, value, attr)
  return []
}

/** All problems of `value` under an object schema, in the order of its fields; empty when there is none. */
export function validate(schema: Schema, value: unknown, path: string | null = null): Problem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const detail = `Invalid data. Expected a dictionary, but got ${typeName(value)}.`
    return [{ attr: path, code: 'invalid_input', detail }]
  }
  const required = new Set(schema.required)
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]): Problem[] => {
    const attr = join(path, name)
    const item = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    if (item !== undefined) return validateField(field, item, attr)
    return required.has(name) ? [{ attr, code: 'required', detail: 'This field is required.' }] : []
  })
}
