/** The names that clients know for missing and other breakdown values. */
import type { BreakdownValue } from '../../../model/insights/insight-question.ts'

const NONE = '$$_posthog_breakdown_null_$$'
const OTHER = '$$_posthog_breakdown_other_$$'

export function breakdownName(value: BreakdownValue): string {
  if (value.kind === 'value') return value.text
  return value.kind === 'none' ? NONE : OTHER
}
