/** What a kept result is found by, and what tells that it still holds. */
import { createHash } from 'node:crypto'
import type { Project } from '../../../model/accounts/project.ts'
import type { Plan } from '../../../rules/insight-queries/read-question.ts'

/** Raised when the same question gets another answer from a newer server: what is kept of older ones is not found. */
const EDITION = 2

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url')

/** The same value with the keys of its objects in order, as clients write them in any. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return { entries: entries.map(([key, item]) => [key, ordered(item)]) }
}

export const questionKey = (project: Pick<Project, 'timezone'>, query: unknown, edition = EDITION): string =>
  hash([edition, project.timezone, ordered(query)])

/** By what the question means now, in instants, and the version of the data: whatever moves on, moves this. */
export const questionState = (plan: Plan, version: string): string => hash([version, plan])
