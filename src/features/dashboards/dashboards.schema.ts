/** Shapes of dashboards on the wire. Lists leave out the tiles, each of which holds a whole insight. */
import { type Static, Type } from 'typebox'
import { pageQuery } from '../../http/output/pagination.ts'
import { Body, Choice, DateTime, FreeForm, Line, Nullable, Relation } from '../../http/schema.ts'
import { USER_EXAMPLE, UserBasic } from '../../rules/accounts/user-view.ts'
import { REFRESH_DESCRIPTION } from '../../rules/insight-queries/refresh.ts'
import { INSIGHT_EXAMPLE, InsightBody } from '../../rules/insights/insight-view.ts'

const basic = {
  id: Type.Integer(),
  name: Nullable(Type.String()),
  description: Type.String(),
  pinned: Type.Boolean(),
  tags: Type.Array(Type.String()),
  created_at: DateTime(),
  created_by: Nullable(UserBasic),
  is_shared: Type.Boolean({ description: 'Always false: dashboards are not shared.' }),
  deleted: Type.Boolean(),
  creation_mode: Choice(['default', 'template', 'duplicate', 'unlisted']),
}

export const DashboardListItem = Body(basic, { title: 'DashboardListItem' })

export const DashboardBody = Body(
  {
    ...basic,
    filters: FreeForm({ description: 'What narrows every insight on it; kept as it is given.' }),
    tiles: Type.Array(
      Type.Object({
        id: Type.Integer(),
        order: Type.Integer({ description: 'In reading order, from 0: follows from the layout for `sm`.' }),
        layouts: FreeForm({ description: 'By the name of the grid: x, y, w and h.' }),
        color: Nullable(Type.String()),
        error: Nullable(Type.String({ description: 'Why the insight could not be computed.' })),
        insight: InsightBody,
      }),
    ),
  },
  { title: 'Dashboard' },
)

const TileChange = Type.Object({
  id: Relation({ description: 'A tile of this dashboard.' }),
  layouts: Type.Optional(FreeForm({ description: 'By the name of the grid: x, y, w and h, and what a client adds.' })),
  color: Type.Optional(Nullable(Type.String({ maxLength: 400 }))),
  deleted: Type.Optional(Nullable(Type.Boolean({ description: '`true` takes the tile off the dashboard.' }))),
})

const input = {
  name: Type.Optional(Nullable(Line({ maxLength: 400 }))),
  description: Type.Optional(Type.String()),
  pinned: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Line({ maxLength: 255 }), { maxItems: 100 })),
  filters: Type.Optional(FreeForm({ description: 'Kept as it is given.' })),
}

export const NewDashboardBody = Type.Object(input)

export const DashboardPatchBody = Type.Object({
  ...input,
  deleted: Type.Optional(Type.Boolean({ description: '`false` brings a deleted dashboard back.' })),
  tiles: Type.Optional(
    Type.Array(TileChange, { maxItems: 1_000, description: 'Changes of tiles by their id; others stay as they are.' }),
  ),
})

export const DashboardQuery = Type.Object({
  ...pageQuery(),
  pinned: Type.Optional(Type.Boolean()),
  deleted: Type.Optional(Type.Boolean({ description: 'Only deleted ones; without it, only those that are not.' })),
  search: Type.Optional(Type.String({ description: 'Words that must all be in the name, the description or a tag.' })),
})

export type DashboardListQuery = Static<typeof DashboardQuery>

export const ReadQuery = Type.Object({
  refresh: Type.Optional(Type.String({ description: `${REFRESH_DESCRIPTION} Without it: \`force_cache\`.` })),
})

export const DashboardParams = Type.Object({ id: Type.String({ description: 'The integer id of a dashboard.' }) })

export const DASHBOARD_LIST_EXAMPLE = {
  id: 1,
  name: 'My App Dashboard',
  description: 'Who uses it, how often they come back and where they come from.',
  pinned: true,
  tags: [],
  created_at: '2026-03-01T09:00:00Z',
  created_by: USER_EXAMPLE,
  is_shared: false,
  deleted: false,
  creation_mode: 'template',
}

export const DASHBOARD_EXAMPLE = {
  ...DASHBOARD_LIST_EXAMPLE,
  filters: {},
  tiles: [
    {
      id: 1,
      order: 0,
      layouts: { sm: { x: 0, y: 0, w: 6, h: 5 } },
      color: 'blue',
      error: null,
      insight: INSIGHT_EXAMPLE,
    },
  ],
}
