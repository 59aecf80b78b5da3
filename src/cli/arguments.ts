/** How commands read the words after their name. */
import { OperatorError } from '../lib/errors.ts'

/** The one thing a command is about. Of several none is taken: the others would be left undone without a word. */
export function onlyArgument([argument, ...more]: string[], needs: string): string {
  if (argument === undefined) throw new OperatorError(needs)
  if (more.length > 0) throw new OperatorError(`${needs} Only one at a time: "${more.join(' ')}" is too much.`)
  return argument
}
