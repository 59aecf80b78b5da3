/**
 * The dashboard of every new project, as plain data: active users, retention, page views and referrers. It is
 * also what a subscription without dashboard and insight delivers. Activity is
 * counted over all events, so that projects without web pages have data too.
 */
import type { NewDashboard, NewTile } from '../../model/insights/dashboard.ts'
import type { NewInsight } from '../../model/insights/insight.ts'

export type DefaultInsight = Pick<NewInsight, 'name' | 'description'> & { query: Record<string, unknown> }
type DefaultTile = Pick<NewTile, 'layouts' | 'color'> & { insight: DefaultInsight }
export type DefaultDashboard = Pick<NewDashboard, 'name' | 'description' | 'pinned'> & { tiles: DefaultTile[] }

const ALL_EVENTS = { kind: 'EventsNode', event: null, name: 'All events' }
const PAGEVIEWS = { kind: 'EventsNode', event: '$pageview', name: '$pageview' }

const insight = (name: string, description: string, source: Record<string, unknown>): DefaultInsight => ({
  name,
  description,
  query: { kind: 'InsightVizNode', source: { filterTestAccounts: false, ...source } },
})

const INSIGHTS: DefaultInsight[] = [
  insight('Daily active users (DAUs)', 'How many people did something, day by day.', {
    kind: 'TrendsQuery',
    dateRange: { date_from: '-30d' },
    interval: 'day',
    series: [{ ...ALL_EVENTS, math: 'dau' }],
    trendsFilter: { display: 'ActionsLineGraph' },
  }),
  insight('Weekly active users (WAUs)', 'How many people did something, week by week.', {
    kind: 'TrendsQuery',
    dateRange: { date_from: '-90d' },
    interval: 'week',
    series: [{ ...ALL_EVENTS, math: 'dau' }],
    trendsFilter: { display: 'ActionsLineGraph' },
  }),
  insight('Pageviews', 'Pages seen, day by day.', {
    kind: 'TrendsQuery',
    dateRange: { date_from: '-30d' },
    interval: 'day',
    series: [{ ...PAGEVIEWS, math: 'total' }],
    trendsFilter: { display: 'ActionsBar' },
  }),
  insight('Retention', 'Of the people first seen in a week, how many came back in the weeks after.', {
    kind: 'RetentionQuery',
    retentionFilter: {
      period: 'Week',
      totalIntervals: 9,
      retentionType: 'retention_first_time',
      targetEntity: { id: null, name: 'All events', type: 'events' },
      returningEntity: { id: null, name: 'All events', type: 'events' },
    },
  }),
  insight('Growth accounting', 'Each week’s new, returning, resurrecting and dormant people.', {
    kind: 'LifecycleQuery',
    dateRange: { date_from: '-60d' },
    interval: 'week',
    series: [ALL_EVENTS],
    lifecycleFilter: {},
  }),
  insight('Referring domains', 'Where the people of the last 14 days came from, most frequent first.', {
    kind: 'TrendsQuery',
    dateRange: { date_from: '-14d' },
    interval: 'day',
    series: [{ ...PAGEVIEWS, math: 'dau' }],
    breakdownFilter: { breakdown: '$referring_domain', breakdown_type: 'event' },
    trendsFilter: { display: 'ActionsBarValue' },
  }),
]

const COLORS = ['blue', 'green', 'purple', 'blue', 'green', 'purple']
const WIDTH = 6
const HEIGHT = 5

/** Two to a row on the twelve columns of `sm`, one below the other on `xs`. */
const tile = (from: DefaultInsight, index: number): DefaultTile => ({
  insight: from,
  color: COLORS[index] ?? null,
  layouts: {
    sm: { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT, minW: 3, minH: 5 },
    xs: { x: 0, y: index * HEIGHT, w: 1, h: HEIGHT, minW: 1, minH: 5 },
  },
})

/** In the order in which insights and tiles are created, so that their ids follow the layout. */
export const defaultDashboard: DefaultDashboard = {
  name: 'My App Dashboard',
  description: 'Who uses it, how often they come back and where they come from.',
  pinned: true,
  tiles: INSIGHTS.map(tile),
}
