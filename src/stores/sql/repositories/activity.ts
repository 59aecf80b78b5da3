/** The activity log in SQL. */
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type {
  Activity,
  ActivityFilter,
  ActivityReader,
  ActivityWriter,
  RewriteDetail,
} from '../../../model/accounts/activity.ts'
import type { Connection } from '../connection.ts'
import type { Index } from '../queries/index-scan.ts'
import { type Listed, newestAfter, newestPage } from '../queries/newest-first.ts'
import type { ActivityTable } from '../tables.ts'

const toActivity = (row: Selectable<ActivityTable>): Activity => ({
  id: row.id,
  projectId: row.project_id,
  organizationId: row.organization_id,
  userId: row.user_id,
  scope: row.scope,
  itemId: row.item_id,
  activity: row.activity,
  detail: JSON.parse(row.detail),
  createdAt: row.created_at,
  undo: row.undo as Activity['undo'],
})

/** Whose entries: a project's own, or those of its organisation as a whole. */
type Owner = { projectId: number } | { organizationId: string }

const ownersOf = ({ projectId, organizationId }: ActivityFilter): Owner[] => [
  { projectId },
  ...(organizationId === undefined ? [] : [{ organizationId }]),
]

/** Entries of one object have an index of their own. */
function indexOf({ dialect }: Connection, { scope, itemId }: ActivityFilter, owner: Owner): Index {
  const project = 'projectId' in owner ? sql`project_id = ${owner.projectId}` : sql`project_id is null`
  const ofItem = scope !== undefined && itemId !== undefined
  const of = ofItem ? sql<SqlBool>`${project} and scope = ${scope} and item_id = ${itemId}` : sql<SqlBool>`${project}`
  return { table: 'activity', of, by: [sql`created_at`, dialect.tie.by], last: dialect.tie.last, descending: true }
}

/** Some by no index, so that the engine uses the one that is scanned. */
function conditionOf(
  { dialect }: Connection,
  { scope, itemId, user }: ActivityFilter,
  owner: Owner,
): RawBuilder<SqlBool> {
  const conditions = [
    sql`1 = 1`,
    ...('organizationId' in owner ? [sql`organization_id = ${owner.organizationId}`] : []),
    ...(scope === undefined ? [] : [sql`${dialect.unindexed(sql`scope`)} = ${scope}`]),
    ...(itemId === undefined ? [] : [sql`${dialect.unindexed(sql`item_id`)} = ${itemId}`]),
    ...(user && 'id' in user ? [sql`user_id = ${user.id}`] : []),
    ...(user && 'uuid' in user ? [sql`user_id in (select id from users where uuid = ${user.uuid})`] : []),
  ]
  return sql`${sql.join(conditions, sql` and `)}`
}

export function activityReader(connection: Connection): ActivityReader {
  const listed = (filter: ActivityFilter): Listed<'activity'> => ({
    table: 'activity',
    parts: ownersOf(filter).map((owner) => ({
      index: indexOf(connection, filter, owner),
      condition: conditionOf(connection, filter, owner),
    })),
    long: ['detail'],
  })
  return {
    async find(id) {
      const row = await connection.db.selectFrom('activity').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toActivity(row) : null
    },
    async page(filter, page) {
      const { count, items } = await newestPage(connection, listed(filter), page)
      return { total: count, items: items.map(toActivity) }
    },
    async pageAfter(filter, after, limit) {
      return (await newestAfter(connection, listed(filter), after, limit)).map(toActivity)
    },
  }
}

export function activityWriter(connection: Connection): ActivityWriter {
  const { db, dialect } = connection
  const rewriteEach = async (rows: { id: string; detail: string }[], rewrite: RewriteDetail) => {
    for (const { id, detail } of rows) {
      const rewritten = JSON.stringify(rewrite(JSON.parse(detail)))
      await db.updateTable('activity').set({ detail: rewritten }).where('id', '=', id).execute()
    }
  }
  const mentioning = (projectId: number, distinctIds: string[]) =>
    db
      .selectFrom('activity')
      .where('project_id', '=', projectId)
      .where('scope', '=', 'Person')
      .where(dialect.mentions('detail', distinctIds))
  return {
    ...activityReader(connection),
    async add(activity) {
      await db
        .insertInto('activity')
        .values({
          id: activity.id,
          project_id: activity.projectId,
          organization_id: activity.organizationId,
          user_id: activity.userId,
          scope: activity.scope,
          item_id: activity.itemId,
          activity: activity.activity,
          detail: JSON.stringify(activity.detail),
          created_at: activity.createdAt,
          undo: activity.undo,
        })
        .execute()
    },
    async rewriteItem({ projectId, scope, itemId }, rewrite) {
      const rows = await db
        .selectFrom('activity')
        .select(['id', 'detail'])
        .where('project_id', '=', projectId)
        .where('scope', '=', scope)
        .where('item_id', '=', itemId)
        .execute()
      await rewriteEach(rows, rewrite)
    },
    async rewriteSplits(projectId, distinctIds, rewrite) {
      // A literal: the index of splits serves no bound value.
      const splits = mentioning(projectId, distinctIds).where('activity', '=', sql.lit('split_person'))
      const rows = await mentioning(projectId, distinctIds)
        .select(['id', 'detail'])
        .where('activity', 'in', ['split_person', 'people_merged_into'])
        .where('item_id', 'in', splits.select('item_id'))
        .execute()
      await rewriteEach(rows, rewrite)
    },
  }
}
