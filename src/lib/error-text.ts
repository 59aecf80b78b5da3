/** What an error says, for a row of the store. */
import { cutText } from './text/code-points.ts'

/** Longer errors are cut: the store is not the place for them. */
const MAX_ERROR = 2_000

export const errorText = (error: unknown): string =>
  cutText(error instanceof Error ? error.message : String(error), MAX_ERROR) || 'unknown error'
