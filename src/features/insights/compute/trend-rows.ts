/** The rows of a trend: the store's counts in the format of the API. */
import type { InsightStore, TrendLine } from '../../../model/insights/insight-question.ts'
import type { InsightResult, TrendRow } from '../../../model/insights/insight-result.ts'
import type { TrendLinePlan, TrendsPlan } from '../../../rules/insight-queries/trends-question.ts'
import { breakdownName } from './breakdown-label.ts'

function runningSums(values: number[]): number[] {
  let sum = 0
  return values.map((value) => {
    sum += value
    return sum
  })
}

const sumOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)

/** A single series is named by its breakdown value only. */
function labelOf(plan: TrendsPlan, { label }: TrendLinePlan, value: string | null): string {
  if (value === null) return label
  const several = new Set(plan.lines.map((line) => line.action.order)).size > 1
  return several ? `${label} - ${value}` : value
}

function rowOf(plan: TrendsPlan, line: TrendLinePlan, { breakdown, values }: TrendLine): TrendRow {
  const value = breakdown && breakdownName(breakdown)
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
