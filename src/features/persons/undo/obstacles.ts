/** What stands in the way of undoing an entry, in words: each names what it is about. */
import { type AppError, conflict } from '../../../lib/errors.ts'
import { cutText } from '../../../lib/text/code-points.ts'

const NAMED_AT_MOST = 20
/** Characters of each. */
const SHOWN_OF_NAME = 200

function named(names: string[]): string {
  const some = names.slice(0, NAMED_AT_MOST).map((name) => `'${cutText(name, SHOWN_OF_NAME)}'`)
  return `${some.join(', ')}${names.length > some.length ? ', …' : ''}`
}

export const alreadyUndone = (): AppError => conflict('This was undone already.')
export const notUndoable = (activity: string): AppError =>
  conflict(`Entries of this kind (${activity}) cannot be undone.`)
export const madeByCapture = (): AppError => conflict('This merge was made by an event: such merges cannot be undone.')
export const nothingKept = (): AppError =>
  conflict('Nothing is kept to undo it: it is of an earlier version, or about too many ids or changes.')
export const keptErased = (): AppError =>
  conflict('A person that it is about was deleted, and what undoing needs with it.')
export const personDeleted = (): AppError => conflict('The person was deleted.')
export const personMerged = (): AppError => conflict('The person was merged into another one since.')
export const idsMovedOn = (ids: string[]): AppError =>
  conflict(`These distinct ids have moved on since: ${named(ids)}.`)
export const idsCame = (ids: string[]): AppError =>
  conflict(`Persons that were split off have got other distinct ids since: ${named(ids)}.`)
export const valuesChanged = (keys: string[]): AppError =>
  conflict(`These properties have changed since: ${named(keys)}.`)
export const valuesDiffer = (keys: string[]): AppError =>
  conflict(`Persons that were split off have got other values since: ${named(keys)}. Merge them instead.`)
export const uuidTaken = (uuid: string): AppError => conflict(`Another person has the UUID ${uuid} by now.`)
export const tooLarge = (): AppError => conflict('With the earlier values its properties would be too large.')
