/** The list of session ids that a bulk route takes. */
import { invalid } from '../../lib/errors.ts'

const MAX_IDS = 100

/** Each id once, in the order given. */
export function readSessionIds(value: unknown, attr: string): string[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid(`${attr} must be provided as a non-empty array`, attr)
  if (value.length > MAX_IDS) throw invalid(`Cannot process more than ${MAX_IDS} recordings at once`, attr)
  if (!value.every((id) => typeof id === 'string')) throw invalid(`${attr} must hold texts only`, attr)
  return [...new Set(value)]
}
