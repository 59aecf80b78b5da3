import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Deletion, DeletionFilter, DeletionRequest, DeletionScope } from '../../../model/persons/deletion.ts'
import type { DeletionRunCounts, DeletionRunWriter } from '../../../model/persons/deletion-run.ts'
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

    it('wait by number and earliest date, in their project', async () => {
      const { id: projectId } = await insertProject(opened.stores)
      const { waiting } = opened.stores.deletions
      expect(await waiting(projectId)).toEqual({ count: 0, earliest: null })
      await request(projectId, { personId: 1, scheduledFor: NOW + 0.5 })
      await request(projectId, { personId: 2, scheduledFor: NOW + 9 })
      const { id } = await request(projectId, { personId: 3, scheduledFor: NOW - 9 })
      expect(await waiting(projectId)).toEqual({ count: 3, earliest: NOW - 9 })
      await complete(id)
      expect(await waiting(projectId)).toEqual({ count: 2, earliest: NOW + 0.5 })
      expect(await waiting(projectId + 1)).toEqual({ count: 0, earliest: null })
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

export function deletionRunContract(engine: string, open: OpenSql): void {
  describe(`runs of deletions on ${engine}`, () => {
    let opened: OpenedSql
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.end())

    const write = <T>(work: (runs: DeletionRunWriter) => Promise<T>): Promise<T> =>
      opened.stores.transaction((tx) => work(tx.deletionRuns))
    const latest = (projectId: number) => opened.stores.deletionRuns.latest(projectId)
    const none: DeletionRunCounts = { persons: 0, events: 0, sessions: 0, recordings: 0 }
    const some: DeletionRunCounts = { persons: 1, events: 5_000_000_000, sessions: 3, recordings: 4 }

    it('say in which phase they are, and what they have done in each project', async () => {
      expect(await latest(1)).toEqual({ newest: null, finished: null })
      const { id, phase } = await write((runs) => runs.begin(null, NOW))
      expect(phase).toBeNull()
      const begun = { id, startedAt: NOW, isUnderWay: true, finishedAt: null, bytesFreed: null, counts: none }
      const draining = { phase: 'draining', phaseSince: NOW, seenAt: NOW }
      expect(await latest(1)).toEqual({ newest: { ...begun, ...draining }, finished: null })
      await write((runs) => runs.enter(id, 'deleting', NOW + 1))
      await write((runs) => runs.see(id, NOW + 2))
      await write((runs) => runs.count(id, 1, some))
      await write((runs) => runs.count(id, 1, some))
      await write((runs) => runs.count(id, 2, { ...none, persons: 7 }))
      const counts = { persons: 2, events: 10_000_000_000, sessions: 6, recordings: 8 }
      const deleting = { ...begun, phase: 'deleting', phaseSince: NOW + 1, seenAt: NOW + 2 }
      expect((await latest(1)).newest).toEqual({ ...deleting, counts })
      expect((await latest(2)).newest).toEqual({ ...deleting, counts: { ...none, persons: 7 } })
      await write((runs) => runs.finish(id, { at: NOW + 3, bytesFreed: 6_000_000_000 }))
      const done = { isUnderWay: false, seenAt: NOW + 3, finishedAt: NOW + 3, bytesFreed: 6_000_000_000 }
      const finished = { ...deleting, ...done, counts }
      expect(await latest(1)).toEqual({ newest: finished, finished })
      expect((await latest(3)).finished).toEqual({ ...finished, counts: none })
    })

    it('go on when they did not finish, with what they had done', async () => {
      const { id } = await write((runs) => runs.begin(null, NOW))
      await write((runs) => runs.count(id, 1, some))
      await write((runs) => runs.enter(id, 'compacting', NOW + 1))
      await write((runs) => runs.leave(id, NOW + 2))
      expect((await latest(1)).newest).toMatchObject({ isUnderWay: false, phase: 'compacting', seenAt: NOW + 2 })
      const other = await write((runs) => runs.begin(1, NOW + 3))
      expect(other.phase).toBeNull()
      expect(await write((runs) => runs.begin(null, NOW + 4))).toEqual({ id, phase: 'compacting' })
      expect((await latest(1)).newest).toMatchObject({ id, startedAt: NOW, phase: 'draining', phaseSince: NOW + 4 })
      expect((await latest(1)).newest?.counts).toEqual(some)
      await write((runs) => runs.finish(id, { at: NOW + 5, bytesFreed: null }))
      expect((await write((runs) => runs.begin(null, NOW + 6))).id).not.toBe(id)
      expect((await latest(1)).finished).toMatchObject({ id, bytesFreed: null, counts: some })
    })

    it('of one project are not those of another, and the last of each is kept', async () => {
      const finish = async (projectId: number | null, at: number) => {
        const { id } = await write((runs) => runs.begin(projectId, at))
        await write((runs) => runs.count(id, projectId ?? 1, some))
        await write((runs) => runs.finish(id, { at, bytesFreed: 0 }))
        return id
      }
      const finished = async () => [(await latest(1)).finished?.id, (await latest(2)).finished?.id]
      const all = await finish(null, NOW)
      const [first, second] = [await finish(1, NOW + 1), await finish(2, NOW + 2)]
      expect(await finished()).toEqual([first, second])
      const again = await finish(1, NOW + 3)
      expect(await finished()).toEqual([again, second])
      expect((await latest(3)).finished?.id).toBe(all)
      const last = await finish(null, NOW + 4)
      expect(await finished()).toEqual([last, last])
      expect((await latest(1)).finished?.counts).toEqual(some)
      expect((await latest(2)).finished?.counts).toEqual(none)
    })
  })
}
