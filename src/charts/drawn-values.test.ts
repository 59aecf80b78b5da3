/**
 * What a picture shows is what its option says, which screens draw too, and what the table of the same result says:
 * names, colours, and values, which are measured in the drawing by its own axis.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { samples } from '../../test/support/deliveries/results.ts'
import { incompleteInterval } from '../insight-display/incomplete-interval.ts'
import { pieOption } from '../insight-display/pie-option.ts'
import { resultTable } from '../insight-display/result-text.ts'
import { themes } from '../insight-display/theme.ts'
import { lifecycleOption, type TimeSeries, trendOption } from '../insight-display/time-series-option.ts'
import { dayLabel, fullNumber, percent, shortNumber } from '../lib/text/human-format.ts'
import type { InsightResult } from '../model/insights/insight-result.ts'
import { defaultDashboard } from '../rules/insights/default-dashboard.ts'
import { drawInsight } from './draw-insight.ts'

/** What the demo's six insights answered at one instant. */
const DEMO = JSON.parse(readFileSync(new URL('../../test/fixtures/demo-numbers.json', import.meta.url), 'utf8')) as {
  at: string
  dashboard: Record<string, unknown>
}

interface Source {
  kind: string
  interval?: string
  trendsFilter?: { display: string }
  retentionFilter?: { period: string }
}

const demo = Object.fromEntries(
  defaultDashboard.tiles.map(({ insight }) => {
    const { kind, interval, trendsFilter, retentionFilter } = insight.query.source as Source
    const rows = DEMO.dashboard[insight.name ?? '']
    return [insight.name, { kind, interval, ...trendsFilter, ...retentionFilter, rows } as InsightResult]
  }),
) as Record<string, InsightResult>

type TimeResult = Extract<InsightResult, { kind: 'TrendsQuery' | 'LifecycleQuery' }>

/** `wallNow`: an instant at which the last interval is open. */
interface Shown {
  name: string
  result: TimeResult
  wallNow: number
}

const isOverTime = (result: InsightResult): result is TimeResult =>
  result.kind === 'LifecycleQuery' || (result.kind === 'TrendsQuery' && result.rows.some(({ data }) => data.length > 0))

const ofDemo = Object.entries(demo).flatMap(([name, result]): Shown[] =>
  isOverTime(result) ? [{ name, result, wallNow: Date.parse(DEMO.at) }] : [],
)
const ofSamples = Object.entries(samples).flatMap(([name, result]): Shown[] =>
  isOverTime(result) && name !== 'empty'
    ? [{ name, result, wallNow: Date.parse(result.rows[0]?.days.at(-1) ?? '') + 1 }]
    : [],
)

const theme = themes.dark
/** Wide enough for every name. */
const look = { theme: 'dark', width: 1_200 } as const

const textsOf = (svg: string): string[] =>
  Array.from(svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g), ([, said = '']) => said)

/** Each colour of the legend with the name beside it. */
const legendIn = (svg: string) =>
  Array.from(
    svg.matchAll(/<rect [^>]*width="12" height="12"[^>]*fill="([^"]+)"\/><text[^>]*>([^<]*)</g),
    ([, colour, name]) => ({ name, colour }),
  )

const UNITS: Record<string, number> = { K: 1e3, M: 1e6, B: 1e9 }
const numberIn = (label: string): number => Number.parseFloat(label) * (UNITS[label.at(-1) ?? ''] ?? 1)

/** Values by their height in the drawing, read from two labels of the axis. */
function axisIn(svg: string) {
  const labels = svg.matchAll(/<text [^>]*text-anchor="end" style[^>]*translate\(\S+ ([\d.]+)\)[^>]*>([^<]*)</g)
  const marks = Array.from(labels, ([, y, label = '']) => ({ y: Number(y), value: numberIn(label) }))
  const [low, high] = [marks[0], marks.at(-1)]
  if (low === undefined || high === undefined) throw new Error('there is no axis')
  const perPixel = (high.value - low.value) / (low.y - high.y)
  return { perPixel, valueAt: (y: number) => low.value + (low.y - y) * perPixel }
}

interface Drawn {
  colour: string
  isDashed: boolean
  values: number[]
}

/** All bars of a series are one after the other. */
function addBar(bars: Drawn[], colour: string, value: number): Drawn[] {
  const last = bars.at(-1)
  if (last?.colour === colour) last.values.push(value)
  else bars.push({ colour, isDashed: false, values: [value] })
  return bars
}

function drawnIn(svg: string, { valueAt, perPixel }: ReturnType<typeof axisIn>): Drawn[] {
  const lines = Array.from(
    svg.matchAll(/<path d="(M[^"]*)" fill="none"[^>]*stroke="([^"]+)" stroke-width="2.5"([^>]*)>/g),
    ([, path = '', colour = '', rest = '']) => ({
      colour,
      isDashed: rest.includes('dasharray'),
      values: Array.from(path.matchAll(/[\d.]+ ([\d.]+)/g), ([, y]) => valueAt(Number(y))),
    }),
  )
  const bars = Array.from(svg.matchAll(/<path d="M\S+ \S+l\S+ 0l0 (\S+)l\S+ 0Z" fill="([^"]+)"/g))
    // The frame that lines are cut at has the same form.
    .filter(([, , colour]) => colour !== '#000')
    .reduce<Drawn[]>((found, [, height, colour = '']) => addBar(found, colour, -Number(height) * perPixel), [])
  return [...lines, ...bars]
}

type Series = TimeSeries['option']['series'][number]
type Datum = number | '-' | { value: number }

const valuesOf = ({ data }: Series): number[] =>
  (data as Datum[]).flatMap((one) => (one === '-' ? [] : [typeof one === 'number' ? one : one.value]))

const toldBy = (one: Series): Drawn => ({
  colour: String(one.itemStyle?.color),
  isDashed: one.type === 'line' && one.lineStyle?.type === 'dashed',
  values: valuesOf(one),
})

const optionOf = (result: TimeResult, isLastOpen: boolean): TimeSeries =>
  result.kind === 'TrendsQuery'
    ? trendOption(result.rows, { ...result, theme, isLastOpen })
    : lifecycleOption(result.rows, { ...result, theme, isLastOpen })

it('finds the demo’s insights', () => {
  expect(Object.keys(demo)).toEqual(Object.keys(DEMO.dashboard))
  expect(ofDemo).toHaveLength(4)
  expect(ofSamples.length).toBeGreaterThan(7)
})

describe.each([...ofDemo, ...ofSamples])('$name', ({ name, result, wallNow }) => {
  it.each([true, false])('draws what its option says, with its last interval open: %s', async (isLastOpen) => {
    expect(incompleteInterval(result, wallNow)).not.toBeNull()
    const { option, legend } = optionOf(result, isLastOpen)
    const svg = await drawInsight({ title: name, result, ...look, ...(isLastOpen ? { wallNow } : {}) })
    expect(legendIn(svg)).toEqual(legend)
    const axis = axisIn(svg)
    const [drawn, told] = [drawnIn(svg, axis), option.series.map(toldBy)]
    const styles = (all: Drawn[]) => all.map(({ colour, isDashed, values }) => [colour, isDashed, values.length])
    expect(styles(drawn)).toEqual(styles(told))
    for (const [at, { values }] of told.entries()) {
      for (const [place, value] of values.entries()) {
        // Lengths in the drawing have one digit after the point.
        expect(Math.abs((drawn[at]?.values[place] ?? Number.NaN) - value)).toBeLessThan(0.2 * axis.perPixel)
      }
    }
  })

  it('has the names and the latest values of its table', () => {
    const { series } = optionOf(result, true).option
    const rest = series.filter(({ id }) => !id.endsWith(':open'))
    const open = new Map(series.map((one) => [one.id, one]))
    const table = resultTable(result, 100).rows.map((row) => [row[0]?.toLowerCase(), row.at(-1)])
    const latest = rest.map((one) => valuesOf(open.get(`${one.id}:open`) ?? one).at(-1) ?? 0)
    expect(rest.map((one, at) => [one.name.toLowerCase(), fullNumber(latest[at] ?? 0)])).toEqual(table)
  })

  it('has two series for an open line, with one name', () => {
    const { series } = optionOf(result, true).option
    const byId = new Map(series.map((one) => [one.id, one]))
    const open = series.filter(({ id }) => id.endsWith(':open'))
    const current = series.filter((one) => one.type === 'line' && one.stack === undefined)
    expect(open.length > 0).toBe(current.length > 0)
    for (const one of open) expect(byId.get(one.id.replace(/:open$/, ''))?.name).toBe(one.name)
    expect(optionOf(result, false).option.series.filter(({ id }) => id.endsWith(':open'))).toEqual([])
  })
})

/** The share of the circle that an arc goes round; the ring begins above and goes clockwise. */
function shareOf(path: string): number {
  const [, x1, y1, x2, y2] = /^M(\S+) ([\d.]+)A\S+ \S+ 0 [01] 1 (\S+) ([\d.]+)L/.exec(path) ?? []
  const angle = (x: unknown, y: unknown) => Math.atan2(Number(x) - 100, 100 - Number(y))
  const turn = (angle(x2, y2) - angle(x1, y1)) / (2 * Math.PI)
  return turn > 0 ? turn : turn + 1
}

it('draws the slices of a pie as its option says', async () => {
  const { pie } = samples
  if (pie?.kind !== 'TrendsQuery') throw new Error('it is no trend')
  const { option, legend } = pieOption(pie.rows, theme)
  const svg = await drawInsight({ title: 'Pie', result: pie, ...look })
  expect(legendIn(svg)).toEqual(legend.map(({ name, colour }) => ({ name, colour })))
  for (const { value, share } of legend) expect(textsOf(svg)).toContain(`${shortNumber(value)} · ${percent(share)}`)
  expect(option.series[0]?.data).toMatchObject(legend.map(({ name, value }) => ({ name, value })))
  const slices = Array.from(svg.matchAll(/<path d="(M[^"]*A[^"]*)" fill="([^"]+)"/g))
  expect(slices.map(([, , colour]) => colour)).toEqual(legend.map(({ colour }) => colour))
  for (const [at, [, path = '']] of slices.entries()) expect(shareOf(path)).toBeCloseTo(legend[at]?.share ?? 0, 2)
  expect(resultTable(pie).rows).toEqual(legend.map(({ name, value }) => [name, fullNumber(value)]))
})

it('draws the names and values of the demo’s bars as its table has them', async () => {
  const result = demo['Referring domains']
  if (result?.kind !== 'TrendsQuery') throw new Error('it is no trend')
  const texts = textsOf(await drawInsight({ title: 'Domains', result, ...look }))
  const { rows } = resultTable(result)
  expect(rows).toHaveLength(4)
  for (const [at, [name = '', value]] of rows.entries()) {
    const whole = result.rows[at]?.aggregated_value ?? Number.NaN
    expect(value).toBe(fullNumber(whole))
    expect(texts[texts.indexOf(name) + 1]).toBe(shortNumber(whole))
  }
})

it('draws the shares of the demo’s retention as its table has them', async () => {
  const result = demo.Retention
  if (result?.kind !== 'RetentionQuery') throw new Error('it is no retention')
  const texts = textsOf(await drawInsight({ title: 'Retention', subtitle: null, result, ...look }))
  const { rows } = resultTable(result)
  expect(rows).toHaveLength(9)
  for (const [at, [, , ...shares]] of rows.entries()) {
    const { date = '', values = [] } = result.rows[at] ?? {}
    const size = values[0]?.count ?? 0
    const line = [dayLabel(date, result.period), shortNumber(size), percent(size / size), ...shares]
    const from = texts.indexOf(line[0] ?? '')
    expect(texts.slice(from, from + line.length)).toEqual(line)
  }
})
