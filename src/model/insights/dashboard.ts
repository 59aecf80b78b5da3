/**
 * Dashboards and their tiles. A tile places one insight on one dashboard; deleting a dashboard only marks
 * it, its insights stay. Names in quotes are the fields of the API where they differ by more than their case.
 */

/** Where a tile sits on one grid; `sm` has twelve columns, `xs` one. Clients add further keys. */
export interface TileLayout {
  x: number
  y: number
  w: number
  h: number
  [key: string]: unknown
}

export interface Tile {
  /** Ascending, never reused. */
  id: number
  insightId: number
  /** By the grid's name. */
  layouts: Record<string, TileLayout>
  color: string | null
}

export type NewTile = Omit<Tile, 'id'>

export type CreationMode = 'default' | 'template' | 'duplicate' | 'unlisted'

export interface Dashboard {
  /** Ascending, never reused. */
  id: number
  projectId: number
  /** At most 400 characters. */
  name: string | null
  description: string
  pinned: boolean
  /** Without line breaks or duplicates. */
  tags: string[]
  /** In the order of their ids; those whose insight is deleted are left out. */
  tiles: Tile[]
  /** Filters applied to every insight on it; stored as given. */
  filters: Record<string, unknown>
  creationMode: CreationMode
  /** Not in the API: the project's dashboard that a subscription without dashboard and insight delivers. */
  isDefault: boolean
  createdAt: number
  /** "created_by"; null: the server itself. */
  createdById: number | null
  deleted: boolean
}

export type NewDashboard = Omit<Dashboard, 'id' | 'tiles'>

type DashboardPatch = Partial<
  Pick<Dashboard, 'name' | 'description' | 'pinned' | 'tags' | 'filters' | 'isDefault' | 'deleted'>
>

export interface DashboardFilter {
  projectId: number
  deleted: boolean
  pinned?: boolean
  /** Words; each must be contained, case-insensitive, in the name, description or a tag. */
  search?: string[]
}

export interface DashboardReader {
  /** Deleted ones too; null when the project has no such dashboard. */
  find(projectId: number, id: number): Promise<Dashboard | null>
  /** The project's default one, as long as it is not deleted. */
  findDefault(projectId: number): Promise<Dashboard | null>
  /** One page and the total of all; pinned ones first, then by name (case-insensitive), then by id. Exact pages. */
  list(filter: DashboardFilter, page: { limit: number; offset: number }): Promise<{ count: number; items: Dashboard[] }>
}

export interface DashboardWriter extends DashboardReader {
  /** Without tiles. A new default replaces the previous one. */
  create(dashboard: NewDashboard): Promise<Dashboard>
  /** Absent fields stay; null when the project has no such dashboard. */
  update(projectId: number, id: number, patch: DashboardPatch): Promise<Dashboard | null>
  /** An insight has one tile per dashboard: if it is there already, that tile is returned unchanged. */
  addTile(dashboardId: number, tile: NewTile): Promise<Tile>
  /** Absent fields stay; null when the dashboard has no such tile. */
  updateTile(dashboardId: number, tileId: number, patch: Partial<Pick<Tile, 'layouts' | 'color'>>): Promise<Tile | null>
  /** Takes the insight off the dashboard; false when it was not on it. */
  removeTile(dashboardId: number, insightId: number): Promise<boolean>
}
