/** What every store of insights, dashboards and their tiles must do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dashboard } from '../../../model/insights/dashboard.ts'
import type { Insight, InsightFilter } from '../../../model/insights/insight.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import {
  insertDashboard,
  insertInsight,
  insertProject,
  insertRemovedProject,
  insertUser,
  NOW,
  newDashboard,
} from '../sql-builders.ts'

const ALL = { limit: 100, offset: 0 }
const ids = (found: { items: { id: number }[] }) => found.items.map((item) => item.id)

export function dashboardContract(engine: string, open: OpenSql): void {
  let opened: OpenedSql
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.end())
  const project = async () => (await insertProject(opened.stores)).id

  describe(`insights on ${engine}`, () => {
    it('are read as they were created, free-form objects untouched', async () => {
      const projectId = await project()
      const user = await insertUser(opened.stores)
      const query = JSON.parse('{"a": [], "b": null, "c": 1.5, "__proto__": {"d": "é\\n"}, "": "x"}')
      const made = await insertInsight(opened.stores, {
        projectId,
        query,
        filters: query,
        name: 'Trend',
        derivedName: 'Pageviews',
        description: '',
        favorited: true,
        tags: ['one tag', 'other'],
        order: 0,
        createdAt: NOW + 0.123,
        createdById: user.id,
        lastModifiedAt: NOW + 1,
        lastModifiedById: user.id,
      })
      const found = await opened.stores.insights.find(projectId, made.id)
      expect(found).toEqual(made)
      expect(JSON.stringify(found?.query)).toBe(JSON.stringify(query))
      expect(await opened.stores.insights.findByShortId(projectId, made.shortId)).toEqual(made)
      expect(made.placements).toEqual([])
    })

    it('are found only in their project, deleted ones too', async () => {
      const [here, there] = [await project(), await project()]
      const gone = await insertInsight(opened.stores, { projectId: here, deleted: true })
      expect((await opened.stores.insights.find(here, gone.id))?.deleted).toBe(true)
      expect(await opened.stores.insights.find(there, gone.id)).toBeNull()
      expect(await opened.stores.insights.findByShortId(there, gone.shortId)).toBeNull()
      expect(await opened.stores.insights.findMany(here, [gone.id, gone.id, 999_999])).toEqual([gone])
      expect(await opened.stores.insights.findMany(there, [gone.id])).toEqual([])
    })

    it('have a short id of their own within the project', async () => {
      const [here, there] = [await project(), await project()]
      await insertInsight(opened.stores, { projectId: here, shortId: 'abcd1234' })
      await insertInsight(opened.stores, { projectId: there, shortId: 'abcd1234' })
      await expect(insertInsight(opened.stores, { projectId: here, shortId: 'abcd1234' })).rejects.toThrow()
    })

    it('keep the fields that a change does not name', async () => {
      const projectId = await project()
      const made = await insertInsight(opened.stores, { projectId, name: 'Before', tags: ['a'] })
      const changed = await opened.stores.transaction((tx) => tx.insights.update(projectId, made.id, { name: 'After' }))
      expect(changed).toEqual({ ...made, name: 'After' })
      expect(await opened.stores.insights.find(projectId, made.id)).toEqual(changed)
      expect(await opened.stores.transaction((tx) => tx.insights.update(projectId + 1, made.id, {}))).toBeNull()
    })

    it('are listed newest first, page by page', async () => {
      const projectId = await project()
      const made: Insight[] = []
      for (const createdAt of [NOW, NOW + 2, NOW + 1, NOW + 1]) {
        made.push(await insertInsight(opened.stores, { projectId, createdAt }))
      }
      const order = [1, 3, 2, 0].map((index) => made[index]?.id)
      const { insights } = opened.stores
      const filter = { projectId, deleted: false }
      expect(ids(await insights.list(filter, ALL))).toEqual(order)
      const pages = [
        await insights.list(filter, { limit: 3, offset: 0 }),
        await insights.list(filter, { limit: 3, offset: 3 }),
      ]
      expect(pages.flatMap(ids)).toEqual(order)
      expect(pages.map(({ count }) => count)).toEqual([4, 4])
    })

    it('are filtered', async () => {
      const projectId = await project()
      const user = await insertUser(opened.stores, 'author@example.com')
      const plain = await insertInsight(opened.stores, { projectId, name: 'Straße nach Osten', tags: ['growth'] })
      const liked = await insertInsight(opened.stores, {
        projectId,
        favorited: true,
        derivedName: 'Osten',
        createdById: user.id,
      })
      const gone = await insertInsight(opened.stores, { projectId, deleted: true })
      const find = async (filter: Partial<InsightFilter>) =>
        ids(await opened.stores.insights.list({ projectId, deleted: false, ...filter }, ALL)).sort()
      expect(await find({ deleted: true })).toEqual([gone.id])
      expect(await find({ favorited: true })).toEqual([liked.id])
      expect(await find({ favorited: false })).toEqual([plain.id])
      expect(await find({ shortId: plain.shortId })).toEqual([plain.id])
      expect(await find({ createdByUuid: user.uuid })).toEqual([liked.id])
      expect(await find({ search: ['OSTEN'] })).toEqual([plain.id, liked.id])
      expect(await find({ search: ['STRASSE', 'osten'] })).toEqual([plain.id])
      expect(await find({ search: ['row'] })).toEqual([plain.id])
      expect(await find({ search: ['%'] })).toEqual([])
      expect(await find({ search: [] })).toEqual([plain.id, liked.id])
    })
  })

  describe(`dashboards on ${engine}`, () => {
    it('are read as they were created', async () => {
      const projectId = await project()
      const made = await insertDashboard(opened.stores, {
        projectId,
        name: 'Numbers',
        description: 'All of them',
        pinned: true,
        tags: ['a b'],
        filters: { date_from: null, nested: [1.5, {}] },
        creationMode: 'template',
      })
      expect(await opened.stores.dashboards.find(projectId, made.id)).toEqual(made)
      expect(await opened.stores.dashboards.find(projectId + 1, made.id)).toBeNull()
      const patch = { name: null, pinned: false, deleted: true }
      const changed = await opened.stores.transaction((tx) => tx.dashboards.update(projectId, made.id, patch))
      expect(changed).toEqual({ ...made, ...patch })
      expect(await opened.stores.dashboards.find(projectId, made.id)).toEqual(changed)
    })

    it('have one default per project, as long as it is not deleted', async () => {
      const [here, there] = [await project(), await project()]
      const { dashboards } = opened.stores
      expect(await dashboards.findDefault(here)).toBeNull()
      const first = await insertDashboard(opened.stores, { projectId: here, isDefault: true })
      const other = await insertDashboard(opened.stores, { projectId: there, isDefault: true })
      const second = await insertDashboard(opened.stores, { projectId: here, isDefault: true })
      expect((await dashboards.findDefault(here))?.id).toBe(second.id)
      expect((await dashboards.findDefault(there))?.id).toBe(other.id)
      await opened.stores.transaction((tx) => tx.dashboards.update(here, first.id, { isDefault: true }))
      expect((await dashboards.findDefault(here))?.id).toBe(first.id)
      expect((await dashboards.find(here, second.id))?.isDefault).toBe(false)
      await opened.stores.transaction((tx) => tx.dashboards.update(here, first.id, { deleted: true }))
      expect(await dashboards.findDefault(here)).toBeNull()
    })

    it('are listed with pinned ones first, then by name whatever its case, then by id', async () => {
      const projectId = await project()
      const made: Dashboard[] = []
      for (const name of ['beta', 'Alpha', null, 'ÄRGER', 'alpha', 'ärger']) {
        made.push(await insertDashboard(opened.stores, { projectId, name }))
      }
      const pinned = await insertDashboard(opened.stores, { projectId, name: 'zeta', pinned: true })
      const order = [pinned, ...[1, 4, 0, 3, 5, 2].map((index) => made[index])].map((item) => item?.id)
      const { dashboards } = opened.stores
      const filter = { projectId, deleted: false }
      expect(ids(await dashboards.list(filter, ALL))).toEqual(order)
      expect(ids(await dashboards.list(filter, { limit: 2, offset: 5 }))).toEqual(order.slice(5))
      expect(ids(await dashboards.list({ ...filter, pinned: true }, ALL))).toEqual([pinned.id])
      expect(ids(await dashboards.list({ ...filter, search: ['Ärger'] }, ALL))).toEqual([made[3]?.id, made[5]?.id])
      expect((await dashboards.list({ ...filter, deleted: true }, ALL)).count).toBe(0)
    })
  })

  describe(`tiles on ${engine}`, () => {
    const LAYOUTS = { sm: { x: 0, y: 0, w: 6, h: 5, minW: 3, moved: false } }

    it('place an insight once, and are visible from both sides', async () => {
      const projectId = await project()
      const { stores } = opened
      const insight = await insertInsight(stores, { projectId })
      const board = await insertDashboard(stores, { projectId })
      const tile = await stores.transaction((tx) =>
        tx.dashboards.addTile(board.id, { insightId: insight.id, layouts: LAYOUTS, color: 'blue' }),
      )
      const again = await stores.transaction((tx) =>
        tx.dashboards.addTile(board.id, { insightId: insight.id, layouts: {}, color: null }),
      )
      expect(again).toEqual(tile)
      expect(tile).toEqual({ id: tile.id, insightId: insight.id, layouts: LAYOUTS, color: 'blue' })
      expect((await stores.dashboards.find(projectId, board.id))?.tiles).toEqual([tile])
      const placements = [{ id: tile.id, dashboardId: board.id }]
      expect((await stores.insights.find(projectId, insight.id))?.placements).toEqual(placements)
      const filter = { projectId, deleted: false }
      expect(ids(await stores.insights.list({ ...filter, dashboardId: board.id }, ALL))).toEqual([insight.id])
      expect(ids(await stores.insights.list({ ...filter, dashboardId: board.id + 1 }, ALL))).toEqual([])
    })

    it('are changed and removed', async () => {
      const projectId = await project()
      const { stores } = opened
      const insight = await insertInsight(stores, { projectId })
      const [board, other] = [
        await insertDashboard(stores, { projectId }),
        await insertDashboard(stores, { projectId }),
      ]
      const tile = await stores.transaction((tx) =>
        tx.dashboards.addTile(board.id, { insightId: insight.id, layouts: LAYOUTS, color: 'blue' }),
      )
      await stores.transaction(async (tx) => {
        expect(await tx.dashboards.updateTile(board.id, tile.id, { color: null })).toEqual({ ...tile, color: null })
        expect(await tx.dashboards.updateTile(other.id, tile.id, { color: 'red' })).toBeNull()
        expect(await tx.dashboards.removeTile(other.id, insight.id)).toBe(false)
      })
      expect((await stores.dashboards.find(projectId, board.id))?.tiles).toEqual([{ ...tile, color: null }])
      expect(await stores.transaction((tx) => tx.dashboards.removeTile(board.id, insight.id))).toBe(true)
      expect((await stores.dashboards.find(projectId, board.id))?.tiles).toEqual([])
    })

    it('disappear with a deleted insight or dashboard, and come back with it', async () => {
      const projectId = await project()
      const { stores } = opened
      const insight = await insertInsight(stores, { projectId })
      const board = await insertDashboard(stores, { projectId })
      await stores.transaction((tx) =>
        tx.dashboards.addTile(board.id, { insightId: insight.id, layouts: {}, color: null }),
      )
      const tiles = async () => (await stores.dashboards.find(projectId, board.id))?.tiles.length
      const placements = async () => (await stores.insights.find(projectId, insight.id))?.placements.length
      const mark = (deleted: boolean) =>
        stores.transaction((tx) => tx.insights.update(projectId, insight.id, { deleted }))
      await mark(true)
      expect(await tiles()).toBe(0)
      await mark(false)
      expect(await tiles()).toBe(1)
      await stores.transaction((tx) => tx.dashboards.update(projectId, board.id, { deleted: true }))
      expect(await placements()).toBe(0)
    })
  })

  describe(`ids on ${engine}`, () => {
    it('are not reused, also when their project was removed', async () => {
      const { stores } = opened
      const projectId = await project()
      const insight = await insertInsight(stores, { projectId })
      const board = await insertDashboard(stores, { projectId, isDefault: true })
      const tile = await stores.transaction((tx) =>
        tx.dashboards.addTile(board.id, { insightId: insight.id, layouts: {}, color: null }),
      )
      expect(await insertRemovedProject(stores, projectId)).toBe(true)
      expect(await stores.insights.find(projectId, insight.id)).toBeNull()
      const next = await project()
      const later = await insertInsight(stores, { projectId: next })
      const laterBoard = await stores.transaction((tx) => tx.dashboards.create(newDashboard({ projectId: next })))
      const laterTile = await stores.transaction((tx) =>
        tx.dashboards.addTile(laterBoard.id, { insightId: later.id, layouts: {}, color: null }),
      )
      expect(later.id).toBeGreaterThan(insight.id)
      expect(laterBoard.id).toBeGreaterThan(board.id)
      expect(laterTile.id).toBeGreaterThan(tile.id)
    })
  })
}
