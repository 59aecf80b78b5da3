/** Parses the arguments of commands. */
import type { TSchema } from 'typebox'
import { collectProblems, refuseProblems } from '../http/input/collect-problems.ts'
import { AppError, OperatorError } from '../lib/errors.ts'

/** The single argument of a command. Several are refused, so that none is silently ignored. */
export function onlyArgument([argument, ...more]: string[], needs: string): string {
  if (argument === undefined) throw new OperatorError(needs)
  if (more.length > 0) throw new OperatorError(`${needs} Only one at a time: "${more.join(' ')}" is too much.`)
  return argument
}

/** The fields as the API would read them from a body; throws the API's error. */
export function inShape<T extends object>(schema: TSchema, fields: T): T {
  const { problems, sent } = collectProblems(schema, fields)
  refuseProblems(schema, problems)
  return sent as T
}

/** Runs a rule of the API; an error about a field names the option that the field comes from. */
export async function asOptions<T>(options: Record<string, string>, rule: () => T | Promise<T>): Promise<T> {
  try {
    return await rule()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const option = options[error.attr?.split('__')[0] ?? '']
    throw new OperatorError(option === undefined ? error.message : `${option}: ${error.message}`, error)
  }
}
