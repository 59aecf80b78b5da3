/** The rows of funnels, retention and lifecycles, in the words of the API. */
import { SECOND } from '../../../lib/time/time.ts'
import type { FunnelAnswer, InsightStore, LifecycleAnswer } from '../../../model/insights/insight-question.ts'
import type { FunnelStep, InsightResult, LifecycleRow } from '../../../model/insights/insight-result.ts'
import type { FunnelsPlan } from '../../../rules/insight-queries/funnels-question.ts'
import type { LifecyclePlan } from '../../../rules/insight-queries/lifecycle-question.ts'
import type { RetentionPlan } from '../../../rules/insight-queries/retention-question.ts'
import { breakdownName } from './breakdown-label.ts'

const inSeconds = (ms: number | null): number | null => (ms === null ? null : ms / SECOND)

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
      ...(answer.breakdown ? { breakdown_value: breakdownName(answer.breakdown) } : {}),
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
    // A minus before a zero would be drawn as one.
    const data = status === 'dormant' ? counts.map((count) => (count === 0 ? 0 : -count)) : counts
    return {
      action: plan.action,
      label: `${plan.label} - ${status}`,
      count: data.reduce((sum, value) => sum + value, 0),
      data,
      labels: plan.labels,
      days: plan.days,
      status,
    }
  })
  return { kind: plan.kind, interval: plan.interval, rows }
}
