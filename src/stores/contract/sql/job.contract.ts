import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JobClaim, NewJob } from '../../../model/job.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { insertProject, insertRemovedProject, NOW } from '../sql-builders.ts'

const newJob = (input: Partial<NewJob> = {}): NewJob => ({
  kind: 'mail',
  key: 'a',
  projectId: null,
  payload: { to: 'ann' },
  runAt: NOW,
  ...input,
})

export function jobContract(engine: string, open: OpenSql): void {
  describe(`jobs on ${engine}`, () => {
    let opened: OpenedSql
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.end())

    const add = (input: Partial<NewJob> = {}) => opened.stores.transaction((tx) => tx.jobs.add(newJob(input)))
    const claim = (input: Partial<JobClaim> = {}) =>
      opened.stores.transaction((tx) =>
        tx.jobs.claim({ kinds: ['mail'], now: NOW, owner: 'one', leaseMs: 1_000, limit: 10, ...input }),
      )
    const claimed = async (input: Partial<JobClaim> = {}) => (await claim(input)).map((job) => job.key)
    const one = async (input: Partial<JobClaim> = {}) => {
      const [job] = await claim({ limit: 1, ...input })
      if (!job) throw new Error('nothing was due')
      return job
    }

    it('are read as they were added, and a key exists once', async () => {
      expect(await add({ payload: { deep: [1, null, 'ö'] } })).toBe(true)
      expect(await add({ payload: 'other', runAt: 0 })).toBe(false)
      expect(await add({ kind: 'other' })).toBe(true)
      const job = { ...newJob({ payload: { deep: [1, null, 'ö'] } }), attempts: 0, error: null }
      expect(await opened.stores.jobs.find('mail', 'a')).toEqual({ ...job, id: expect.any(Number) })
      expect(await opened.stores.jobs.find('mail', 'b')).toBeNull()
      expect(await one()).toMatchObject({ ...job, attempts: 1 })
    })

    it('are claimed once, the earliest first, up to a limit, when they are due', async () => {
      await add({ key: 'late', runAt: NOW + 1 })
      for (const [key, runAt] of [
        ['c', NOW],
        ['a', NOW - 2],
        ['b', NOW - 1],
      ] as const)
        await add({ key, runAt })
      await add({ kind: 'other', key: 'x', runAt: NOW - 1.5 })
      expect(await opened.stores.jobs.dueKinds(['other', 'mail', 'none'], NOW)).toEqual(['other', 'mail'])
      expect(await claimed({ kinds: [] })).toEqual([])
      expect(await claimed({ kinds: ['mail', 'other'], limit: 3 })).toEqual(['a', 'x', 'b'])
      expect(await claimed({ owner: 'two' })).toEqual(['c'])
      expect(await claimed({ owner: 'two' })).toEqual([])
      expect(await opened.stores.jobs.dueKinds(['mail', 'other'], NOW)).toEqual([])
      expect(await claimed({ now: NOW + 1 })).toEqual(['late'])
    })

    it('can be claimed again when the lease has expired, and count an attempt each time', async () => {
      await add()
      const first = await one()
      expect(await claimed({ owner: 'two', now: NOW + 999 })).toEqual([])
      expect(await opened.stores.jobs.dueKinds(['mail'], NOW + 1_000)).toEqual(['mail'])
      const second = await one({ owner: 'two', now: NOW + 1_000 })
      expect(second).toMatchObject({ id: first.id, attempts: 2 })
      const refused = await opened.stores.transaction(async (tx) => [
        await tx.jobs.extend(first.id, 'one', NOW + 9_000),
        await tx.jobs.complete(first.id, 'one'),
        await tx.jobs.retry(first.id, 'one', { runAt: NOW, error: 'x' }),
        await tx.jobs.park(first.id, 'one', { now: NOW, error: 'x' }),
        await tx.jobs.release(first.id, 'one'),
      ])
      expect(refused).toEqual([false, false, false, false, false])
      expect(await opened.stores.transaction((tx) => tx.jobs.extend(first.id, 'two', NOW + 5_000))).toBe(true)
      expect(await claimed({ now: NOW + 4_999 })).toEqual([])
      expect(await claimed({ now: NOW + 5_000 })).toEqual(['a'])
    })

    it('are removed when they are complete, and their key is free', async () => {
      await add()
      const job = await one()
      expect(await add()).toBe(false)
      expect(await opened.stores.transaction((tx) => tx.jobs.complete(job.id, 'one'))).toBe(true)
      expect(await opened.stores.transaction((tx) => tx.jobs.complete(job.id, 'one'))).toBe(false)
      expect(await opened.stores.jobs.find('mail', 'a')).toBeNull()
      expect(await add()).toBe(true)
      expect((await one()).id).toBeGreaterThan(job.id)
    })

    it('wait for their next attempt, or are released unchanged', async () => {
      await add()
      const first = await one()
      await opened.stores.transaction((tx) => tx.jobs.retry(first.id, 'one', { runAt: NOW + 50, error: 'refused' }))
      expect(await claimed({ now: NOW + 49 })).toEqual([])
      const second = await one({ now: NOW + 50 })
      expect(second).toMatchObject({ attempts: 2, error: 'refused', runAt: NOW + 50 })
      await opened.stores.transaction((tx) => tx.jobs.release(second.id, 'one'))
      expect(await one({ owner: 'two', now: NOW + 50 })).toMatchObject({ attempts: 2 })
    })

    it('are parked with their error until they are retried', async () => {
      for (const key of ['a', 'b', 'c']) await add({ key })
      const jobs = await claim()
      await opened.stores.transaction(async (tx) => {
        for (const [index, job] of jobs.entries()) {
          if (job.key !== 'b') await tx.jobs.park(job.id, 'one', { now: NOW + index, error: `no ${job.key}` })
        }
      })
      const { parked } = opened.stores.jobs
      expect(await parked({ limit: 1, offset: 0 })).toMatchObject({
        count: 2,
        items: [{ key: 'c', error: 'no c', parkedAt: NOW + 2, attempts: 1 }],
      })
      expect((await parked({ limit: 5, offset: 1 })).items.map((job) => job.key)).toEqual(['a'])
      expect(await opened.stores.jobs.find('mail', 'a')).toMatchObject({ parkedAt: NOW })
      expect(await claimed({ now: NOW + 999_999 })).toEqual(['b'])
      expect(await opened.stores.jobs.backlog(NOW)).toEqual({ due: 1, oldestAt: NOW, parked: 2 })
      const [a, b] = jobs.map((job) => job.id) as [number, number]
      expect(await opened.stores.transaction((tx) => tx.jobs.unpark(b, NOW))).toBe(false)
      expect(await opened.stores.transaction((tx) => tx.jobs.unpark(a, NOW + 7))).toBe(true)
      expect(await claim({ now: NOW + 7 })).toMatchObject([{ key: 'a', attempts: 1, runAt: NOW + 7 }])
    })

    it('are counted while they are due', async () => {
      expect(await opened.stores.jobs.backlog(NOW)).toEqual({ due: 0, oldestAt: null, parked: 0 })
      for (const [key, runAt] of [
        ['a', NOW - 5],
        ['b', NOW],
        ['c', NOW + 1],
      ] as const)
        await add({ key, runAt })
      expect(await opened.stores.jobs.backlog(NOW)).toEqual({ due: 2, oldestAt: NOW - 5, parked: 0 })
    })

    it('wait no longer than before when the clock is set back', async () => {
      const DAY = 86_400_000
      await add({ key: 'due', runAt: NOW - 1 })
      await add({ key: 'ahead', runAt: NOW + DAY })
      await add({ key: 'later', runAt: NOW + DAY + 500 })
      await add({ key: 'leased', runAt: NOW })
      await claim({ now: NOW + DAY - 10, limit: 2 })
      await opened.stores.transaction((tx) => tx.jobs.moveBack(NOW, DAY))
      const runAt = async (key: string) => (await opened.stores.jobs.find('mail', key))?.runAt
      expect([await runAt('due'), await runAt('ahead'), await runAt('later')]).toEqual([NOW - 1, NOW, NOW + 500])
      expect(await claimed({ owner: 'two', now: NOW })).toEqual(['ahead'])
      expect(await claimed({ owner: 'two', now: NOW + 989 })).toEqual(['later'])
      expect(await claimed({ owner: 'two', now: NOW + 990 })).toEqual(['due', 'leased'])
    })

    it('know the last tick of recurring work, and replace older ticks by a newer one', async () => {
      const advance = (name: string, tick: number, latest = tick) =>
        opened.stores.transaction((tx) => tx.jobs.advanceTick(name, tick, latest))
      expect(await opened.stores.jobs.ticks()).toEqual(new Map())
      expect([await advance('x', 10), await advance('x', 10), await advance('x', 9, 10)]).toEqual([true, false, false])
      expect([await advance('x', 20), await advance('x', 9, 19), await advance('x', 10)]).toEqual([true, true, true])
      expect([await advance('x', 11), await advance('y', 1)]).toEqual([true, true])
      expect([...(await opened.stores.jobs.ticks())]).toEqual([
        ['x', 11],
        ['y', 1],
      ])
      for (const key of ['held', 'parked', 'waiting']) await add({ key, runAt: NOW - 1 })
      await add({ key: 'new' })
      await add({ kind: 'other', key: 'old', runAt: 0 })
      const [held, parked] = await claim({ limit: 2 })
      await opened.stores.transaction((tx) => tx.jobs.park(parked?.id ?? 0, 'one', { now: NOW, error: 'x' }))
      await opened.stores.transaction((tx) => tx.jobs.supersede('mail', NOW, NOW))
      expect(await opened.stores.jobs.parked({ limit: 9, offset: 0 })).toMatchObject({ count: 0 })
      expect(await opened.stores.transaction((tx) => tx.jobs.complete(held?.id ?? 0, 'one'))).toBe(true)
      expect(await claimed({ kinds: ['mail', 'other'] })).toEqual(['old', 'new'])
    })

    it('are removed with their project', async () => {
      const project = await insertProject(opened.stores)
      await add({ projectId: project.id })
      await add({ key: 'b' })
      await insertRemovedProject(opened.stores, project.id)
      expect(await claimed()).toEqual(['b'])
    })

    it('do not exist when the transaction that added them failed', async () => {
      const failing = opened.stores.transaction(async (tx) => {
        await tx.jobs.add(newJob())
        throw new Error('stop')
      })
      await expect(failing).rejects.toThrow('stop')
      expect(await claimed()).toEqual([])
    })
  })
}
