/** Dashboards and their tiles in SQL. */

import { type Selectable, type SqlBool, sql } from 'kysely'
import { chunks } from '../../../lib/lists/lists.ts'
import type {
  CreationMode,
  Dashboard,
  DashboardFilter,
  DashboardReader,
  DashboardWriter,
  NewDashboard,
  Tile,
} from '../../../model/insights/dashboard.ts'
import { AT_ONCE, type Connection } from '../connection.ts'
import { type Index, within } from '../queries/index-scan.ts'
import { pageRows } from '../queries/page-rows.ts'
import { type SortedList, sortedPage } from '../queries/sorted-page.ts'
import { containsWords } from '../queries/word-search.ts'
import type { DashboardTable, TileTable } from '../tables.ts'
import { readTags } from './insights.ts'

type Row = Selectable<DashboardTable>

const toTile = (row: Pick<Selectable<TileTable>, 'id' | 'insight_id' | 'layouts' | 'color'>): Tile => ({
  id: row.id,
  insightId: row.insight_id,
  layouts: JSON.parse(row.layouts),
  color: row.color,
})

const toDashboard = (row: Row, tiles: Tile[]): Dashboard => ({
  id: row.id,
  projectId: row.project_id,
  name: row.name,
  description: row.description,
  pinned: row.pinned === 1,
  tags: readTags(row.tags),
  tiles,
  filters: JSON.parse(row.filters),
  creationMode: row.creation_mode as CreationMode,
  isDefault: row.is_default === 1,
  createdAt: row.created_at,
  createdById: row.created_by,
  deleted: row.deleted === 1,
})

const toRow = (dashboard: NewDashboard) => ({
  project_id: dashboard.projectId,
  name: dashboard.name,
  description: dashboard.description,
  pinned: dashboard.pinned ? (1 as const) : (0 as const),
  tags: dashboard.tags.join('\n'),
  filters: JSON.stringify(dashboard.filters),
  creation_mode: dashboard.creationMode,
  is_default: dashboard.isDefault ? (1 as const) : (0 as const),
  created_at: dashboard.createdAt,
  created_by: dashboard.createdById,
  deleted: dashboard.deleted ? (1 as const) : (0 as const),
})

async function withTiles({ db }: Connection, rows: Row[]): Promise<Dashboard[]> {
  const tilesOf = new Map<number, Tile[]>(rows.map((row) => [row.id, []]))
  for (const part of chunks([...tilesOf.keys()], AT_ONCE)) {
    const tiles = await db
      .selectFrom('dashboard_tiles')
      .innerJoin('insights', 'insights.id', 'dashboard_tiles.insight_id')
      .selectAll('dashboard_tiles')
      .where('dashboard_tiles.dashboard_id', 'in', part)
      .where('insights.deleted', '=', 0)
      .orderBy('dashboard_tiles.id')
      .execute()
    for (const tile of tiles) tilesOf.get(tile.dashboard_id)?.push(toTile(tile))
  }
  return rows.map((row) => toDashboard(row, tilesOf.get(row.id) ?? []))
}

const SEARCHED = ['dashboards.name', 'dashboards.description', 'dashboards.tags']

const LONG = ['description', 'filters', 'tags'] satisfies (keyof DashboardTable)[]

function filtered(connection: Connection, { deleted, pinned, search }: DashboardFilter) {
  let query = connection.db.selectFrom('dashboards').where('deleted', '=', deleted ? 1 : 0)
  if (pinned !== undefined) query = query.where('pinned', '=', pinned ? 1 : 0)
  return search ? query.where(containsWords(connection, SEARCHED, search)) : query
}

/** Pinned ones first, then by name, then by id. */
function byName(connection: Connection, filter: DashboardFilter): SortedList {
  const of = sql<SqlBool>`project_id = ${filter.projectId}`
  const index: Index = { table: 'dashboards', of, by: [sql`id`], descending: false }
  const name = connection.dialect.fold(sql.ref('dashboards.name')).as('name')
  return {
    index,
    async keysIn(range) {
      const rows = await filtered(connection, filter)
        .where(within(index, range))
        .select(['id', 'pinned', name])
        .execute()
      return rows.map((row) => ({ id: row.id, by: [row.pinned, row.name, row.id] }))
    },
    descending: [true, false, false],
  }
}

export function dashboardReader(connection: Connection): DashboardReader {
  const { db } = connection
  const one = async (row: Row | undefined): Promise<Dashboard | null> => {
    const [dashboard] = row ? await withTiles(connection, [row]) : []
    return dashboard ?? null
  }
  const ofProject = (projectId: number) => db.selectFrom('dashboards').selectAll().where('project_id', '=', projectId)
  return {
    find: async (projectId, id) => one(await ofProject(projectId).where('id', '=', id).executeTakeFirst()),
    findDefault: async (projectId) =>
      one(await ofProject(projectId).where('is_default', '=', 1).where('deleted', '=', 0).executeTakeFirst()),
    async list(filter, page) {
      const { count, ids } = await sortedPage(connection, byName(connection, filter), page)
      const rows = await pageRows(connection, 'dashboards', ids, LONG)
      return { count, items: await withTiles(connection, rows) }
    },
  }
}

/** The tiles of one dashboard, inside a transaction. */
function tileWriter({ db }: Connection): Pick<DashboardWriter, 'addTile' | 'updateTile' | 'removeTile'> {
  const tilesOf = (dashboardId: number) =>
    db.selectFrom('dashboard_tiles').selectAll().where('dashboard_id', '=', dashboardId)
  return {
    async addTile(dashboardId, { insightId, layouts, color }) {
      const { project_id } = await db
        .selectFrom('dashboards')
        .select('project_id')
        .where('id', '=', dashboardId)
        .executeTakeFirstOrThrow()
      await db
        .insertInto('dashboard_tiles')
        .values({
          project_id,
          dashboard_id: dashboardId,
          insight_id: insightId,
          layouts: JSON.stringify(layouts),
          color,
        })
        .onConflict((conflict) => conflict.columns(['dashboard_id', 'insight_id']).doNothing())
        .execute()
      return toTile(await tilesOf(dashboardId).where('insight_id', '=', insightId).executeTakeFirstOrThrow())
    },
    async updateTile(dashboardId, tileId, patch) {
      const row = await tilesOf(dashboardId).where('id', '=', tileId).executeTakeFirst()
      if (!row) return null
      const next = { ...toTile(row), ...patch }
      const set = { layouts: JSON.stringify(next.layouts), color: next.color }
      await db.updateTable('dashboard_tiles').set(set).where('id', '=', tileId).execute()
      return next
    },
    async removeTile(dashboardId, insightId) {
      const { numDeletedRows } = await db
        .deleteFrom('dashboard_tiles')
        .where('dashboard_id', '=', dashboardId)
        .where('insight_id', '=', insightId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

export function dashboardWriter(connection: Connection): DashboardWriter {
  const { db } = connection
  const reader = dashboardReader(connection)
  /** A project has at most one default: the mark moves. */
  const unmark = (projectId: number) =>
    db.updateTable('dashboards').set({ is_default: 0 }).where('project_id', '=', projectId).execute()
  return {
    ...reader,
    ...tileWriter(connection),
    async create(dashboard) {
      if (dashboard.isDefault) await unmark(dashboard.projectId)
      const row = await db.insertInto('dashboards').values(toRow(dashboard)).returningAll().executeTakeFirstOrThrow()
      return toDashboard(row, [])
    },
    async update(projectId, id, patch) {
      const current = await reader.find(projectId, id)
      if (!current) return null
      if (patch.isDefault) await unmark(projectId)
      const next = { ...current, ...patch }
      await db.updateTable('dashboards').set(toRow(next)).where('id', '=', id).execute()
      return next
    },
  }
}
