/** The key of a cached result, and the state that shows whether it is still valid. */
import { createHash } from 'node:crypto'
import type { Project } from '../../../model/accounts/project.ts'
import type { Plan } from '../../../rules/insight-queries/read-question.ts'

/** Raised when a newer server answers the same question differently: older cached results are then not found. */
const EDITION = 2

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url')

/** The same value with the keys of its objects sorted, as clients write them in any order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return { entries: entries.map(([key, item]) => [key, ordered(item)]) }
}

export const questionKey = (project: Pick<Project, 'timezone'>, query: unknown, edition = EDITION): string =>
  hash([edition, project.timezone, ordered(query)])

/** The meaning of the question now, in instants, and the version of the data: when either changes, this changes. */
export const questionState = (plan: Plan, version: string): string => hash([version, plan])
