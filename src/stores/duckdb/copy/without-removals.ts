/** Copies of rows that may be removed meanwhile. */
import type { Parts } from '../progress.ts'

/**
 * Makes a copy; `attempt` gives null when rows were removed meanwhile. Then it is made once more while removals wait, so
 * that neither waits for the other without end.
 */
export async function copied<T>({ removing }: Parts, attempt: () => Promise<T | null>): Promise<T> {
  const made = (await attempt()) ?? (await removing(attempt))
  if (made === null) throw new Error('Rows were removed while removals waited.')
  return made
}
