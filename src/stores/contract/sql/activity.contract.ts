import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import type { Activity, ActivityFilter, RewriteDetail } from '../../../model/accounts/activity.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { insertProject, insertUser, NOW } from '../sql-builders.ts'

export function activityContract(engine: string, open: OpenSql): void {
  describe(`activity on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())

    const add = async (given: Partial<Activity>): Promise<Activity> => {
      const entry: Activity = {
        id: uuidV7(NOW),
        projectId: null,
        organizationId: null,
        userId: null,
        scope: 'Person',
        itemId: '1',
        activity: 'updated',
        detail: { changes: null, trigger: null, name: null, short_id: null, type: null },
        createdAt: NOW,
        undo: null,
        ...given,
      }
      await opened.stores.transaction((tx) => tx.activity.add(entry))
      return entry
    }
    const idsOf = (entries: Activity[]) => entries.map((entry) => entry.id)

    /** In pages of two, with a newer entry added before each of them but the first. */
    async function walk(filter: ActivityFilter): Promise<Activity[]> {
      const walked: Activity[] = []
      for (;;) {
        const page = await opened.stores.activity.pageAfter(filter, walked.at(-1) ?? null, 2)
        if (page.length === 0) return walked
        walked.push(...page)
        await add({ projectId: filter.projectId, createdAt: NOW + 1_000 })
      }
    }

    it('is walked in the order of its pages, whatever is added meanwhile', async () => {
      const { id: projectId, organizationId } = await insertProject(opened.stores)
      const other = await insertProject(opened.stores)
      for (let i = 0; i < 7; i++) {
        await add({ projectId, createdAt: NOW + Math.floor(i / 3) })
        await add({ organizationId, scope: 'PersonalAPIKey', createdAt: NOW + Math.floor(i / 2) })
      }
      await add({ projectId: other.id })
      await add({ organizationId: other.organizationId })
      for (const [filter, count] of [
        [{ projectId, organizationId }, 14],
        [{ projectId, organizationId, scope: 'PersonalAPIKey' }, 7],
        [{ projectId: other.id }, 1],
      ] as const) {
        const { items } = await opened.stores.activity.page(filter, { limit: 100, offset: 0 })
        expect(items).toHaveLength(count)
        expect(await walk(filter)).toEqual(items)
      }
    })

    it('is walked completely where its entries are long, some of a project and some of its organisation', async () => {
      const { id: projectId, organizationId } = await insertProject(opened.stores)
      const detail = { changes: null, trigger: null, name: 'x'.repeat(3_000_000), short_id: null, type: null }
      const owners = [{ projectId }, { projectId, detail }, { organizationId }]
      const entries: Activity[] = []
      for (const i of Array(24).keys()) {
        entries.unshift(await add({ ...owners[(i * 7) % owners.length], createdAt: NOW + i }))
      }
      const walked: Activity[] = []
      const next = () => opened.stores.activity.pageAfter({ projectId, organizationId }, walked.at(-1) ?? null, 100)
      for (let page = await next(); page.length > 0; page = await next()) walked.push(...page)
      expect(idsOf(walked)).toEqual(idsOf(entries))
    })

    it('gives an entry by its id, whoever it belongs to', async () => {
      const { id: projectId, organizationId } = await insertProject(opened.stores)
      const own = await add({ projectId })
      const wide = await add({ organizationId })
      expect(await opened.stores.activity.find(own.id)).toEqual(own)
      expect(await opened.stores.activity.find(wide.id)).toEqual(wide)
      expect(await opened.stores.activity.find(uuidV7(NOW))).toBeNull()
    })

    it('is walked by scope, object and user', async () => {
      const { id: projectId } = await insertProject(opened.stores)
      const ann = await insertUser(opened.stores)
      const mine = await add({ projectId, userId: ann.id, itemId: '7' })
      const its = await add({ projectId, itemId: '7', createdAt: NOW - 1 })
      const third = await add({ projectId, scope: 'Insight', itemId: '8', createdAt: NOW - 2 })
      const found = async (filter: Partial<ActivityFilter>) =>
        idsOf(await opened.stores.activity.pageAfter({ projectId, ...filter }, null, 10))
      expect(await found({})).toEqual(idsOf([mine, its, third]))
      expect(await found({ scope: 'Insight' })).toEqual([third.id])
      expect(await found({ scope: 'Person', itemId: '7' })).toEqual(idsOf([mine, its]))
      expect(await found({ user: { id: ann.id } })).toEqual([mine.id])
      expect(await found({ user: { uuid: ann.uuid } })).toEqual([mine.id])
    })

    it('has the entries of one object rewritten, and no others', async () => {
      const { id: projectId } = await insertProject(opened.stores)
      const other = await insertProject(opened.stores)
      const kept = [
        await add({ projectId: other.id }),
        await add({ projectId, itemId: '2', createdAt: NOW - 1 }),
        await add({ projectId, scope: 'Insight', createdAt: NOW - 2 }),
      ]
      const detail = { changes: null, trigger: null, name: 'Ann', short_id: null, type: null }
      const its = [await add({ projectId, detail }), await add({ projectId, createdAt: NOW - 3 })]
      const rewrite: RewriteDetail = (before) => ({ ...before, name: `${before.name}, rewritten` })
      await opened.stores.transaction((tx) =>
        tx.activity.rewriteItem({ projectId, scope: 'Person', itemId: '1' }, rewrite),
      )
      const all = { limit: 10, offset: 0 }
      const { items } = await opened.stores.activity.page({ projectId }, all)
      const [first, second] = its.map((entry) => ({ ...entry, detail: rewrite(entry.detail) }))
      expect(items).toEqual([first, kept[1], kept[2], second])
      expect((await opened.stores.activity.page({ projectId: other.id }, all)).items).toEqual([kept[0]])
    })

    describe('has distinct ids taken out', () => {
      const noted = (activity: string, action: 'split' | 'merged' | 'changed', after: unknown): Partial<Activity> => {
        const changes = [{ type: 'Person', action, field: null, before: { uuid: 'u' }, after }]
        return { activity, detail: { changes, trigger: null, name: 'kept', short_id: null, type: null } }
      }
      const split = (after: object) => noted('split_person', 'split', after)
      const merge = (...ids: string[]) => noted('people_merged_into', 'merged', { distinct_ids: ids })
      const without =
        (gone: string[]): RewriteDetail =>
        (detail) =>
          JSON.parse(JSON.stringify(detail), (_, value) =>
            Array.isArray(value) ? value.filter((item) => !gone.includes(item)) : value,
          )
      const forget = (projectId: number, ids: string[]) =>
        opened.stores.transaction((tx) => tx.activity.rewriteSplits(projectId, ids, without(ids)))
      const read = async (projectId: number) =>
        (await opened.stores.activity.page({ projectId }, { limit: 10, offset: 0 })).items.reverse()

      it('in the splits of their owners and in earlier merges, and nothing else', async () => {
        const { id: projectId } = await insertProject(opened.stores)
        const all = ['ä@example.com', 'b', 'c']
        await add({ projectId, ...split({ distinct_ids: all, distinct_ids_to_split: ['ä@example.com', 'c'] }) })
        await add({ projectId, ...merge('b', 'c'), createdAt: NOW + 1 })
        await add({ projectId, itemId: '2', ...split({ distinct_ids: ['c'] }), createdAt: NOW + 2 })
        await forget(projectId, ['ä@example.com', 'c', 'unknown'])
        const entries = await read(projectId)
        expect(entries.map((entry) => entry.detail.changes?.[0]?.after)).toEqual([
          { distinct_ids: ['b'], distinct_ids_to_split: [] },
          { distinct_ids: ['b'] },
          { distinct_ids: [] },
        ])
        const [, merged] = entries
        expect(merged?.detail).toMatchObject({
          name: 'kept',
          changes: [{ type: 'Person', action: 'merged', field: null, before: { uuid: 'u' } }],
        })
      })

      it('not in entries of another kind, of other ids, or of another project', async () => {
        const { id: projectId } = await insertProject(opened.stores)
        const other = await insertProject(opened.stores)
        const kept = [
          await add({ projectId, ...noted('updated', 'changed', 'gone') }),
          await add({ projectId, ...merge('GONE', 'gone '), createdAt: NOW + 1 }),
          await add({ projectId, scope: 'Insight', ...split({ distinct_ids: ['gone'] }), createdAt: NOW + 2 }),
        ]
        await add({ projectId, ...split({ distinct_ids: ['gone', 'stays'] }), createdAt: NOW + 3 })
        const foreign = await add({ projectId: other.id, ...split({ distinct_ids: ['gone'] }) })
        await forget(projectId, ['gone'])
        const entries = await read(projectId)
        expect(entries.slice(0, 3)).toEqual(kept)
        expect(entries[3]?.detail.changes?.[0]?.after).toEqual({ distinct_ids: ['stays'] })
        expect(await read(other.id)).toEqual([foreign])
      })

      it('with entries that are erased already, and without any', async () => {
        const { id: projectId } = await insertProject(opened.stores)
        await add({ projectId, ...split({ distinct_ids: ['a', 'b'] }) })
        const erase: RewriteDetail = ({ changes, ...detail }) => ({
          ...detail,
          changes: (changes ?? []).map((change) => ({ ...change, before: null, after: null })),
        })
        await opened.stores.transaction((tx) =>
          tx.activity.rewriteItem({ projectId, scope: 'Person', itemId: '1' }, erase),
        )
        const before = await read(projectId)
        await forget(projectId, ['a'])
        await forget(projectId, [])
        expect(await read(projectId)).toEqual(before)
      })
    })
  })
}
