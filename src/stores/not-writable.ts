import { OperatorError } from '../lib/errors.ts'

/** What to throw when a folder, named as the beginning of a sentence, could not be made or written. */
export function notWritable(folder: string, cause: unknown): OperatorError {
  const reason = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message
  return new OperatorError(`${folder} cannot be made or written (${reason}).`, cause)
}
