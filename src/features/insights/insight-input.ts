/**
 * Reads a body into the fields of an insight. All problems are reported at once, those of the query's parts included.
 */
import { collectProblems, refuseProblems } from '../../http/input/collect-problems.ts'
import type { Problem } from '../../lib/errors.ts'
import type { Insight } from '../../model/insights/insight.ts'
import { cleanTags } from '../../rules/insights/insight-fields.ts'
import { InsightInputBody } from './insights.schema.ts'
import { queryProblems } from './query-shape.ts'

/** What a caller may set on the insight itself. */
export type Editable = Pick<
  Insight,
  'name' | 'derivedName' | 'description' | 'query' | 'filters' | 'order' | 'deleted' | 'favorited' | 'tags'
>

const FIELDS: Record<string, keyof Editable> = {
  name: 'name',
  derived_name: 'derivedName',
  description: 'description',
  query: 'query',
  filters: 'filters',
  order: 'order',
  deleted: 'deleted',
  favorited: 'favorited',
  tags: 'tags',
}

export interface InsightInput {
  fields: Partial<Editable>
  /** All dashboards it is to be on; undefined: unchanged. */
  dashboardIds: number[] | undefined
}

const unknownDashboards = async (ids: number[], has: (id: number) => Promise<boolean>): Promise<Problem[]> => {
  const problems: Problem[] = []
  for (const id of ids) {
    if (await has(id)) continue
    const detail = `Invalid pk "${id}" - object does not exist.`
    problems.push({ attr: 'dashboards', code: 'does_not_exist', detail })
  }
  return problems
}

/** `hasDashboard`: whether the project has it, not deleted. */
export async function readInsight(
  body: unknown,
  hasDashboard: (id: number) => Promise<boolean>,
): Promise<InsightInput> {
  const { problems, sent } = collectProblems(InsightInputBody, body)
  const dashboardIds = sent.dashboards as number[] | null | undefined
  const wanted = dashboardIds === undefined ? undefined : [...new Set(dashboardIds ?? [])]
  refuseProblems(InsightInputBody, [
    ...problems,
    ...(sent.query === undefined || sent.query === null ? [] : queryProblems(sent.query)),
    ...(await unknownDashboards(wanted ?? [], hasDashboard)),
  ])
  const named = Object.entries(FIELDS).filter(([wire]) => Object.hasOwn(sent, wire))
  const fields: Partial<Editable> = Object.fromEntries(named.map(([wire, field]) => [field, sent[wire]]))
  return { fields: fields.tags ? { ...fields, tags: cleanTags(fields.tags) } : fields, dashboardIds: wanted }
}
