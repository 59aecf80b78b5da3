/** Shapes of insights on the wire as input; the output is in rules/insights/insight-view.ts. */
import { type Static, Type } from 'typebox'
import { pageQuery } from '../../http/output/pagination.ts'
import { FreeForm, Line, Nullable, Relation } from '../../http/schema.ts'
import { REFRESH_DESCRIPTION } from '../../rules/insight-queries/refresh.ts'

const MAX_INT32 = 2_147_483_647

/** Nothing is required: an insight may be created first and get its query later. */
export const InsightInputBody = Type.Object({
  name: Type.Optional(Nullable(Line({ maxLength: 400 }))),
  derived_name: Type.Optional(Nullable(Line({ maxLength: 400 }))),
  description: Type.Optional(Nullable(Type.String({ maxLength: 400 }))),
  query: Type.Optional(
    Nullable(FreeForm({ description: 'Such as a TrendsQuery inside an InsightVizNode; kept as it is given.' })),
  ),
  filters: Type.Optional(FreeForm({ description: 'The older form of a query; kept as it is given.' })),
  order: Type.Optional(Nullable(Type.Integer({ minimum: -MAX_INT32 - 1, maximum: MAX_INT32 }))),
  deleted: Type.Optional(Type.Boolean({ description: '`false` brings a deleted insight back.' })),
  dashboards: Type.Optional(
    Nullable(Type.Array(Relation(), { maxItems: 100, description: 'All dashboards that it is to be on.' })),
  ),
  favorited: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Line({ maxLength: 255 }), { maxItems: 100 })),
})

export const InsightQuery = Type.Object({
  ...pageQuery(),
  short_id: Type.Optional(Type.String({ description: 'The one with this short id.' })),
  saved: Type.Optional(Type.Boolean({ description: 'All are saved: `false` finds none.' })),
  favorited: Type.Optional(Type.Boolean()),
  created_by: Type.Optional(Type.String({ description: 'UUID of a user.' })),
  dashboard: Type.Optional(Type.Integer({ description: 'Those on this dashboard.' })),
  deleted: Type.Optional(Type.Boolean({ description: 'Only deleted ones; without it, only those that are not.' })),
  basic: Type.Optional(Type.Boolean({ description: 'Without results.' })),
  search: Type.Optional(
    Type.String({ description: 'Words that must all be in the name, derived name, description or a tag.' }),
  ),
})

export type InsightListQuery = Static<typeof InsightQuery>

export const ReadQuery = Type.Object({
  refresh: Type.Optional(Type.String({ description: `${REFRESH_DESCRIPTION} Without it: \`force_cache\`.` })),
})

export const InsightParams = Type.Object({ id: Type.String({ description: 'The integer id or the short id.' }) })
