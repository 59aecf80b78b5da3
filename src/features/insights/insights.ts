/**
 * Creating, reading, changing and deleting insights, and placing them on dashboards. Each change is one transaction
 * that also writes the activity entry. Deleting only marks; a deleted one is not found until it is restored.
 */
import type { Remember } from '../../http/route.ts'
import { isJsonObject } from '../../lib/json/json.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { ActivityChange } from '../../model/accounts/activity.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Insight, InsightFilter } from '../../model/insights/insight.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { addActivity } from '../../rules/activity/activity-entry.ts'
import { fieldChanges } from '../../rules/activity/field-changes.ts'
import { authorUuid, searchWords } from '../../rules/filters/list-filter.ts'
import { readRefresh } from '../../rules/insight-queries/refresh.ts'
import { findInsight, liveInsight } from '../../rules/insights/find-insight.ts'
import { newShortId } from '../../rules/insights/insight-fields.ts'
import { authorsOf, type InsightView, viewInsight } from '../../rules/insights/insight-view.ts'
import type { InsightResults } from './compute/insight-results.ts'
import { type Editable, type InsightInput, readInsight } from './insight-input.ts'
import type { InsightListQuery } from './insights.schema.ts'

export interface InsightsParts {
  stores: Pick<Stores, 'insights' | 'users' | 'transaction'>
  clock: Clock
  show: InsightResults
}

const EMPTY: Editable = {
  name: null,
  derivedName: null,
  description: null,
  query: null,
  filters: {},
  order: null,
  deleted: false,
  favorited: false,
  tags: [],
}

const readFilter = (projectId: number, query: InsightListQuery): InsightFilter => ({
  projectId,
  deleted: query.deleted ?? false,
  ...(query.short_id ? { shortId: query.short_id } : {}),
  ...(query.favorited === undefined ? {} : { favorited: query.favorited }),
  ...(query.created_by ? { createdByUuid: authorUuid(query.created_by) } : {}),
  ...(query.dashboard === undefined ? {} : { dashboardId: query.dashboard }),
  ...(query.search ? { search: searchWords(query.search) } : {}),
})

const loggedFields = (insight: Insight) => ({
  name: insight.name,
  derived_name: insight.derivedName,
  description: insight.description,
  query: insight.query,
  filters: insight.filters,
  order: insight.order,
  deleted: insight.deleted,
  dashboards: insight.placements.map(({ dashboardId }) => dashboardId),
  favorited: insight.favorited,
  tags: insight.tags,
})

const note = (
  tx: SqlWriters,
  actor: Actor,
  insight: Insight,
  entry: { activity: 'created' | 'updated' | 'deleted'; changes: ActivityChange[] | null },
  now: number,
) => {
  const about = {
    scope: 'Insight',
    itemId: String(insight.id),
    name: insight.name ?? insight.derivedName,
    shortId: insight.shortId,
  }
  return addActivity(tx, actor, { ...about, ...entry }, now)
}

/** Puts the insight on exactly these dashboards; its tiles on deleted ones stay. */
async function place(tx: SqlWriters, insight: Insight, dashboardIds: number[]): Promise<void> {
  const present = insight.placements.map(({ dashboardId }) => dashboardId)
  for (const id of present.filter((candidate) => !dashboardIds.includes(candidate))) {
    await tx.dashboards.removeTile(id, insight.id)
  }
  for (const id of dashboardIds.filter((candidate) => !present.includes(candidate))) {
    await tx.dashboards.addTile(id, { insightId: insight.id, layouts: {}, color: null })
  }
}

/** Stores a change and its log entry; nothing is written when nothing changes. */
async function change(
  tx: SqlWriters,
  actor: Actor,
  before: Insight,
  { fields, dashboardIds }: InsightInput,
  now: number,
): Promise<Insight> {
  if (dashboardIds) await place(tx, before, dashboardIds)
  const { projectId, id } = before
  const placed = dashboardIds ? await tx.insights.find(projectId, id) : before
  const after = { ...(placed ?? before), ...fields }
  const changes = fieldChanges('Insight', loggedFields(before), loggedFields(after))
  if (changes.length === 0) return before
  const modified = { ...fields, lastModifiedAt: now, lastModifiedById: actor.caller.user.id }
  await tx.insights.update(projectId, id, modified)
  const activity = after.deleted && !before.deleted ? 'deleted' : 'updated'
  await note(tx, actor, after, { activity, changes }, now)
  return { ...after, ...modified }
}

const dashboardsOf = (tx: SqlWriters, projectId: number) => async (id: number) =>
  (await tx.dashboards.find(projectId, id))?.deleted === false

export function createInsights({ stores, clock, show }: InsightsParts) {
  return {
    async list(project: Project, query: InsightListQuery, page: { limit: number; offset: number }) {
      const filter = readFilter(project.id, query)
      if (query.saved === false) return { count: 0, results: [] }
      const { count, items } = await stores.insights.list(filter, page)
      const authors = await authorsOf(stores.users, items)
      const shown = query.basic ? null : await show.many(project, items, 'cached')
      return { count, results: items.map((item) => viewInsight(item, authors, project.timezone, shown?.get(item.id))) }
    },
    async retrieve(project: Project, id: string, refresh?: string): Promise<InsightView> {
      const eagerness = readRefresh(refresh, 'cached')
      const insight = liveInsight(await findInsight(stores.insights, project.id, id))
      const shown = await show.one(project, insight, eagerness)
      return viewInsight(insight, await authorsOf(stores.users, [insight]), project.timezone, shown)
    },
    create: (actor: Actor, body: unknown, remember: Remember): Promise<InsightView> =>
      stores.transaction(async (tx) => {
        const now = clock.now()
        const { project, caller } = actor
        const { fields, dashboardIds } = await readInsight(body, dashboardsOf(tx, project.id))
        const made = await tx.insights.create({
          ...EMPTY,
          ...fields,
          projectId: project.id,
          shortId: newShortId(),
          createdAt: now,
          createdById: caller.user.id,
          lastModifiedAt: now,
          lastModifiedById: caller.user.id,
        })
        await place(tx, made, dashboardIds ?? [])
        await note(tx, actor, made, { activity: 'created', changes: null }, now)
        const placed = (await tx.insights.find(project.id, made.id)) ?? made
        const view = viewInsight(placed, await authorsOf(tx.users, [placed]), project.timezone)
        await remember(tx, view)
        return view
      }),
    /** A deleted one is found only by a body that restores it. */
    update: (actor: Actor, id: string, body: unknown): Promise<InsightView> =>
      stores.transaction(async (tx) => {
        const input = await readInsight(body, dashboardsOf(tx, actor.project.id))
        const found = await findInsight(tx.insights, actor.project.id, id)
        const restores = isJsonObject(body) && body.deleted === false
        const before = restores && found ? found : liveInsight(found)
        const after = await change(tx, actor, before, input, clock.now())
        return viewInsight(after, await authorsOf(tx.users, [after]), actor.project.timezone)
      }),
    remove: (actor: Actor, id: string): Promise<void> =>
      stores.transaction(async (tx) => {
        const before = liveInsight(await findInsight(tx.insights, actor.project.id, id))
        await change(tx, actor, before, { fields: { deleted: true }, dashboardIds: undefined }, clock.now())
      }),
  }
}

export type Insights = ReturnType<typeof createInsights>
