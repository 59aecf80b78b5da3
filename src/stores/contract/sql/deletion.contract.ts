import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Deletion, DeletionFilter, DeletionRequest, DeletionScope } from '../../../model/persons/deletion.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { insertProject, insertUser, NOW } from '../sql-builders.ts'

export function deletionContract(engine: string, open: OpenSql): void {
  describe(`deletions on ${engine}`, () => {
    let opened: OpenedSql
    let ann: number
    beforeAll(async () => {
      opened = await open()
      ann = (await insertUser(opened.stores)).id
    })
    afterAll(() => opened.end())

    const request = (projectId: number, given: Partial<DeletionRequest> = {}) =>
      opened.stores.transaction((tx) =>
        tx.deletions.insert({
          projectId,
          personId: 1,
          personUuid: '00000000-0000-0000-0000-000000000001',
          distinctIds: ['ann'],
          cutoffSeq: 10,
          createdBy: ann,
          createdAt: NOW,
          scheduledFor: NOW + 1_000,
          recordingsDeleted: null,
          ...given,
        }),
      )
    const complete = (id: number, cutoffSeq = 10) =>
      opened.stores.transaction((tx) => tx.deletions.complete(id, { cutoffSeq, at: NOW + 5, events: 7, sessions: 2 }))

    it('are pending until they are complete, which they are once', async () => {
      const { id: projectId } = await insertProject(opened.stores)
      const [first, second] = [
        await request(projectId),
        await request(projectId, { personId: 2, recordingsDeleted: 3 }),
      ]
      const { deletions } = opened.stores
      expect(await deletions.pending({ projectId }, 10)).toEqual([first, second])
      expect(await deletions.pending({ projectId }, 1)).toEqual([first])
      expect(await deletions.pending({ projectId: projectId + 1 }, 10)).toEqual([])
      expect(await complete(first.id)).toBe(true)
      expect(await complete(first.id)).toBe(false)
      expect(await complete(second.id)).toBe(true)
      expect(await deletions.pending({ projectId }, 10)).toEqual([])
      // The ids of the person are not kept any more.
      const done = { status: 'completed', verifiedAt: NOW + 5, eventsDeleted: 7, sessionsDeleted: 2, distinctIds: [] }
      const { items } = await deletions.list({ projectId }, { limit: 10, offset: 0 })
      expect(items).toEqual([
        { ...second, ...done, recordingsDeleted: 3 },
        { ...first, ...done, recordingsDeleted: 0 },
      ])
    })

    it('are found by their person while they are pending, of which a person has one', async () => {
      const { id: projectId } = await insertProject(opened.stores)
      const first = await request(projectId)
      const second = await request(projectId, { personId: 2 })
      const find = (personId: number, project = projectId) =>
        opened.stores.transaction((tx) => tx.deletions.findPending(project, personId))
      expect([await find(1), await find(2), await find(3)]).toEqual([first, second, null])
      expect(await find(1, projectId + 1)).toBeNull()
      await expect(request(projectId)).rejects.toThrow()
      await complete(first.id)
      expect([await find(1), await find(2)]).toEqual([null, second])
    })

    it('are not complete when they were raised meanwhile', async () => {
      const { id: projectId } = await insertProject(opened.stores)
      const replace = (id: number, scope: DeletionScope) =>
        opened.stores.transaction((tx) => tx.deletions.replace(id, scope))
      const first = await request(projectId, { recordingsDeleted: 1 })
      const other = await request(projectId, { personId: 2 })
      const earlier = [{ distinctIds: ['ann'], cutoffSeq: 10 }]
      const scope = { cutoffSeq: 20, distinctIds: ['bob'], earlier, recordingsDeleted: 3 }
      const raised = await replace(first.id, scope)
      expect(raised).toEqual({ ...first, ...scope })
      expect(await opened.stores.deletions.pending({ projectId }, 10)).toEqual([raised, other])
      expect(await complete(first.id)).toBe(false)
      await replace(first.id, { ...scope, cutoffSeq: 40 })
      expect(await complete(first.id, 40)).toBe(true)
      const { items } = await opened.stores.deletions.list({ projectId, status: 'completed' }, { limit: 1, offset: 0 })
      expect(items).toMatchObject([{ status: 'completed', distinctIds: [], earlier: [] }])
      expect((await request(projectId)).id).toBeGreaterThan(first.id)
    })

    it('are brought forward where they are pending and later than an instant', async () => {
      const { id: projectId } = await insertProject(opened.stores)
      const due = NOW + 1_000
      const early = await request(projectId, { personId: 1, scheduledFor: due - 1 })
      const late = await request(projectId, { personId: 2, scheduledFor: due + 1 })
      const done = await request(projectId, { personId: 3, scheduledFor: due + 2 })
      await complete(done.id)
      await opened.stores.transaction((tx) => tx.deletions.bringForward(due))
      expect(await opened.stores.deletions.pending({ projectId }, 10)).toEqual([early, { ...late, scheduledFor: due }])
      const { items } = await opened.stores.deletions.list({ projectId, status: 'completed' }, { limit: 1, offset: 0 })
      expect(items).toMatchObject([{ id: done.id, scheduledFor: due + 2 }])
    })

    it('are walked newest first, whatever is added meanwhile', async () => {
      const { id: projectId } = await insertProject(opened.stores)
      const made: Deletion[] = []
      for (const [personId, at] of [0, 0, 0, 1, 1].entries()) {
        made.unshift(await request(projectId, { personId, createdAt: NOW + at }))
      }
      await request((await insertProject(opened.stores)).id)
      const walked: Deletion[] = []
      for (const personId of [5, 6, 7]) {
        walked.push(...(await opened.stores.deletions.listAfter({ projectId }, walked.at(-1) ?? null, 2)))
        await request(projectId, { personId, createdAt: NOW + 2 })
      }
      expect(walked).toEqual(made)
      expect(await opened.stores.deletions.listAfter({ projectId }, made.at(-1) ?? null, 2)).toEqual([])
    })

    it('are walked by status and person', async () => {
      const { id: projectId } = await insertProject(opened.stores)
      const personUuid = '00000000-0000-0000-0000-000000000002'
      const [first, second] = [await request(projectId), await request(projectId, { personId: 2, personUuid })]
      await complete(first.id)
      const found = async (filter: Partial<DeletionFilter>) =>
        (await opened.stores.deletions.listAfter({ projectId, ...filter }, null, 10)).map((row) => row.id)
      expect(await found({})).toEqual([second.id, first.id])
      expect(await found({ status: 'completed' })).toEqual([first.id])
      expect(await found({ status: 'pending' })).toEqual([second.id])
      expect(await found({ personUuid })).toEqual([second.id])
    })

    it('are due at their time, and overdue after it', async () => {
      const { id: projectId } = await insertProject(opened.stores)
      const at = NOW - 1_000_000
      const { id } = await request(projectId, { scheduledFor: at })
      const due = async (dueAt: number) => (await opened.stores.deletions.pending({ dueAt }, 10)).map((row) => row.id)
      expect([await due(at - 1), await due(at)]).toEqual([[], [id]])
      const { overdue, pendingIds } = opened.stores.deletions
      expect([await overdue(at), await overdue(at + 1)]).toEqual([0, 1])
      expect(await pendingIds()).toContain(id)
      await complete(id)
      expect(await overdue(at + 1)).toBe(0)
      expect(await pendingIds()).not.toContain(id)
    })
  })
}
