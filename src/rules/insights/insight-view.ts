/** An insight as the API shows it, on its own and inside the tiles of a dashboard. Its result is passed in. */
import { type Static, type TSchema, Type } from 'typebox'
import { formatInstant, formatOptional } from '../../lib/time/time.ts'
import type { User, UserReader } from '../../model/accounts/user.ts'
import type { Insight } from '../../model/insights/insight.ts'
import type { ComputedInsight } from '../../model/insights/insight-result.ts'
import { USER_EXAMPLE, UserBasic, viewUser } from '../accounts/user-view.ts'

const orNull = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })
const freeForm = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })
const dateTime = Type.Unsafe<string>({ type: 'string', format: 'date-time' })

export const InsightBody = Type.Object(
  {
    id: Type.Integer(),
    short_id: Type.String({ description: 'Names the insight in paths as well as the id does.' }),
    name: orNull(Type.String()),
    derived_name: orNull(Type.String({ description: 'What a client calls it while it has no name.' })),
    description: orNull(Type.String()),
    query: orNull(freeForm),
    filters: freeForm,
    order: orNull(Type.Integer()),
    deleted: Type.Boolean(),
    dashboards: Type.Array(Type.Integer(), { description: 'The dashboards it is on.' }),
    dashboard_tiles: Type.Array(Type.Object({ id: Type.Integer(), dashboard_id: Type.Integer() })),
    favorited: Type.Boolean(),
    saved: Type.Boolean({ description: 'Always true: every insight is kept until it is deleted.' }),
    tags: Type.Array(Type.String()),
    result: orNull(
      Type.Array(Type.Unsafe<unknown>({}), {
        description:
          'What the query gave: series, steps of a funnel or rows of a retention table; null when none is kept.',
      }),
    ),
    last_refresh: orNull(dateTime),
    is_cached: Type.Boolean({ description: 'Whether the result was computed by an earlier request.' }),
    timezone: orNull(Type.String({ description: 'The zone in which the result’s days begin and end.' })),
    created_at: dateTime,
    created_by: orNull(UserBasic),
    updated_at: dateTime,
    last_modified_at: dateTime,
    last_modified_by: orNull(UserBasic),
  },
  { title: 'Insight' },
)

export type Authors = ReadonlyMap<number, User>

/** The users who created or last changed one of these. */
export async function authorsOf(
  users: UserReader,
  made: { createdById: number | null; lastModifiedById?: number | null }[],
): Promise<Authors> {
  const ids = new Set(made.flatMap((item) => [item.createdById, item.lastModifiedById ?? null]))
  ids.delete(null)
  const found = await users.findMany([...ids] as number[])
  return new Map(found.map((user) => [user.id, user]))
}

/** Null: the server itself. */
export function viewAuthor(authors: Authors, id: number | null) {
  const user = id === null ? undefined : authors.get(id)
  return user ? viewUser(user) : null
}

/** The result of an insight, or why there is none; neither if none is cached. */
export interface InsightShown {
  computed: ComputedInsight | null
  problem: string | null
}

export const viewInsight = (insight: Insight, authors: Authors, timezone: string, shown?: InsightShown) => ({
  id: insight.id,
  short_id: insight.shortId,
  name: insight.name,
  derived_name: insight.derivedName,
  description: insight.description,
  query: insight.query,
  filters: insight.filters,
  order: insight.order,
  deleted: insight.deleted,
  dashboards: insight.placements.map(({ dashboardId }) => dashboardId),
  dashboard_tiles: insight.placements.map(({ id, dashboardId }) => ({ id, dashboard_id: dashboardId })),
  favorited: insight.favorited,
  saved: true,
  tags: insight.tags,
  result: (shown?.computed?.result.rows ?? null) as unknown[] | null,
  last_refresh: formatOptional(shown?.computed?.lastRefresh ?? null),
  is_cached: shown?.computed?.isCached ?? false,
  timezone: shown?.computed ? timezone : null,
  created_at: formatInstant(insight.createdAt),
  created_by: viewAuthor(authors, insight.createdById),
  updated_at: formatInstant(insight.lastModifiedAt),
  last_modified_at: formatInstant(insight.lastModifiedAt),
  last_modified_by: viewAuthor(authors, insight.lastModifiedById),
})

export type InsightView = ReturnType<typeof viewInsight>

export const INSIGHT_EXAMPLE = {
  id: 1,
  short_id: 'k3QdZ81m',
  name: 'Daily active users (DAUs)',
  derived_name: null,
  description: 'How many people did something, day by day.',
  query: {
    kind: 'InsightVizNode',
    source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview', math: 'dau' }] },
  },
  filters: {},
  order: null,
  deleted: false,
  dashboards: [1],
  dashboard_tiles: [{ id: 1, dashboard_id: 1 }],
  favorited: false,
  saved: true,
  tags: ['growth'],
  result: null,
  last_refresh: null,
  is_cached: false,
  timezone: null,
  created_at: '2026-03-01T09:00:00Z',
  created_by: USER_EXAMPLE,
  updated_at: '2026-03-01T09:00:00Z',
  last_modified_at: '2026-03-01T09:00:00Z',
  last_modified_by: USER_EXAMPLE,
}
