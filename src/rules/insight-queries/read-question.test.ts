import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../lib/time/time.ts'
import { defaultDashboard } from '../insights/default-dashboard.ts'
import { needsEarliest, readQuestion } from './read-question.ts'
import type { TrendsPlan } from './trends-question.ts'

const NOW = Date.UTC(2026, 2, 4, 12)
const SETTING = { projectId: 1, now: NOW, zone: 'UTC', earliestAt: null }
const event = { kind: 'EventsNode', event: 'bought' }
const trends = (fields: object = {}) => ({ kind: 'TrendsQuery', series: [event], ...fields })
const funnel = (fields: object = {}) => ({ kind: 'FunnelsQuery', series: [event, event], ...fields })
const retention = (retentionFilter: object = {}, fields: object = {}) => ({
  kind: 'RetentionQuery',
  retentionFilter,
  ...fields,
})
const lifecycle = (fields: object = {}) => ({ kind: 'LifecycleQuery', series: [event], ...fields })

const planOf = (query: unknown) => readQuestion(query, SETTING)
const trendOf = (query: unknown) => planOf(query) as TrendsPlan
const withMath = (math: string, fields: object = {}) =>
  trends({ series: [{ ...event, math, math_property: 'price' }], ...fields })

describe('a trend', () => {
  it('is read with its defaults', () => {
    const plan = trendOf({ kind: 'InsightVizNode', source: trends() })
    expect(plan).toMatchObject({ display: 'ActionsLineGraph', interval: 'day', asOne: false, cumulative: false })
    const [line] = plan.lines
    expect(line?.question).toMatchObject({
      projectId: 1,
      selector: { event: 'bought', filter: null },
      measure: { kind: 'events' },
      breakdown: null,
    })
    expect(line?.question.edges).toHaveLength(9)
    expect(line).toMatchObject({ label: 'bought', compare: null })
    expect(line?.labels.at(-1)).toBe('4-Mar-2026')
    expect(line?.days.at(-1)).toBe('2026-03-04')
  })

  it.each([
    ['total', { kind: 'events' }],
    ['dau', { kind: 'actors' }],
    ['unique_session', { kind: 'sessions' }],
    ['sum', { kind: 'sum', property: 'price' }],
    ['p95', { kind: 'p95', property: 'price' }],
    ['weekly_active', { kind: 'active_actors', spans: 7 }],
    ['monthly_active', { kind: 'active_actors', spans: 30 }],
  ])('counts %s', (math, measure) => {
    expect(trendOf(withMath(math)).lines[0]?.question.measure).toEqual(measure)
  })

  it('looks back for active people, without showing those intervals', () => {
    const [line] = trendOf(withMath('weekly_active')).lines
    expect(line?.question.edges).toHaveLength(9 + 6)
    expect(line?.days).toHaveLength(8)
    expect(line?.question.edges[6]).toBe(Date.UTC(2026, 1, 25))
    const [weeks] = trendOf(withMath('weekly_active', { interval: 'week' })).lines
    expect(weeks?.question.measure).toEqual({ kind: 'actors' })
  })

  it('is one interval where there is no time to show', () => {
    const trendsFilter = { display: 'BoldNumber' }
    const [line] = trendOf(trends({ trendsFilter })).lines
    expect(line?.question.edges).toEqual([Date.UTC(2026, 1, 25), Date.UTC(2026, 2, 5)])
    const [active] = trendOf(withMath('weekly_active', { trendsFilter, dateRange: { date_from: '-30d' } })).lines
    expect(active?.question).toMatchObject({
      measure: { kind: 'actors' },
      edges: [Date.UTC(2026, 1, 26), Date.UTC(2026, 2, 5)],
    })
  })

  it('counts people once where it adds up', () => {
    const plan = trendOf(withMath('dau', { trendsFilter: { display: 'ActionsLineGraphCumulative' } }))
    expect(plan.cumulative).toBe(true)
    expect(plan.lines[0]?.question.measure).toEqual({ kind: 'first_actors' })
  })

  it('has each series twice where it is compared', () => {
    const plan = trendOf(trends({ series: [event, event], compareFilter: { compare: true } }))
    expect(plan.lines.map(({ compare, action }) => `${action.order} ${compare}`)).toEqual([
      '0 current',
      '0 previous',
      '1 current',
      '1 previous',
    ])
  })

  it('joins the conditions of the query and of the series', () => {
    const query = trends({
      properties: [{ key: 'a', value: 'x' }],
      series: [{ ...event, properties: [{ key: 'b', value: 'y', type: 'person' }], custom_name: 'Sales' }],
    })
    const [line] = trendOf(query).lines
    expect(line?.label).toBe('Sales')
    expect(line?.question.selector.filter).toEqual({
      join: 'AND',
      of: [
        { key: 'a', operator: 'exact', value: 'x' },
        { key: 'b', operator: 'exact', value: 'y', type: 'person' },
      ],
    })
  })

  it.each<[object, object | null]>([
    [{}, null],
    [{ breakdown_type: 'event' }, null],
    [{ breakdown: '$os' }, { of: 'event', key: '$os', limit: 25 }],
    [
      { breakdown: ['$os'], breakdown_type: 'person', breakdown_limit: 3 },
      { of: 'person', key: '$os', limit: 3 },
    ],
    [{ breakdowns: [{ property: '$os', type: 'person' }] }, { of: 'person', key: '$os', limit: 25 }],
  ])('reads the breakdown %j', (breakdownFilter, expected) => {
    expect(trendOf(trends({ breakdownFilter })).lines[0]?.question.breakdown).toEqual(expected)
  })

  it('needs the first event only for all', () => {
    expect(needsEarliest(trends({ dateRange: { date_from: 'all' } }))).toBe(true)
    expect(needsEarliest({ kind: 'InsightVizNode', source: trends({ dateRange: { date_from: 'all' } }) })).toBe(true)
    expect(needsEarliest(trends())).toBe(false)
  })
})

describe('other questions', () => {
  it('a funnel has its window', () => {
    expect(planOf(funnel())).toMatchObject({
      question: { windowMs: 14 * DAY, from: Date.UTC(2026, 1, 25), to: Date.UTC(2026, 2, 5) },
    })
    const funnelsFilter = { funnelWindowInterval: 3, funnelWindowIntervalUnit: 'hour', layout: 'vertical' }
    expect(planOf(funnel({ funnelsFilter }))).toMatchObject({ question: { windowMs: 3 * HOUR } })
  })

  it('retention has `totalIntervals` intervals up to now', () => {
    const plan = planOf(retention({ period: 'Week', totalIntervals: 3, retentionType: 'retention_first_time' }))
    expect(plan).toMatchObject({
      period: 'Week',
      question: {
        target: { event: '$pageview', filter: null },
        firstTime: true,
        edges: [Date.UTC(2026, 1, 15), Date.UTC(2026, 1, 22), Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 8)],
      },
      dates: ['2026-02-15T00:00:00+00:00', '2026-02-22T00:00:00+00:00', '2026-03-01T00:00:00+00:00'],
    })
  })

  it('retention shows the offset of its zone, which may change', () => {
    const query = retention({ period: 'Day', totalIntervals: 2 }, { dateRange: { date_to: '2026-03-09' } })
    const plan = readQuestion(query, { ...SETTING, zone: 'America/New_York' })
    expect(plan).toMatchObject({ dates: ['2026-03-08T00:00:00-05:00', '2026-03-09T00:00:00-04:00'] })
  })

  it('a lifecycle looks back one interval', () => {
    const plan = planOf(lifecycle({ dateRange: { date_from: '-1d' }, lifecycleFilter: { toggledLifecycles: ['new'] } }))
    expect(plan).toMatchObject({
      question: { edges: [2, 3, 4, 5].map((day) => Date.UTC(2026, 2, day)) },
      days: ['2026-03-03', '2026-03-04'],
      statuses: ['new'],
    })
  })

  it.each(defaultDashboard.tiles.map((tile) => tile.insight))('$name of the default dashboard is read', ({ query }) => {
    expect(() => planOf(query)).not.toThrow()
  })
})

describe('what is refused', () => {
  it.each<[string, unknown, string]>([
    ['no object', 'select 1', 'query'],
    ['no kind', {}, 'query__kind'],
    ['a kind of the prototype', { kind: 'constructor' }, 'query__kind'],
    ['HogQL', { kind: 'HogQLQuery', query: 'select 1' }, 'query__kind'],
    ['stickiness', { kind: 'InsightVizNode', source: { kind: 'StickinessQuery' } }, 'query__source__kind'],
    ['a frame in a frame', { kind: 'InsightVizNode', source: { kind: 'InsightVizNode' } }, 'query__source__kind'],
    ['no series', trends({ series: [] }), 'query__series'],
    ['series that are no list', trends({ series: {} }), 'query__series'],
    ['an action', trends({ series: [{ kind: 'ActionsNode', id: 1 }] }), 'query__series__0__kind'],
    ['an event that is no text', trends({ series: [{ kind: 'EventsNode', event: 1 }] }), 'query__series__0__event'],
    ['an unknown math', withMath('hogql'), 'query__series__0__math'],
    ['a sum of nothing', trends({ series: [{ ...event, math: 'sum' }] }), 'query__series__0__math_property'],
    [
      'a session’s number',
      trends({ series: [{ ...event, math: 'sum', math_property: 'x', math_property_type: 'session_properties' }] }),
      'query__series__0__math_property_type',
    ],
    [
      'weekly active people by the hour',
      withMath('weekly_active', { interval: 'hour', dateRange: { date_from: '-3h' } }),
      'query__series__0__math',
    ],
    ['minutes', trends({ interval: 'minute' }), 'query__interval'],
    ['a formula', trends({ trendsFilter: { formula: 'A' } }), 'query__trendsFilter__formula'],
    ['formulas', trends({ trendsFilter: { formulaNodes: [{ formula: 'A' }] } }), 'query__trendsFilter__formulaNodes'],
    ['smoothing', trends({ trendsFilter: { smoothingIntervals: 7 } }), 'query__trendsFilter__smoothingIntervals'],
    ['an unknown display', trends({ trendsFilter: { display: 'BoxPlot' } }), 'query__trendsFilter__display'],
    ['sampling', trends({ samplingFactor: 0.1 }), 'query__samplingFactor'],
    ['groups', trends({ aggregation_group_type_index: 0 }), 'query__aggregation_group_type_index'],
    [
      'a cohort breakdown',
      trends({ breakdownFilter: { breakdown: [1], breakdown_type: 'cohort' } }),
      'query__breakdownFilter__breakdown_type',
    ],
    [
      'two breakdowns',
      trends({ breakdownFilter: { breakdowns: [{ property: 'a' }, { property: 'b' }] } }),
      'query__breakdownFilter__breakdowns',
    ],
    [
      'a breakdown without limit',
      trends({ breakdownFilter: { breakdown: 'a', breakdown_limit: 0 } }),
      'query__breakdownFilter__breakdown_limit',
    ],
    ['a cohort filter', trends({ properties: [{ type: 'cohort', key: 'id', value: 1 }] }), 'query__properties'],
    ['a bad filter of a series', trends({ series: [{ ...event, properties: 'x' }] }), 'query__series__0__properties'],
    ['a funnel of one step', funnel({ series: [event] }), 'query__series'],
    [
      'an unordered funnel',
      funnel({ funnelsFilter: { funnelOrderType: 'unordered' } }),
      'query__funnelsFilter__funnelOrderType',
    ],
    [
      'a funnel over time',
      funnel({ funnelsFilter: { funnelVizType: 'trends' } }),
      'query__funnelsFilter__funnelVizType',
    ],
    ['exclusions', funnel({ funnelsFilter: { exclusions: [event] } }), 'query__funnelsFilter__exclusions'],
    [
      'a window of no length',
      funnel({ funnelsFilter: { funnelWindowInterval: 0 } }),
      'query__funnelsFilter__funnelWindowInterval',
    ],
    [
      'last touch',
      funnel({ breakdownFilter: { breakdown: 'a' }, funnelsFilter: { breakdownAttributionType: 'last_touch' } }),
      'query__funnelsFilter__breakdownAttributionType',
    ],
    [
      'retention of an action',
      retention({ targetEntity: { id: 1, type: 'actions' } }),
      'query__retentionFilter__targetEntity__type',
    ],
    ['retention by the year', retention({ period: 'Year' }), 'query__retentionFilter__period'],
    ['cumulative retention', retention({ cumulative: true }), 'query__retentionFilter__cumulative'],
    ['broken-down retention', retention({}, { breakdownFilter: { breakdown: 'a' } }), 'query__breakdownFilter'],
    ['a lifecycle of two', lifecycle({ series: [event, event] }), 'query__series'],
    [
      'an unknown status',
      lifecycle({ lifecycleFilter: { toggledLifecycles: ['gone'] } }),
      'query__lifecycleFilter__toggledLifecycles',
    ],
  ])('%s', (_name, query, attr) => {
    expect(() => planOf(query)).toThrow(expect.objectContaining({ kind: 'invalid', attr }))
  })
})
