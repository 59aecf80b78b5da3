import { describe, expect, it } from 'vitest'
import { makeLifecycle, makeTrend, makeTrendRow, samples, wave } from '../../test/support/deliveries/results.ts'
import type { InsightResult } from '../model/insights/insight-result.ts'
import { mix, THEMES, themes } from './theme.ts'
import { lifecycleOption, type TimeSeries, trendOption } from './time-series-option.ts'

const { light } = themes

function optionOf(result: InsightResult | undefined, isLastOpen = false, theme = light): TimeSeries {
  if (result?.kind === 'TrendsQuery') return trendOption(result.rows, { ...result, theme, isLastOpen })
  if (result?.kind === 'LifecycleQuery') return lifecycleOption(result.rows, { ...result, theme, isLastOpen })
  throw new Error('it has no time axis')
}

const seriesOf = (result: InsightResult | undefined, isLastOpen = false) => optionOf(result, isLastOpen).option.series
const two = (display?: string) =>
  makeTrend([makeTrendRow({ data: [5, 7, 6, 2] }), makeTrendRow({ data: [1, 2, 3, 1] })], display)

describe('a line whose last interval is not over', () => {
  it('is a whole line and a dashed one that goes on where it ends, with one name', () => {
    const [whole, open, ...others] = seriesOf(two(), true)
    expect(whole).toMatchObject({ name: 'Pageview', type: 'line', data: [5, 7, 6, '-'] })
    expect(open).toMatchObject({ name: 'Pageview', type: 'line', data: ['-', '-', 6, 2] })
    expect(open?.id).toBe(`${whole?.id}:open`)
    expect(whole).not.toHaveProperty('lineStyle.type')
    expect(open).toHaveProperty('lineStyle.type', 'dashed')
    expect(open).toHaveProperty('lineStyle.color', light.series[0])
    expect(others).toHaveLength(2)
  })

  it('is one line when the interval is over', () => {
    expect(seriesOf(two()).map(({ data }) => data)).toEqual([
      [5, 7, 6, 2],
      [1, 2, 3, 1],
    ])
  })

  it('is one line where two would be two layers, and where it is of the previous period', () => {
    expect(seriesOf(two('ActionsAreaGraph'), true).map(({ id }) => id)).toEqual(['0', '1'])
    expect(seriesOf(samples.compare, true).map(({ id, name }) => [id, name])).toEqual([
      ['0', 'Pageview'],
      ['0:open', 'Pageview'],
      ['1', 'Pageview (previous)'],
    ])
  })

  it('is named once in the legend', () => {
    expect(optionOf(samples.lines, true).legend).toEqual(optionOf(samples.lines).legend)
  })
})

it('makes a bar paler whose interval is not over', () => {
  const [bars, ...others] = seriesOf(makeTrend([makeTrendRow({ data: [5, 7] })], 'ActionsBar'), true)
  const pale = { value: 7, itemStyle: { color: light.series[0], opacity: 0.55 } }
  expect(bars).toMatchObject({ id: '0', name: 'Pageview', type: 'bar', data: [5, pale] })
  expect(others).toEqual([])
})

it('gives each series an id of its own, also where names are the same', () => {
  const rows = Array.from({ length: 12 }, (_, at) => makeTrendRow({ data: wave(9, 20, at), name: 'Same' }))
  const ids = seriesOf(makeTrend(rows), true).map(({ id }) => id)
  expect(ids).toHaveLength(24)
  expect(new Set(ids).size).toBe(24)
})

it('stacks the previous period apart', () => {
  const rows = samples.compare?.kind === 'TrendsQuery' ? samples.compare.rows : []
  expect(seriesOf(makeTrend(rows, 'ActionsBar')).map((one) => one.stack)).toEqual(['current', 'previous'])
  expect(seriesOf(makeTrend(rows)).map((one) => one.stack)).toEqual([undefined, undefined])
})

it('shows the statuses of a lifecycle in one order, each in its colour', () => {
  const lifecycle = makeLifecycle()
  if (lifecycle.kind !== 'LifecycleQuery') throw new Error('it is no lifecycle')
  const turned = { ...lifecycle, rows: [...lifecycle.rows].reverse() }
  const { option, legend } = optionOf(turned)
  expect(option.series.map(({ name }) => name)).toEqual(['New', 'Returning', 'Resurrecting', 'Dormant'])
  expect(option.series.map(({ data }) => data)).toEqual(lifecycle.rows.map(({ data }) => data))
  expect(legend.map(({ colour }) => colour)).toEqual(Object.values(light.lifecycle))
})

describe('the legend', () => {
  it('is empty for a single series', () => expect(optionOf(samples.line).legend).toEqual([]))

  it('names the series that have a colour, and how many have none', () => {
    const { legend } = optionOf(samples['many-lines'])
    expect(legend.map(({ colour }) => colour)).toEqual([...light.series, light.rest])
    expect(legend.map(({ name }) => name)).toEqual([...light.series.map((_, at) => `Browser ${at + 1}`), '6 more'])
  })

  it('names the previous period once, paler', () => {
    expect(optionOf(samples.compare).legend).toEqual([
      { name: 'Pageview', colour: light.series[0] },
      { name: 'Previous period', colour: mix(light.series[0] ?? '', light.ground, 0.45) },
    ])
  })
})

it.each(THEMES)('leaves to pictures and screens what is theirs, %s', (name) => {
  for (const result of [samples.line, samples.compare, samples.area, samples['stacked-bar'], samples.lifecycle]) {
    const { option } = optionOf(result, true, themes[name])
    expect(JSON.stringify(option)).not.toMatch(/"(?:animation|silent|emphasis|tooltip|fontFamily|legend)"/)
  }
})
