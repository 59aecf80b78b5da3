/** How commands read the words after their name. */
import type { TSchema } from 'typebox'
import { collectProblems, refuseProblems } from '../http/input/collect-problems.ts'
import { AppError, OperatorError } from '../lib/errors.ts'

/** The one thing a command is about. Of several none is taken: the others would be left undone without a word. */
export function onlyArgument([argument, ...more]: string[], needs: string): string {
  if (argument === undefined) throw new OperatorError(needs)
  if (more.length > 0) throw new OperatorError(`${needs} Only one at a time: "${more.join(' ')}" is too much.`)
  return argument
}

/** What the API would make of these fields of a body; throws what the API would answer. */
export function inShape<T extends object>(schema: TSchema, fields: T): T {
  const { problems, sent } = collectProblems(schema, fields)
  refuseProblems(schema, problems)
  return sent as T
}

/** Runs a rule of the API; what it has against a field is told of the option that the field comes from. */
export async function asOptions<T>(options: Record<string, string>, rule: () => T | Promise<T>): Promise<T> {
  try {
    return await rule()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const option = options[error.attr?.split('__')[0] ?? '']
    throw new OperatorError(option === undefined ? error.message : `${option}: ${error.message}`, error)
  }
}
