/** A funnel, one step per row: how many people completed it, their share of the first step, and how long it took them. */
import { breakdownName, funnelGroups, stepName } from '../insight-display/result-text.ts'
import { duration, percent, shortNumber } from '../lib/text/human-format.ts'
import type { FunnelStep } from '../model/insights/insight-result.ts'
import { type BarLine, barLine, moreLine, stacked } from './bar-table-pie.ts'
import { type Frame, type Part, text } from './svg-shapes.ts'

const MAX_STEPS = 12
const MAX_GROUPS = 4

const valueText = (step: FunnelStep, first: FunnelStep | undefined): string =>
  `${shortNumber(step.count)} · ${percent(step.count / (first?.count ?? 0))}`

/** `1.2K dropped off · median time 3m 12s`. */
function betweenText(step: FunnelStep, before: FunnelStep | undefined): string | null {
  if (before === undefined) return null
  const lost = `${shortNumber(before.count - step.count)} dropped off`
  return step.median_conversion_time === null ? lost : `${lost} · median time ${duration(step.median_conversion_time)}`
}

function noteLine(note: string | null, { theme, width }: Frame): Part {
  if (note === null) return { svg: '', height: 6 }
  return { svg: text(note, { size: 12, x: 0, y: 6, max: width, fill: theme.muted }), height: 22 }
}

function single(steps: FunnelStep[], frame: Frame): Part[] {
  return steps.slice(0, MAX_STEPS).flatMap((step, index) => {
    const line: BarLine = {
      name: `${index + 1}. ${stepName(step)}`,
      value: valueText(step, steps[0]),
      share: step.count / (steps[0]?.count ?? 0),
      colour: frame.theme.series[0] ?? frame.theme.text,
    }
    return [barLine(line, frame), noteLine(betweenText(step, steps[index - 1]), frame)]
  })
}

/** By step, and within a step one bar per group. */
function split(groups: FunnelStep[][], frame: Frame): Part[] {
  const { theme, width } = frame
  const steps = groups[0]?.slice(0, MAX_STEPS) ?? []
  return steps.flatMap((step, index) => {
    const name = text(`${index + 1}. ${stepName(step)}`, {
      size: 13,
      bold: true,
      x: 0,
      y: 16,
      max: width,
      fill: theme.text,
    })
    const bars = groups.slice(0, MAX_GROUPS).flatMap((group, place) => {
      const own = group[index]
      if (own === undefined) return []
      const colour = theme.series[place] ?? theme.rest
      const share = own.count / (group[0]?.count ?? 0)
      return [
        barLine(
          { name: breakdownName(own.breakdown_value ?? ''), value: valueText(own, group[0]), share, colour },
          frame,
        ),
      ]
    })
    return [{ svg: name, height: 28 }, ...bars, { svg: '', height: 6 }]
  })
}

export function drawFunnel(rows: FunnelStep[] | FunnelStep[][], frame: Frame): Part {
  const groups = funnelGroups(rows)
  const [first = []] = groups
  const isSplit = first[0]?.breakdown_value !== undefined
  const left = isSplit ? groups.length - MAX_GROUPS : first.length - MAX_STEPS
  return stacked([...(isSplit ? split(groups, frame) : single(first, frame)), moreLine(left, frame)])
}
