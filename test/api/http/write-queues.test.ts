/**
 * Every write queue, called again a few steps of the event loop after its last answer: at one of these steps it is just
 * about to end. No caller may be left waiting.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDeliverWorker } from '../../../src/features/deliveries/deliver.ts'
import { createDueDeliveries } from '../../../src/features/deliveries/due-deliveries.ts'
import { Runner } from '../../../src/jobs/runner.ts'
import { groupCommits } from '../../../src/lib/concurrency/group-commit.ts'
import { createKeyedBatcher } from '../../../src/lib/concurrency/keyed-batcher.ts'
import type { Worker } from '../../../src/model/job.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { accepted } from '../../../src/transports/outcome.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { quietWatch } from '../../support/clock-watch.ts'
import { emptyReport } from '../../support/deliveries/empty-report.ts'
import { subscribe } from '../../support/deliveries/subscription.ts'
import { makeEvents } from '../../support/make.ts'
import { click, linesOf, makeSnapshot } from '../../support/replay/replay.ts'
import { soon } from '../../support/ticks.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

const STEPS = Array.from({ length: 16 }, (_, steps) => steps)

/** Calls it three times, each this many steps after the previous answer. */
async function inARow(steps: number, call: (n: number) => Promise<unknown>): Promise<void> {
  for (const n of [1, 2, 3]) {
    await call(n)
    for (let i = 0; i < steps; i++) await null
  }
}

describe.each(STEPS)('%i steps after the last answer', (steps) => {
  it('capture takes a request', async () => {
    const name = `steps-${steps}`
    const { capture } = app.features
    await inARow(steps, async () => {
      const items = [{ event: name, distinct_id: 'ann' }]
      await capture.accept({ token: PROJECT_TOKEN, sentAt: null, items, isPlain: true })
    })
    const names = await app.stores.events.eventNames({ projectId: 1, words: [name], page: { limit: 100, offset: 0 } })
    expect(names.items.find((one) => one.name === name)?.count).toBe(3)
  })

  it('replay takes a request, stored or only warned of', async () => {
    const session = `steps-${steps}`
    const call = (snapshots: unknown[]) => ({
      method: 'POST',
      params: {},
      query: {},
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(snapshots)),
      ip: () => '',
      hold: () => {},
      note: () => {},
    })
    const bad = { ...makeSnapshot({ session, events: [click(1)] }), properties: { token: PROJECT_TOKEN } }
    await inARow(steps, async (n) => {
      const { drops } = await app.features.replay.accept(
        call([makeSnapshot({ session, events: [click(app.clock.now() + n)] }), bad]),
      )
      expect(drops).toHaveLength(1)
    })
    expect(await linesOf(app, session)).toHaveLength(3)
  })

  it('the runner ends one job after the other', async () => {
    const ran: string[] = []
    const run: Worker['run'] = async ({ key }) => {
      ran.push(key)
      for (let i = 0; i < steps; i++) await null
    }
    const kind = `steps-${steps}`
    const worker: Worker = { kind, atOnce: 1, maxAttempts: 1, backoff: () => 1, run }
    const fail = (error: unknown) => {
      throw error
    }
    const { stores, clock } = app
    const runner = new Runner({
      stores,
      clock,
      watch: quietWatch(stores, clock),
      recurring: [],
      workers: [worker],
      failed: fail,
      broken: fail,
    })
    await stores.transaction(async (tx) => {
      for (const key of ['a', 'b', 'c']) {
        await tx.jobs.add({ kind, key, projectId: null, payload: null, runAt: clock.now() })
      }
    })
    await runner.runDue()
    await runner.stop()
    expect(ran.sort()).toEqual(['a', 'b', 'c'])
    expect(await stores.jobs.find(kind, 'c')).toBeNull()
  })

  it('deliveries record how each message ended', async () => {
    const { stores, clock } = app
    const addresses = ['a@example.com', 'b@example.com', 'c@example.com']
    await subscribe(app, {
      target_value: addresses.join(','),
      frequency: 'daily',
      start_date: new Date(clock.now() + 3_600_000).toISOString(),
      insight: 1,
    })
    clock.advance(2 * 3_600_000)
    await createDueDeliveries({ stores, clock, channels: { problemOf: () => null, mailDomain: 'acme.example' } })
    const posted: string[] = []
    const post = async ({ recipient }: { recipient: { recipient: string } }) => {
      posted.push(recipient.recipient)
      for (let i = 0; i < steps; i++) await null
      return accepted
    }
    const worker = createDeliverWorker({ stores, clock, makeReport: emptyReport, post, canNotify: false, atOnce: 1 })
    const fail = (error: unknown) => {
      throw error
    }
    const runner = new Runner({
      stores,
      clock,
      watch: quietWatch(stores, clock),
      recurring: [],
      workers: [worker],
      failed: () => {},
      broken: fail,
    })
    await runner.runDue()
    await runner.stop()
    expect(posted).toEqual(expect.arrayContaining(addresses))
    expect(await stores.jobs.dueKinds([worker.kind], clock.now())).toEqual([])
  })

  it('group commits succeed', async () => {
    const commits: number[][] = []
    const commit = groupCommits<number[]>(async (work) => {
      const tx: number[] = []
      await work(tx)
      commits.push(tx)
    })
    await soon(inARow(steps, (n) => commit(async (tx) => tx.push(n))))
    expect(commits).toEqual([[1], [2], [3]])
  })

  it('keyed batches run', async () => {
    const taken: number[] = []
    const take = async (items: number[]) => void taken.push(...items)
    const turns = createKeyedBatcher<number, void>({ take, weigh: () => 1, maxWeight: 10 })
    await soon(inARow(steps, (n) => turns.add('key', n)))
    expect(taken).toEqual([1, 2, 3])
  })

  it('reads of one turn are answered', async () => {
    // Not `soon`: the answer may come over a network.
    await inARow(steps, async () => expect(await app.stores.projects.find(1)).toMatchObject({ id: 1 }))
  })

  it('the outbox is emptied, and a read after each change sees it', async () => {
    const { stores, clock } = app
    const event = `drained-${steps}`
    await inARow(steps, async (n) => {
      await makeEvents({ stores, clock }, [{ event, projectId: 7 }])
      await countEvents(stores.events, 7).then((count) => expect(count % 3).toBe(n % 3))
    })
  })
})
