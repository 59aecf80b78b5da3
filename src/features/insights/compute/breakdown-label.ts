/** The names under which clients know what a breakdown could not tell apart. */
import type { BreakdownValue } from '../../../model/insights/insight-question.ts'

const NONE = '$$_posthog_breakdown_null_$$'
const OTHER = '$$_posthog_breakdown_other_$$'

export function breakdownName(value: BreakdownValue): string {
  if (value.kind === 'value') return value.text
  return value.kind === 'none' ? NONE : OTHER
}
