/**
 * Creating, reading, changing and deleting dashboards. Each change is one transaction that also writes the activity
 * entry. Deleting only marks, and keeps the insights; a deleted one is not found until it is restored. The project's
 * default dashboard cannot be deleted, because subscriptions without a resource deliver it.
 */
import type { Remember } from '../../http/route.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { readId } from '../../lib/ids.ts'
import { isJsonObject } from '../../lib/json/json.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { ActivityChange } from '../../model/accounts/activity.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Dashboard } from '../../model/insights/dashboard.ts'
import type { Insight } from '../../model/insights/insight.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { addActivity } from '../../rules/activity/activity-entry.ts'
import { fieldChanges } from '../../rules/activity/field-changes.ts'
import { searchWords } from '../../rules/filters/list-filter.ts'
import { type Refresh, readRefresh } from '../../rules/insight-queries/refresh.ts'
import { authorsOf, type InsightShown } from '../../rules/insights/insight-view.ts'
import { type DashboardInput, type Editable, readDashboard, type TileChange } from './dashboard-input.ts'
import { type DashboardView, viewDashboard, viewListed } from './dashboard-view.ts'
import { type DashboardListQuery, DashboardPatchBody, NewDashboardBody } from './dashboards.schema.ts'

export interface DashboardsParts {
  stores: Pick<Stores, 'dashboards' | 'insights' | 'users' | 'transaction'>
  clock: Clock
  /** The results of insights, with the filters of the dashboard applied; by insight id. */
  show: (
    project: Project,
    insights: Insight[],
    refresh: Refresh,
    filters: Record<string, unknown>,
  ) => Promise<ReadonlyMap<number, InsightShown>>
}

const EMPTY: Editable = { name: null, description: '', pinned: false, tags: [], filters: {}, deleted: false }

function notDeleted(dashboard: Dashboard | null): Dashboard {
  if (!dashboard || dashboard.deleted) throw notFound()
  return dashboard
}

function refuseDefault({ isDefault }: Dashboard, attr: string | null): void {
  if (!isDefault) return
  const detail = 'The default dashboard cannot be deleted: it is what subscriptions without a resource deliver.'
  throw invalid(detail, attr)
}

const loggedFields = ({ name, description, pinned, tags, filters, deleted, tiles }: Dashboard) => ({
  name,
  description,
  pinned,
  tags,
  filters,
  deleted,
  tiles: tiles.map(({ id, layouts, color }) => ({ id, layouts, color })),
})

const note = (
  tx: SqlWriters,
  actor: Actor,
  dashboard: Dashboard,
  entry: { activity: 'created' | 'updated' | 'deleted'; changes: ActivityChange[] | null },
  now: number,
) => {
  const about = { scope: 'Dashboard', itemId: String(dashboard.id), name: dashboard.name }
  return addActivity(tx, actor, { ...about, ...entry }, now)
}

async function changeTile(tx: SqlWriters, { id, tiles }: Dashboard, change: TileChange): Promise<void> {
  const tile = tiles.find((candidate) => candidate.id === change.id)
  if (change.deleted && tile) await tx.dashboards.removeTile(id, tile.insightId)
  const { layouts, color } = change
  const patch = { ...(layouts === undefined ? {} : { layouts }), ...(color === undefined ? {} : { color }) }
  if (!change.deleted) await tx.dashboards.updateTile(id, change.id, patch)
}

/** Stores a change and its log entry, when there is any. */
async function change(
  tx: SqlWriters,
  actor: Actor,
  before: Dashboard,
  { fields, tiles }: DashboardInput,
  now: number,
): Promise<Dashboard> {
  for (const tile of tiles) await changeTile(tx, before, tile)
  await tx.dashboards.update(before.projectId, before.id, fields)
  const after = (await tx.dashboards.find(before.projectId, before.id)) ?? before
  const changes = fieldChanges('Dashboard', loggedFields(before), loggedFields(after))
  const activity = after.deleted && !before.deleted ? 'deleted' : 'updated'
  if (changes.length > 0) await note(tx, actor, after, { activity, changes }, now)
  return after
}

export function createDashboardsFeature({ stores, clock, show }: DashboardsParts) {
  return {
    async list(project: Project, query: DashboardListQuery, page: { limit: number; offset: number }) {
      const filter = {
        projectId: project.id,
        deleted: query.deleted ?? false,
        ...(query.pinned === undefined ? {} : { pinned: query.pinned }),
        ...(query.search ? { search: searchWords(query.search) } : {}),
      }
      const { count, items } = await stores.dashboards.list(filter, page)
      const authors = await authorsOf(stores.users, items)
      return { count, results: items.map((item) => viewListed(item, authors)) }
    },
    async retrieve(project: Project, id: string, refresh?: string): Promise<DashboardView> {
      const eagerness = readRefresh(refresh, 'cached')
      const dashboard = notDeleted(await stores.dashboards.find(project.id, readId(id)))
      return viewDashboard(stores, dashboard, project.timezone, (insights) =>
        show(project, insights, eagerness, dashboard.filters),
      )
    },
    create: (actor: Actor, body: unknown, remember: Remember): Promise<DashboardView> =>
      stores.transaction(async (tx) => {
        const now = clock.now()
        const { fields } = readDashboard(NewDashboardBody, body, null)
        const made = await tx.dashboards.create({
          ...EMPTY,
          ...fields,
          projectId: actor.project.id,
          creationMode: 'default',
          isDefault: false,
          createdAt: now,
          createdById: actor.caller.user.id,
        })
        await note(tx, actor, made, { activity: 'created', changes: null }, now)
        const view = await viewDashboard(tx, made, actor.project.timezone)
        await remember(tx, view)
        return view
      }),
    /** A deleted one is found only by a body that restores it. */
    update: (actor: Actor, id: string, body: unknown): Promise<DashboardView> =>
      stores.transaction(async (tx) => {
        const found = await tx.dashboards.find(actor.project.id, readId(id))
        const input = readDashboard(DashboardPatchBody, body, found)
        const restores = isJsonObject(body) && body.deleted === false
        const before = restores && found ? found : notDeleted(found)
        if (input.fields.deleted) refuseDefault(before, 'deleted')
        return viewDashboard(tx, await change(tx, actor, before, input, clock.now()), actor.project.timezone)
      }),
    remove: (actor: Actor, id: string): Promise<void> =>
      stores.transaction(async (tx) => {
        const before = notDeleted(await tx.dashboards.find(actor.project.id, readId(id)))
        refuseDefault(before, null)
        await change(tx, actor, before, { fields: { deleted: true }, tiles: [] }, clock.now())
      }),
  }
}

export type DashboardsFeature = ReturnType<typeof createDashboardsFeature>
