/**
 * Checks a body in two steps and reports both together: its shape by the schema, then further rules for fields of the
 * right shape. Used by handlers of routes whose body is `CheckedInHandler`.
 */
import type { TSchema } from 'typebox'
import { invalidFields, type Problem } from '../../lib/errors.ts'
import { isJsonObject } from '../../lib/json/json.ts'
import { trimLines } from './trim-strings.ts'
import { type Schema, validate } from './validate.ts'

export interface CollectedProblems {
  problems: Problem[]
  /** The fields that the schema names and the body holds in the right shape. */
  sent: Record<string, unknown>
  /** Whether the field's shape is wrong, or it is missing though required. */
  isWrong(field: string): boolean
}

/** `byweekday` of `byweekday__3`. */
const fieldOf = (attr: string | null): string => attr?.split('__')[0] ?? ''

/** Throws at once when the body is not an object: then there are no fields to check. */
export function collectProblems(schema: TSchema, given: unknown): CollectedProblems {
  const body = trimLines(schema as Schema, given)
  const problems = validate(schema as Schema, body)
  if (!isJsonObject(body)) throw invalidFields(problems)
  const wrong = new Set(problems.map((problem) => fieldOf(problem.attr)))
  const names = Object.keys((schema as Schema).properties ?? {})
  const good = names.filter((name) => Object.hasOwn(body, name) && !wrong.has(name))
  return {
    problems,
    sent: Object.fromEntries(good.map((name) => [name, body[name]])),
    isWrong: (field) => wrong.has(field),
  }
}

/** Throws when there is any problem; lists all of them in the order of the schema's fields. */
export function refuseProblems(schema: TSchema, problems: Problem[]): void {
  if (problems.length === 0) return
  const names = Object.keys((schema as Schema).properties ?? {})
  const place = ({ attr }: Problem): number => names.indexOf(fieldOf(attr))
  throw invalidFields([...problems].sort((a, b) => place(a) - place(b)))
}
