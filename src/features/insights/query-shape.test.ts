import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../lib/json/json.ts'
import { defaultDashboard } from '../../rules/insights/default-dashboard.ts'
import { queryProblems } from './query-shape.ts'

const event = { kind: 'EventsNode', event: '$pageview' }
const viz = (source: unknown): unknown => ({ kind: 'InsightVizNode', source })
const trends = (fields: object = {}): object => ({ kind: 'TrendsQuery', series: [event], ...fields })

describe('a query that may be stored', () => {
  const good: [name: string, query: unknown][] = [
    ['a trend', viz(trends({ interval: 'day', dateRange: { date_from: '-7d' }, properties: [] }))],
    ['a trend over all events', viz({ kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: null }] })],
    ['a trend without series', viz({ kind: 'TrendsQuery', series: [] })],
    ['a trend of an action', viz({ kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id: 3 }] })],
    ['a group of events', viz({ kind: 'TrendsQuery', series: [{ kind: 'GroupNode', nodes: [event] }] })],
    ['a funnel', viz({ kind: 'FunnelsQuery', series: [event, event], funnelsFilter: { layout: 'vertical' } })],
    ['retention', viz({ kind: 'RetentionQuery', retentionFilter: { period: 'Week' } })],
    ['a lifecycle', viz({ kind: 'LifecycleQuery', series: [event], properties: { type: 'AND', values: [] } })],
    ['stickiness', viz({ kind: 'StickinessQuery', series: [event] })],
    ['paths', viz({ kind: 'PathsQuery', pathsFilter: { includeEventTypes: ['$pageview'] } })],
    ['an insight query without a frame', trends()],
    ['HogQL', { kind: 'HogQLQuery', query: 'select 1' }],
    ['a chart of HogQL', { kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query: 'select 1' } }],
    ['a table of events', { kind: 'DataTableNode', source: { kind: 'EventsQuery', select: ['*'] } }],
    [
      'unused fields as null',
      viz(trends({ dateRange: null, breakdownFilter: null, interval: null, properties: null })),
    ],
    ['unknown fields', viz(trends({ novelty: [1, { a: null }], trendsFilter: { display: 'Something' } }))],
    ['a key named __proto__', parseJsonText('{"kind":"HogQLQuery","query":"select 1","__proto__":{"kind":"x"}}')],
  ]
  it.each(good)('is %s', (_name, query) => {
    const before = structuredClone(query)
    expect(queryProblems(query)).toEqual([])
    expect(query).toEqual(before)
  })
})

describe('the default dashboard', () => {
  it.each(defaultDashboard.tiles.map((tile) => tile.insight))('asks for $name in such a shape', ({ query }) => {
    expect(queryProblems(query)).toEqual([])
  })
})

describe('a query that is refused', () => {
  const bad: [query: unknown, attr: string, code: string][] = [
    ['select 1', 'query', 'invalid_input'],
    [null, 'query', 'invalid_input'],
    [[], 'query', 'invalid_input'],
    [{}, 'query__kind', 'required'],
    [{ kind: 7 }, 'query__kind', 'invalid_input'],
    [{ kind: 'constructor' }, 'query__kind', 'invalid_choice'],
    [parseJsonText('{"__proto__":{"kind":"HogQLQuery","query":"select 1"}}'), 'query__kind', 'required'],
    [{ kind: 'InsightVizNode' }, 'query__source', 'required'],
    [viz([]), 'query__source', 'invalid_input'],
    [viz({ kind: 'HogQLQuery', query: 'select 1' }), 'query__source__kind', 'invalid_choice'],
    [viz({ kind: 'TrendsQuery' }), 'query__source__series', 'required'],
    [viz({ kind: 'TrendsQuery', series: {} }), 'query__source__series', 'not_a_list'],
    [viz({ kind: 'TrendsQuery', series: Array(101).fill(event) }), 'query__source__series', 'max_length'],
    [viz({ kind: 'FunnelsQuery', series: [event, '$pageview'] }), 'query__source__series__1', 'invalid_input'],
    [viz({ kind: 'TrendsQuery', series: [{}] }), 'query__source__series__0__kind', 'required'],
    [viz({ kind: 'TrendsQuery', series: [{ kind: 'Event' }] }), 'query__source__series__0__kind', 'invalid_choice'],
    [
      viz({ kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 1 }] }),
      'query__source__series__0__event',
      'invalid_input',
    ],
    [viz({ kind: 'TrendsQuery', series: [{ kind: 'ActionsNode' }] }), 'query__source__series__0__id', 'invalid_input'],
    [viz({ kind: 'TrendsQuery', series: [{ kind: 'GroupNode' }] }), 'query__source__series__0__nodes', 'required'],
    [viz(trends({ interval: 'fortnight' })), 'query__source__interval', 'invalid_choice'],
    [viz(trends({ dateRange: '-7d' })), 'query__source__dateRange', 'invalid_input'],
    [viz(trends({ properties: 'x' })), 'query__source__properties', 'invalid_input'],
    [viz(trends({ trendsFilter: [] })), 'query__source__trendsFilter', 'invalid_input'],
    [viz({ kind: 'RetentionQuery' }), 'query__source__retentionFilter', 'required'],
    [viz({ kind: 'PathsQuery', pathsFilter: 1 }), 'query__source__pathsFilter', 'invalid_input'],
    [{ kind: 'HogQLQuery' }, 'query__query', 'required'],
    [{ kind: 'HogQLQuery', query: ' ' }, 'query__query', 'blank'],
    [{ kind: 'HogQLQuery', query: ['select 1'] }, 'query__query', 'invalid_input'],
    [{ kind: 'DataVisualizationNode', source: trends() }, 'query__source__kind', 'invalid_choice'],
    [{ kind: 'DataTableNode', source: {} }, 'query__source__kind', 'required'],
    [{ kind: 'DataTableNode', source: { kind: 'HogQLQuery' } }, 'query__source__query', 'required'],
  ]
  it.each(bad)('%j for %s', (query, attr, code) => {
    expect(queryProblems(query)).toEqual([{ attr, code, detail: expect.stringMatching(/\.$/) }])
  })

  it('reports all problems', () => {
    const query = viz({ kind: 'TrendsQuery', series: [{}, { kind: 'x' }], interval: 1, dateRange: 1 })
    expect(queryProblems(query).map((problem) => problem.attr)).toEqual([
      'query__source__series__0__kind',
      'query__source__series__1__kind',
      'query__source__dateRange',
      'query__source__interval',
    ])
  })
})
