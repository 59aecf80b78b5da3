/** An insight as the API shows it, on its own and inside the tiles of a dashboard. Its result is computed elsewhere. */
import { type Static, type TSchema, Type } from 'typebox'
import { formatInstant } from '../lib/time.ts'
import type { Insight } from '../model/insight.ts'
import type { User, UserReader } from '../model/user.ts'
import { USER_EXAMPLE, UserBasic, viewUser } from './user-view.ts'

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
    result: Type.Null(),
    last_refresh: Type.Null(),
    created_at: dateTime,
    created_by: orNull(UserBasic),
    updated_at: dateTime,
    last_modified_at: dateTime,
    last_modified_by: orNull(UserBasic),
  },
  { title: 'Insight' },
)

export type Authors = ReadonlyMap<number, User>

/** Everyone who made or last changed one of these. */
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

export const viewInsight = (insight: Insight, authors: Authors) => ({
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
  result: null,
  last_refresh: null,
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
  created_at: '2026-03-01T09:00:00Z',
  created_by: USER_EXAMPLE,
  updated_at: '2026-03-01T09:00:00Z',
  last_modified_at: '2026-03-01T09:00:00Z',
  last_modified_by: USER_EXAMPLE,
}
