/**
 * Insights: saved queries to the event store. The query is stored as given; deleting an insight only
 * marks it. Names in quotes are the fields of the API where they differ by more than their case.
 */

/** Where an insight is shown. */
export interface Placement {
  /** Of the tile. */
  id: number
  dashboardId: number
}

export interface Insight {
  /** Ascending, never reused. */
  id: number
  projectId: number
  /** "short_id": 8 random characters of base62, unique within the project. */
  shortId: string
  /** At most 400 characters, as `derivedName`. */
  name: string | null
  /** "derived_name": what a client calls it while it has no name. */
  derivedName: string | null
  description: string | null
  /** Checked by features/insights/query-shape.ts; null for an insight that only has `filters`. */
  query: Record<string, unknown> | null
  /** The older form of a query; stored as given, `{}` when there is none. */
  filters: Record<string, unknown>
  favorited: boolean
  /** Without line breaks or duplicates. */
  tags: string[]
  order: number | null
  /** "dashboards", "dashboard_tiles": its tiles on dashboards that are not deleted, by the dashboard; see DashboardWriter. */
  placements: Placement[]
  createdAt: number
  /** "created_by"; null: the server itself. */
  createdById: number | null
  lastModifiedAt: number
  /** "last_modified_by". */
  lastModifiedById: number | null
  deleted: boolean
}

export type NewInsight = Omit<Insight, 'id' | 'placements'>

type InsightPatch = Partial<Omit<Insight, 'id' | 'projectId' | 'shortId' | 'placements' | 'createdAt' | 'createdById'>>

export interface InsightFilter {
  projectId: number
  deleted: boolean
  shortId?: string
  favorited?: boolean
  createdByUuid?: string
  /** Those with a tile on this dashboard. */
  dashboardId?: number
  /** Words; each must be contained, case-insensitive, in the name, derived name, description or a tag. */
  search?: string[]
}

export interface InsightReader {
  /** Deleted ones too; null when the project has no such insight. */
  find(projectId: number, id: number): Promise<Insight | null>
  findByShortId(projectId: number, shortId: string): Promise<Insight | null>
  /** Those of `ids` that the project has, deleted ones too, in no order. */
  findMany(projectId: number, ids: number[]): Promise<Insight[]>
  /** One page and the total of all; newest first, by (createdAt, id). Exact pages. */
  list(filter: InsightFilter, page: { limit: number; offset: number }): Promise<{ count: number; items: Insight[] }>
}

export interface InsightWriter extends InsightReader {
  /** Rejects when the project has the short id already. */
  create(insight: NewInsight): Promise<Insight>
  /** Absent fields stay; null when the project has no such insight. */
  update(projectId: number, id: number, patch: InsightPatch): Promise<Insight | null>
}
