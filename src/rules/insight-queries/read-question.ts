/**
 * Converts a PostHog query to questions to the event store. What cannot be computed is refused by name; only fields
 * that affect just the drawing of a chart are ignored. `filterTestAccounts` has no effect, because
 * projects have no filters for test accounts.
 */
import { invalid } from '../../lib/errors.ts'
import { cutText } from '../../lib/text/code-points.ts'
import { asksForAll, type Setting } from './date-range.ts'
import { type FunnelsPlan, readFunnels } from './funnels-question.ts'
import { type LifecyclePlan, readLifecycle } from './lifecycle-question.ts'
import { Node } from './query-node.ts'
import { type RetentionPlan, readRetention } from './retention-question.ts'
import { refuseCommon } from './series.ts'
import { readTrends, type TrendsPlan } from './trends-question.ts'

export type Plan = TrendsPlan | FunnelsPlan | RetentionPlan | LifecyclePlan

const READERS = new Map<string, (query: Node, setting: Setting) => Plan>([
  ['TrendsQuery', readTrends],
  ['FunnelsQuery', readFunnels],
  ['RetentionQuery', readRetention],
  ['LifecycleQuery', readLifecycle],
])

const WRAPPER = 'InsightVizNode'

/** The query itself, without its wrapper. */
function innerOf(query: unknown, attr: string): Node {
  const node = new Node(query, attr)
  if (node.text('kind') !== WRAPPER) return node
  if (!node.has('source')) throw invalid('This field is required.', node.attr('source'), 'required')
  return node.child('source')
}

/** Whether `Setting.earliestAt` is needed. */
export const needsEarliest = (query: unknown, attr = 'query'): boolean => asksForAll(innerOf(query, attr))

export function readQuestion(query: unknown, setting: Setting, attr = 'query'): Plan {
  const node = innerOf(query, attr)
  const kind = node.text('kind')
  if (kind === null) throw invalid('This field is required.', node.attr('kind'), 'required')
  const reader = READERS.get(kind)
  if (!reader) {
    const known = [...READERS.keys()].join(', ')
    const detail = `Queries of kind "${cutText(kind, 60)}" are not supported; use one of: ${known}.`
    throw invalid(detail, node.attr('kind'), 'not_supported')
  }
  refuseCommon(node)
  return reader(node, setting)
}
