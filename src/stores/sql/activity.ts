/** The activity log in SQL. */
import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Activity, ActivityDetail, ActivityFilter, ActivityReader, ActivityWriter } from '../../model/activity.ts'
import type { Connection } from './connection.ts'
import { newestAfter, newestPage } from './newest.ts'
import type { ActivityTable, Tables } from './tables.ts'

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
})

/** What remains of an entry whose person was erased: the fact and the shape, no value, key or name. */
function erased(detail: ActivityDetail): ActivityDetail {
  const changes = detail.changes?.map(({ type, action, field }) => ({ type, action, field, before: null, after: null }))
  return { ...detail, name: null, changes: changes ?? null }
}

/** What a split or a merge noted, less some of the ids in its lists. */
function without(detail: ActivityDetail, gone: Set<unknown>): ActivityDetail {
  const rest = (value: unknown) => (Array.isArray(value) ? value.filter((id) => !gone.has(id)) : value)
  const changes = detail.changes?.map((change) => {
    const lists = Object.entries((change.after ?? {}) as object).map(([name, value]) => [name, rest(value)])
    return { ...change, after: change.after && Object.fromEntries(lists) }
  })
  return { ...detail, changes: changes ?? null }
}

type Owner = (eb: ExpressionBuilder<Tables, 'activity'>) => Expression<SqlBool>

const ofProject = (id: number): Owner => {
  return (eb) => eb('project_id', '=', id)
}
const ofOrganization = (id: string): Owner => {
  return (eb) => eb.and([eb('project_id', 'is', null), eb('organization_id', '=', id)])
}
const ownersOf = ({ projectId, organizationId }: ActivityFilter): Owner[] => [
  ofProject(projectId),
  ...(organizationId === undefined ? [] : [ofOrganization(organizationId)]),
]

function newestFirst(a: Activity, b: Activity): number {
  if (a.id === b.id) return 0
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
}

export function activityReader(connection: Connection): ActivityReader {
  const { db } = connection
  const filtered = ({ scope, itemId, user }: ActivityFilter, owners: Owner[]) => {
    let query = db.selectFrom('activity').where((eb) => eb.or(owners.map((owner) => owner(eb))))
    if (scope !== undefined) query = query.where('scope', '=', scope)
    if (itemId !== undefined) query = query.where('item_id', '=', itemId)
    if (user && 'id' in user) query = query.where('user_id', '=', user.id)
    if (user && 'uuid' in user) {
      query = query.where('user_id', 'in', db.selectFrom('users').select('id').where('uuid', '=', user.uuid))
    }
    return query
  }
  return {
    async page(filter, page) {
      const { count, items } = await newestPage(connection, filtered(filter, ownersOf(filter)), ['detail'], page)
      return { total: count, items: items.map(toActivity) }
    },
    async pageAfter(filter, after, limit) {
      // Each owner's in the order of the index: one query with OR sorts all that is left of the log for every page.
      const parts: Activity[][] = []
      for (const owner of ownersOf(filter)) {
        parts.push((await newestAfter(connection, filtered(filter, [owner]), after, ['detail'], limit)).map(toActivity))
      }
      // Beyond the end of a part there may be more of it, which must not be passed over.
      const [edge] = parts.flatMap((part) => part.slice(-1)).sort(newestFirst)
      const found = parts.flat().filter((entry) => edge && newestFirst(entry, edge) <= 0)
      return found.sort(newestFirst).slice(0, limit)
    },
  }
}

export function activityWriter(connection: Connection): ActivityWriter {
  const { db, dialect } = connection
  const save = async (id: string, detail: ActivityDetail) => {
    await db
      .updateTable('activity')
      .set({ detail: JSON.stringify(detail) })
      .where('id', '=', id)
      .execute()
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
        })
        .execute()
    },
    async erase(projectId, scope, itemId) {
      const rows = await db
        .selectFrom('activity')
        .select(['id', 'detail'])
        .where('project_id', '=', projectId)
        .where('scope', '=', scope)
        .where('item_id', '=', itemId)
        .execute()
      for (const row of rows) await save(row.id, erased(JSON.parse(row.detail)))
    },
    async forgetDistinctIds(projectId, distinctIds) {
      // A literal: the index of splits serves no bound value.
      const splits = mentioning(projectId, distinctIds).where('activity', '=', sql.lit('split_person'))
      const rows = await mentioning(projectId, distinctIds)
        .select(['id', 'detail'])
        .where('activity', 'in', ['split_person', 'people_merged_into'])
        .where('item_id', 'in', splits.select('item_id'))
        .execute()
      const gone = new Set<unknown>(distinctIds)
      for (const row of rows) await save(row.id, without(JSON.parse(row.detail), gone))
    },
  }
}
