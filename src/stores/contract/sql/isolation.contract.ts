/** What overlapping transactions may count on: the result is that of one after the other. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import type { OutboxClaims } from '../../../model/events/outbox.ts'
import type { JobWriter } from '../../../model/job.ts'
import type { SqlWriters } from '../../../model/stores.ts'
import { meeting } from '../meeting.ts'
import type { OpenedSql, OpenSql } from '../open-sql.ts'
import { newRecording } from '../recording-builders.ts'
import { insertDashboard, insertProject, insertSubscription, insertUser, NOW } from '../sql-builders.ts'

type Work<T> = (tx: SqlWriters, meet: () => Promise<void>) => Promise<T>

export function isolationContract(engine: string, open: OpenSql): void {
  describe(`two transactions at once on ${engine}`, () => {
    let opened: OpenedSql
    let projectId: number
    beforeAll(async () => {
      opened = await open()
      projectId = (await insertProject(opened.stores)).id
    })
    afterAll(() => opened.end())

    async function atOnce<A, B>(first: Work<A>, second: Work<B>): Promise<[A, B]> {
      const { stores, writers } = opened
      const { meet, haveMet } = meeting(writers)
      const runs = [stores.transaction((tx) => first(tx, meet)), stores.transaction((tx) => second(tx, meet))] as const
      const results = await Promise.all(runs)
      if (writers === 'many') expect(haveMet()).toBe(true)
      return results
    }
    const both = <T>(work: (tx: SqlWriters, meet: () => Promise<void>) => Promise<T>) => atOnce(work, work)

    it('both count where each changes what it has read', async () => {
      const { id } = await insertProject(opened.stores)
      const append =
        (letter: string): Work<void> =>
        async (tx, meet) => {
          const { name } = (await tx.projects.find(id)) ?? { name: '' }
          await meet()
          await tx.projects.update(id, { name: `${name}${letter}` })
        }
      await atOnce(append('1'), append('2'))
      expect(['A project12', 'A project21']).toContain((await opened.stores.projects.find(id))?.name)
    })

    it('begin one request under one key', async () => {
      const key = { keyId: 'key', projectId, token: 'once' }
      const begun = await both(async (tx, meet) => {
        const found = await tx.idempotency.find(key)
        await meet()
        if (found) return 'running'
        await tx.idempotency.claim({ ...key, claimedAt: NOW }, 'hash')
        return 'begun'
      })
      expect(begun.sort()).toEqual(['begun', 'running'])
    })

    it('make no more tries of a password than there may be', async () => {
      const tries = await both(async (tx, meet) => {
        const made = await tx.passwordTries.since('tried', NOW - 1)
        await meet()
        if (made.length > 0) return 'refused'
        await tx.passwordTries.add('tried', NOW)
        return 'tried'
      })
      expect(tries.sort()).toEqual(['refused', 'tried'])
    })

    it('both count where one changes a subscription and the other moves its date', async () => {
      const createdById = (await insertUser(opened.stores)).id
      const dashboardId = (await insertDashboard(opened.stores, { projectId })).id
      const given = { projectId, createdById, dashboardId, nextDeliveryDate: NOW }
      const { id } = await insertSubscription(opened.stores, given)
      await atOnce(
        async (tx, meet) => {
          await tx.subscriptions.find(projectId, id)
          await meet()
          await tx.subscriptions.update(projectId, id, { title: 'Weekly' })
        },
        async (tx, meet) => {
          expect(await tx.subscriptions.advance(id, NOW, NOW + 1)).toBe(true)
          await meet()
        },
      )
      const changed = { title: 'Weekly', nextDeliveryDate: NOW + 1 }
      expect(await opened.stores.subscriptions.find(projectId, id)).toMatchObject(changed)
    })

    it('advance a subscription once', async () => {
      const createdById = (await insertUser(opened.stores, 'ben@example.com')).id
      const dashboardId = (await insertDashboard(opened.stores, { projectId })).id
      const given = { projectId, createdById, dashboardId, nextDeliveryDate: NOW }
      const { id } = await insertSubscription(opened.stores, given)
      const advanced = await both(async (tx, meet) => {
        await meet()
        return tx.subscriptions.advance(id, NOW, NOW + 1)
      })
      expect(advanced.sort()).toEqual([false, true])
    })

    it('leave a deleted recording deleted', async () => {
      const sessionId = randomUUID()
      const recording = newRecording({ projectId, sessionId })
      await opened.stores.transaction((tx) => tx.recordings.create(recording, []))
      await atOnce(
        async (tx, meet) => {
          await tx.recordings.replaceByTombstone(projectId, [sessionId], { userId: null, at: NOW })
          await meet()
        },
        async (tx, meet) => {
          const tombstone = await tx.recordings.findTombstone(projectId, sessionId)
          await meet()
          if (!tombstone) await tx.recordings.create(recording, [])
        },
      )
      const { recordings } = opened.stores
      expect(await recordings.findTombstone(projectId, sessionId)).not.toBeNull()
      expect(await recordings.standing(projectId, sessionId)).toBeNull()
    })

    it('make one secret', async () => {
      const [one, other] = await both(async (tx, meet) => {
        await meet()
        return tx.secrets.findOrCreate('signing', randomUUID)
      })
      expect(one).toBe(other)
    })

    it('see all of what the other wrote, or nothing of it', async () => {
      const names = ['first', 'second'].map((name) => `${name} of two`)
      const add = (tx: SqlWriters, key: string) =>
        tx.jobs.add({ kind: 'pair', key, projectId: null, payload: {}, runAt: NOW })
      const [, seen] = await atOnce(
        async (tx, meet) => {
          for (const name of names) await add(tx, name)
          await meet()
        },
        async (tx, meet) => {
          const first = await tx.jobs.find('pair', names[0] ?? '')
          await meet()
          await sleep(5)
          return [first, await tx.jobs.find('pair', names[1] ?? '')].map((job) => job !== null)
        },
      )
      expect([
        [false, false],
        [true, true],
      ]).toContainEqual(seen)
    })
  })
}

type JobWork<T> = (jobs: JobWriter, meet: () => Promise<void>) => Promise<T>

export function jobIsolationContract(engine: string, open: OpenSql): void {
  describe(`two transactions of jobs at once on ${engine}`, () => {
    let opened: OpenedSql
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.end())

    async function both<T>(work: JobWork<T>): Promise<T[]> {
      const { stores, writers } = opened
      const { meet, haveMet } = meeting(writers)
      const run = () => stores.queueTransaction(({ jobs }) => work(jobs, meet))
      const results = await Promise.all([run(), run()])
      if (writers === 'many') expect(haveMet()).toBe(true)
      return results
    }
    const addJobs = (kind: string, keys: string[]) =>
      opened.stores.queueTransaction(async ({ jobs }) => {
        for (const key of keys) await jobs.add({ kind, key, projectId: null, payload: {}, runAt: NOW })
      })
    const claimOf = (kind: string) => ({ kinds: [kind], now: NOW, owner: randomUUID(), leaseMs: 1_000, limit: 5 })

    it('claim no job twice', async () => {
      const keys = Array.from({ length: 10 }, (_, n) => `job ${n}`)
      await addJobs('mail', keys)
      const claims = await both(async (jobs, meet) => {
        const claimed = await jobs.claim(claimOf('mail'))
        await meet()
        return claimed.map(({ key }) => key)
      })
      expect(claims.flat().sort()).toEqual(keys)
    })

    it('record a tick once', async () => {
      const recorded = await both(async (jobs, meet) => {
        await meet()
        return jobs.advanceTick('nightly', NOW, NOW)
      })
      expect(recorded.sort()).toEqual([false, true])
    })

    it('add one job under one key', async () => {
      const added = await both(async (jobs, meet) => {
        await meet()
        return jobs.add({ kind: 'once', key: 'one', projectId: null, payload: {}, runAt: NOW })
      })
      expect(added.sort()).toEqual([false, true])
    })

    it('end a job once', async () => {
      await addJobs('ending', ['one'])
      const claim = claimOf('ending')
      const [job] = await opened.stores.queueTransaction(({ jobs }) => jobs.claim(claim))
      const ended = await both(async (jobs, meet) => {
        await meet()
        return jobs.complete(job?.id ?? 0, claim.owner)
      })
      expect(ended.sort()).toEqual([false, true])
    })

    it('are not run again where they have changed other jobs', async () => {
      const kinds = ['of one', 'of the other']
      for (const kind of kinds) await addJobs(kind, ['first', 'second'])
      const left = [...kinds]
      let runs = 0
      await both(async (jobs, meet) => {
        runs += 1
        const kind = left.shift() ?? ''
        const claim = claimOf(kind)
        const claimed = await jobs.claim(claim)
        await meet()
        for (const { id } of claimed) await jobs.complete(id, claim.owner)
        await jobs.add({ kind, key: 'third', projectId: null, payload: {}, runAt: NOW })
      })
      if (opened.writers === 'many') expect(runs).toBe(2)
    })

    it('have rows of the outbox applied, or wait again, without being run again', async () => {
      const { stores, writers } = opened
      const [applied, waiting] = await stores.transaction(async (tx) => {
        const ids = [uuidV7(NOW), uuidV7(NOW)]
        for (const id of ids) {
          await tx.outbox.add({ id, seq: await tx.outbox.nextSeq(), events: [], persons: [], distinctIds: [] }, NOW)
        }
        return ids as [string, string]
      })
      await stores.queueTransaction((tx) => tx.outbox.markApplied([applied], NOW))
      const { meet, haveMet } = meeting(writers)
      let runs = 0
      const run = (work: (outbox: OutboxClaims) => Promise<unknown>) =>
        stores.queueTransaction(({ outbox }) => {
          runs += 1
          return work(outbox)
        })
      await Promise.all([
        run(async (outbox) => {
          await outbox.applyAgain(false)
          await meet()
        }),
        run(async (outbox) => {
          const claimed = await outbox.claim({ now: NOW, until: NOW + 1, rows: 9, bytes: 1_000 })
          await meet()
          expect(claimed.map(({ id }) => id)).toContain(waiting)
          await outbox.markApplied([waiting], NOW)
        }),
      ])
      if (writers === 'many') expect([haveMet(), runs]).toEqual([true, 2])
      expect(await stores.outbox.pending()).toEqual([applied])
    })

    it('remove applied rows only when others that have them wait again are done', async () => {
      const { stores } = opened
      const id = uuidV7(NOW)
      await stores.transaction(async (tx) => {
        await tx.outbox.add({ id, seq: await tx.outbox.nextSeq(), events: [], persons: [], distinctIds: [] }, NOW)
      })
      await stores.queueTransaction((tx) => tx.outbox.markApplied([id], NOW))
      // Once each, where transactions are run twice.
      const ended = new Set<string>()
      let removing: Promise<number> | undefined
      await stores.queueTransaction(async ({ outbox }) => {
        await outbox.applyAgain(false)
        removing ??= stores.queueTransaction((tx) => tx.outbox.removeApplied(NOW + 1, 9))
        void removing.then(() => ended.add('removed'))
        await Promise.race([removing, sleep(300)])
        ended.add('waits')
      })
      expect(await removing).toBe(0)
      expect([...ended]).toEqual(['waits', 'removed'])
      expect(await stores.outbox.pending()).toContain(id)
    })
  })
}
