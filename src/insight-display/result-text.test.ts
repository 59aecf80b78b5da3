import { describe, expect, it } from 'vitest'
import {
  makeByDomain,
  makeFunnel,
  makeLifecycle,
  makeRetention,
  makeSteps,
  makeTrend,
  makeTrendRow,
} from '../../test/support/deliveries/results.ts'
import { isEmptyResult, periodOf, resultLines, resultTable, seriesName } from './result-text.ts'

describe('names', () => {
  it.each([
    ['the label', makeTrendRow(), 'Pageview'],
    ['the label and the value', makeTrendRow({ breakdown_value: 'Chrome' }), 'Pageview - Chrome'],
    ['a label that says the value already', makeTrendRow({ label: 'Chrome', breakdown_value: 'Chrome' }), 'Chrome'],
    [
      'the values with a meaning',
      makeTrendRow({ label: '', breakdown_value: '$$_posthog_breakdown_other_$$' }),
      'Other',
    ],
    ['an empty value', makeTrendRow({ breakdown_value: '' }), 'Pageview - None'],
    ['the period before', makeTrendRow({ compare_label: 'previous' }), 'Pageview (previous)'],
    ['no name at all', makeTrendRow({ label: '' }), 'All events'],
  ])('are made of %s', (_what, row, name) => expect(seriesName(row)).toBe(name))

  it('prefer what the author called it', () => {
    const row = makeTrendRow()
    expect(seriesName({ ...row, action: { ...row.action, custom_name: 'Visits' } })).toBe('Visits')
  })
})

describe('tables and lines', () => {
  it('show total, average and the latest interval of a trend', () => {
    const result = makeTrend([makeTrendRow({ data: [1_000, 2_000, 600] })])
    expect(resultTable(result)).toEqual({
      columns: ['Series', 'Total', 'Average per day', '2 Nov', '3 Nov'],
      rows: [['Pageview', '3,600', '1,200', '2,000', '600']],
      more: 0,
    })
    expect(resultLines(result)).toEqual(['Pageview: 3,600 in total, 2,000 on 2 Nov, 600 on 3 Nov'])
  })

  it('do not add up people', () => {
    const result = makeTrend([makeTrendRow({ math: 'dau', data: [10, 20] })])
    expect(resultTable(result).rows).toEqual([['Pageview', '–', '15', '10', '20']])
    expect(resultLines(result)).toEqual(['Pageview: 10 on 1 Nov, 20 on 2 Nov'])
  })

  it('show the last value of running totals', () => {
    const result = makeTrend([makeTrendRow({ data: [10, 30, 45] })], 'ActionsLineGraphCumulative')
    expect(resultTable(result)).toMatchObject({ columns: ['Series', 'Until 3 Nov'], rows: [['Pageview', '45']] })
    expect(resultLines(result)).toEqual(['Pageview: 45 until 3 Nov'])
  })

  it('show one value without a time axis', () => {
    const result = makeByDomain('ActionsBarValue', ['a.example', 'b.example'])
    expect(resultTable(result)).toMatchObject({
      columns: ['Series', 'Value'],
      rows: [
        ['a.example', '18,340'],
        ['b.example', '6,050'],
      ],
    })
    expect(resultLines(result)).toEqual(['a.example: 18,340', 'b.example: 6,050'])
  })

  it('show each status of a lifecycle', () => {
    expect(resultTable(makeLifecycle()).rows.map(([status]) => status)).toEqual([
      'new',
      'returning',
      'resurrecting',
      'dormant',
    ])
    expect(resultLines(makeLifecycle())[1]).toMatch(/^8 Nov: \d+ new, \d+ returning, \d+ resurrecting, \d+ dormant$/)
  })

  it('show the steps of a funnel', () => {
    const result = makeFunnel(makeSteps([1_000, 250]))
    expect(resultTable(result)).toMatchObject({
      columns: ['Step', 'People', 'Of the first', 'Median time'],
      rows: [
        ['1. Visited the shop', '1,000', '100%', '–'],
        ['2. Put something into the basket', '250', '25%', '3m 12s'],
      ],
    })
    expect(resultLines(result)).toEqual(['Visited the shop → Put something into the basket: 25% (250 of 1,000)'])
  })

  it('distinguish the groups of a funnel', () => {
    const result = makeFunnel([makeSteps([10, 5], 'Chrome'), makeSteps([4, 1], 'Firefox')])
    expect(resultTable(result).rows.map(([group]) => group)).toEqual(['Chrome', 'Chrome', 'Firefox', 'Firefox'])
    expect(resultLines(result)[1]).toMatch(/^Firefox: .*25% \(1 of 4\)$/)
  })

  it('show who came back', () => {
    const result = makeRetention(3, 100)
    expect(resultTable(result)).toMatchObject({
      columns: ['Started', 'People', 'Week 1', 'Week 2'],
      rows: [
        ['1 Jun 2026', '100', '52%', '32%'],
        ['8 Jun 2026', '137', '50.4%'],
        ['15 Jun 2026', '174'],
      ],
    })
    expect(resultLines(result)).toEqual(['Week 1: 51.1% came back (121 of 237)'])
  })

  it('stop at a limit and say what is left out', () => {
    const rows = Array.from({ length: 9 }, (_, at) => makeTrendRow({ name: `Event ${at}` }))
    expect(resultTable(makeTrend(rows), 4)).toMatchObject({ rows: { length: 4 }, more: 5 })
    expect(resultLines(makeTrend(rows), 2).at(-1)).toBe('and 7 more')
  })

  it('say that there is nothing', () => {
    for (const result of [makeTrend([]), makeFunnel([]), makeRetention(0), makeTrend([makeTrendRow({ data: [0] })])]) {
      expect(isEmptyResult(result)).toBe(true)
      expect(resultLines(result)).toEqual(['No data in this period'])
    }
  })
})

describe('periodOf', () => {
  it.each([
    ['days of a year', ['2026-11-01', '2026-11-30'], '1 Nov – 30 Nov 2026'],
    ['days of two years', ['2025-12-01', '2026-01-31'], '1 Dec 2025 – 31 Jan 2026'],
    ['one day', ['2026-11-01'], '1 Nov 2026'],
    ['no day', [], null],
  ])('shows %s', (_what, days, expected) => expect(periodOf(makeTrend([makeTrendRow({ days })]))).toBe(expected))
})
