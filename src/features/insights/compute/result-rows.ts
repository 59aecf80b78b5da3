/** The rows of funnels, retention and lifecycles, in the format of the API. */
import { rounded, runningSums, sumOf } from '../../../lib/numbers/sums.ts'
import { SECOND } from '../../../lib/time/time.ts'
import type {
  BreakdownValue,
  FunnelAnswer,
  InsightStore,
  LifecycleAnswer,
  TrendLine,
} from '../../../model/insights/insight-question.ts'
import type { FunnelStep, InsightResult, LifecycleRow, TrendRow } from '../../../model/insights/insight-result.ts'
import type { FunnelsPlan } from '../../../rules/insight-queries/funnels-question.ts'
import type { LifecyclePlan } from '../../../rules/insight-queries/lifecycle-question.ts'
import type { RetentionPlan } from '../../../rules/insight-queries/retention-question.ts'
import type { TrendLinePlan, TrendsPlan } from '../../../rules/insight-queries/trends-question.ts'

/** The names under which clients know what a breakdown could not tell apart. */
const NONE = '$$_posthog_breakdown_null_$$'
const OTHER = '$$_posthog_breakdown_other_$$'

function breakdownLabel(value: BreakdownValue): string {
  if (value.kind === 'value') return value.text
  return value.kind === 'none' ? NONE : OTHER
}

/** A single series is named by its value of the breakdown alone. */
function labelOf(plan: TrendsPlan, { label }: TrendLinePlan, value: string | null): string {
  if (value === null) return label
  const several = new Set(plan.lines.map((line) => line.action.order)).size > 1
  return several ? `${label} - ${value}` : value
}

function rowOf(plan: TrendsPlan, line: TrendLinePlan, { breakdown, values }: TrendLine): TrendRow {
  const value = breakdown && breakdownLabel(breakdown)
  const data = plan.cumulative ? runningSums(values) : values
  const figures = plan.asOne
    ? { count: values[0] ?? 0, data: [], labels: [], days: [], aggregated_value: values[0] ?? 0 }
    : { count: sumOf(data), data, labels: line.labels, days: line.days }
  return {
    action: line.action,
    label: labelOf(plan, line, value),
    ...figures,
    ...(value === null ? {} : { breakdown_value: value }),
    ...(line.compare ? { compare: true, compare_label: line.compare } : {}),
  }
}

export async function trendResult(store: Pick<InsightStore, 'trend'>, plan: TrendsPlan): Promise<InsightResult> {
  const rows: TrendRow[] = []
  for (const line of plan.lines) {
    const found = await store.trend(line.question)
    const shown = found.filter(({ breakdown }) => !(plan.hidesOther && breakdown?.kind === 'other'))
    rows.push(...shown.map((item) => rowOf(plan, line, item)))
  }
  return { kind: plan.kind, display: plan.display, interval: plan.interval, rows }
}

const inSeconds = (ms: number | null): number | null => (ms === null ? null : rounded(ms / SECOND))

const stepsOf = (plan: FunnelsPlan, answer: FunnelAnswer): FunnelStep[] =>
  plan.steps.map(({ action, label }, order) => {
    const step = answer.steps[order]
    return {
      action_id: action.id,
      name: label,
      custom_name: action.custom_name,
      order,
      count: step?.count ?? 0,
      type: 'events',
      average_conversion_time: inSeconds(step?.averageMs ?? null),
      median_conversion_time: inSeconds(step?.medianMs ?? null),
      ...(answer.breakdown ? { breakdown_value: breakdownLabel(answer.breakdown) } : {}),
    }
  })

export async function funnelResult(store: Pick<InsightStore, 'funnel'>, plan: FunnelsPlan): Promise<InsightResult> {
  const answers = await store.funnel(plan.question)
  const shown = answers.filter(({ breakdown }) => !(plan.hidesOther && breakdown?.kind === 'other'))
  const lists = shown.map((answer) => stepsOf(plan, answer))
  return { kind: plan.kind, rows: plan.question.breakdown ? lists : (lists[0] ?? []) }
}

export async function retentionResult(
  store: Pick<InsightStore, 'retention'>,
  plan: RetentionPlan,
): Promise<InsightResult> {
  const counts = await store.retention(plan.question)
  const label = (place: number) => `${plan.period} ${place}`
  const rows = counts.map((values, place) => ({
    label: label(place),
    date: plan.dates[place] ?? '',
    values: values.map((count, later) => ({ count, label: label(later) })),
  }))
  return { kind: plan.kind, period: plan.period, rows }
}

const ANSWERED: Record<LifecycleRow['status'], keyof LifecycleAnswer> = {
  new: 'fresh',
  returning: 'returning',
  resurrecting: 'resurrecting',
  dormant: 'dormant',
}

export async function lifecycleResult(
  store: Pick<InsightStore, 'lifecycle'>,
  plan: LifecyclePlan,
): Promise<InsightResult> {
  const answer = await store.lifecycle(plan.question)
  const rows = plan.statuses.map((status): LifecycleRow => {
    const counts = answer[ANSWERED[status]]
    // A negative zero would be displayed as "-0".
    const data = status === 'dormant' ? counts.map((count) => (count === 0 ? 0 : -count)) : counts
    return {
      action: plan.action,
      label: `${plan.label} - ${status}`,
      count: sumOf(data),
      data,
      labels: plan.labels,
      days: plan.days,
      status,
    }
  })
  return { kind: plan.kind, interval: plan.interval, rows }
}
