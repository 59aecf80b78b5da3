/** Shapes of a query that is not saved. */
import { Type } from 'typebox'
import { AnyJson, Body, DateTime, FreeForm } from '../../http/schema.ts'
import { REFRESH_DESCRIPTION } from '../../rules/insight-queries/refresh.ts'

export const QueryInputBody = Type.Object({
  query: FreeForm({
    description: 'A TrendsQuery, FunnelsQuery, RetentionQuery or LifecycleQuery, inside an InsightVizNode or not.',
  }),
  refresh: Type.Optional(
    AnyJson({
      description: `${REFRESH_DESCRIPTION} Without it: \`blocking\`. With \`force_cache\` and nothing kept: 404.`,
    }),
  ),
})

export const QueryBody = Body(
  {
    results: Type.Array(AnyJson(), { description: 'Series, steps of a funnel, or rows of a retention table.' }),
    timezone: Type.String({ description: 'The zone of the project, in which days begin and end.' }),
    last_refresh: DateTime({ description: 'When it was computed.' }),
    is_cached: Type.Boolean(),
  },
  { title: 'QueryResult' },
)

export const QUERY_EXAMPLE = {
  results: [
    {
      action: {
        id: '$pageview',
        type: 'events',
        order: 0,
        name: '$pageview',
        custom_name: null,
        math: 'total',
        math_property: null,
      },
      label: '$pageview',
      count: 11,
      data: [4, 7],
      labels: ['1-Mar-2026', '2-Mar-2026'],
      days: ['2026-03-01', '2026-03-02'],
    },
  ],
  timezone: 'UTC',
  last_refresh: '2026-03-02T09:00:00Z',
  is_cached: false,
}
