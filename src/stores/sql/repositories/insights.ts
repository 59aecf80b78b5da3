/** Insights in SQL. Their placements are read from the tiles, which dashboards.ts writes. */

import { type Selectable, type SqlBool, sql } from 'kysely'
import { chunks } from '../../../lib/lists/lists.ts'
import type {
  Insight,
  InsightFilter,
  InsightReader,
  InsightWriter,
  NewInsight,
  Placement,
} from '../../../model/insights/insight.ts'
import { AT_ONCE, type Connection } from '../connection.ts'
import type { Index } from '../queries/index-scan.ts'
import { type Listed, newestPage } from '../queries/newest-first.ts'
import { containsWords } from '../queries/word-search.ts'
import type { InsightTable } from '../tables.ts'

type Row = Selectable<InsightTable>

const toInsight = (row: Row, placements: Placement[]): Insight => ({
  id: row.id,
  projectId: row.project_id,
  shortId: row.short_id,
  name: row.name,
  derivedName: row.derived_name,
  description: row.description,
  query: row.query === null ? null : JSON.parse(row.query),
  filters: JSON.parse(row.filters),
  favorited: row.favorited === 1,
  tags: readTags(row.tags),
  order: row.position,
  placements,
  createdAt: row.created_at,
  createdById: row.created_by,
  lastModifiedAt: row.last_modified_at,
  lastModifiedById: row.last_modified_by,
  deleted: row.deleted === 1,
})

const toRow = (insight: NewInsight) => ({
  project_id: insight.projectId,
  short_id: insight.shortId,
  name: insight.name,
  derived_name: insight.derivedName,
  description: insight.description,
  query: insight.query === null ? null : JSON.stringify(insight.query),
  filters: JSON.stringify(insight.filters),
  favorited: insight.favorited ? (1 as const) : (0 as const),
  tags: insight.tags.join('\n'),
  position: insight.order,
  created_at: insight.createdAt,
  created_by: insight.createdById,
  last_modified_at: insight.lastModifiedAt,
  last_modified_by: insight.lastModifiedById,
  deleted: insight.deleted ? (1 as const) : (0 as const),
})

/** Tags are stored one per line; model/insights/insight.ts promises that none contains a line break. */
export const readTags = (lines: string): string[] => (lines === '' ? [] : lines.split('\n'))

async function withPlacements({ db }: Connection, rows: Row[]): Promise<Insight[]> {
  const placementsOf = new Map<number, Placement[]>(rows.map((row) => [row.id, []]))
  for (const part of chunks([...placementsOf.keys()], AT_ONCE)) {
    const tiles = await db
      .selectFrom('dashboard_tiles')
      .innerJoin('dashboards', 'dashboards.id', 'dashboard_tiles.dashboard_id')
      .select(['dashboard_tiles.id', 'dashboard_tiles.insight_id', 'dashboard_tiles.dashboard_id'])
      .where('dashboard_tiles.insight_id', 'in', part)
      .where('dashboards.deleted', '=', 0)
      .orderBy('dashboard_tiles.dashboard_id')
      .execute()
    for (const tile of tiles) {
      placementsOf.get(tile.insight_id)?.push({ id: tile.id, dashboardId: tile.dashboard_id })
    }
  }
  return rows.map((row) => toInsight(row, placementsOf.get(row.id) ?? []))
}

const LONG: Listed<'insights'>['long'] = ['query', 'filters', 'description', 'tags']
const SEARCHED = ['insights.name', 'insights.derived_name', 'insights.description', 'insights.tags']

function listed(connection: Connection, filter: InsightFilter): Listed<'insights'> {
  const { projectId, deleted, shortId, favorited, createdByUuid, dashboardId, search } = filter
  const project = sql<SqlBool>`project_id = ${projectId}`
  // A short id has an index of its own.
  const of = shortId === undefined ? project : sql<SqlBool>`${project} and short_id = ${shortId}`
  const conditions = [
    sql`deleted = ${deleted ? 1 : 0}`,
    ...(favorited === undefined ? [] : [sql`favorited = ${favorited ? 1 : 0}`]),
    ...(createdByUuid === undefined ? [] : [sql`created_by in (select id from users where uuid = ${createdByUuid})`]),
    ...(dashboardId === undefined
      ? []
      : [
          sql`exists (select 1 from dashboard_tiles
            where dashboard_tiles.dashboard_id = ${dashboardId} and dashboard_tiles.insight_id = insights.id)`,
        ]),
    ...(search ? [containsWords(connection, SEARCHED, search)] : []),
  ]
  const index: Index = { table: 'insights', of, by: [sql`created_at`, sql`id`], descending: true }
  const condition = sql<SqlBool>`${sql.join(conditions, sql` and `)}`
  return { table: 'insights', parts: [{ index, condition }], long: LONG }
}

export function insightReader(connection: Connection): InsightReader {
  const { db } = connection
  const one = async (row: Row | undefined): Promise<Insight | null> => {
    const [insight] = row ? await withPlacements(connection, [row]) : []
    return insight ?? null
  }
  const ofProject = (projectId: number) => db.selectFrom('insights').selectAll().where('project_id', '=', projectId)
  return {
    find: async (projectId, id) => one(await ofProject(projectId).where('id', '=', id).executeTakeFirst()),
    findByShortId: async (projectId, shortId) =>
      one(await ofProject(projectId).where('short_id', '=', shortId).executeTakeFirst()),
    async findMany(projectId, ids) {
      const found: Insight[] = []
      for (const part of chunks([...new Set(ids)], AT_ONCE)) {
        found.push(...(await withPlacements(connection, await ofProject(projectId).where('id', 'in', part).execute())))
      }
      return found
    },
    async list(filter, page) {
      const { count, items } = await newestPage(connection, listed(connection, filter), page)
      return { count, items: await withPlacements(connection, items) }
    },
  }
}

export function insightWriter(connection: Connection): InsightWriter {
  const { db } = connection
  const reader = insightReader(connection)
  return {
    ...reader,
    async create(insight) {
      const row = await db.insertInto('insights').values(toRow(insight)).returningAll().executeTakeFirstOrThrow()
      return toInsight(row, [])
    },
    async update(projectId, id, patch) {
      const current = await reader.find(projectId, id)
      if (!current) return null
      const next = { ...current, ...patch }
      await db.updateTable('insights').set(toRow(next)).where('id', '=', id).execute()
      return next
    },
  }
}
