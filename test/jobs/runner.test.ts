/** The runner on a real store and a driven clock: what is due runs once, what fails comes back or is parked. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Recurring } from '../../src/jobs/recurring.ts'
import { Runner, type RunnerParts } from '../../src/jobs/runner.ts'
import { Unworkable } from '../../src/lib/errors.ts'
import type { Job, Lease, NewJob, Worker } from '../../src/model/job.ts'
import type { OpenedSql } from '../../src/stores/contract/open-sql.ts'
import { type TestClock, testClock } from '../support/clock.ts'
import { quietWatch } from '../support/clock-watch.ts'
import { openChosenStores } from '../support/rerun-stores.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let opened: OpenedSql
let clock: TestClock
let made: Runner[]
let failures: { key: string; error: string; parked: boolean }[]
let broken: unknown[]
beforeEach(async () => {
  opened = await openChosenStores()
  clock = testClock()
  made = []
  failures = []
  broken = []
})
afterEach(async () => {
  for (const runner of made) await runner.stop()
  await opened.end()
  expect(broken).toEqual([])
})

function runner(parts: Partial<RunnerParts>): Runner {
  const failed = (job: Job, error: unknown, parked: boolean) =>
    void failures.push({ key: job.key, error: (error as Error).message, parked })
  const one = new Runner({
    stores: opened.stores,
    clock,
    watch: quietWatch(opened.stores, clock),
    recurring: [],
    workers: [],
    failed,
    broken: (error) => void broken.push(error),
    random: () => 0,
    ...parts,
  })
  made.push(one)
  return one
}

const worker = (run: Worker['run'], input: Partial<Worker> = {}): Worker => ({
  kind: 'mail',
  atOnce: 2,
  maxAttempts: 3,
  backoff: (attempt) => attempt * MINUTE,
  run,
  ...input,
})

const add = (key: string, input: Partial<NewJob> = {}) =>
  opened.stores.transaction((tx) =>
    tx.jobs.add({ kind: 'mail', key, projectId: null, payload: null, runAt: clock.now(), ...input }),
  )
const find = (key: string, kind = 'mail') => opened.stores.jobs.find(kind, key)

/** A promise and the function that settles it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('jobs', () => {
  it('run when they are due, once, and what they add runs too', async () => {
    const ran: string[] = []
    const run = async ({ key }: Job) => {
      ran.push(key)
      if (key === 'a') await add('child')
    }
    const one = runner({ workers: [worker(run)] })
    await add('a')
    await add('later', { runAt: clock.now() + 1 })
    await one.runDue()
    await one.runDue()
    expect(ran).toEqual(['a', 'child'])
    clock.advance(1)
    await one.runDue()
    expect(ran).toEqual(['a', 'child', 'later'])
    expect(await opened.stores.jobs.backlog(clock.now())).toEqual({ due: 0, oldestAt: null, parked: 0 })
  })

  it('of a kind without a worker stay', async () => {
    await add('a', { kind: 'unknown' })
    await runner({ workers: [worker(async () => {})] }).runDue()
    expect(await find('a', 'unknown')).toMatchObject({ attempts: 0 })
  })

  it('never run more at once than the worker allows, each kind for itself', async () => {
    const most = { mail: 0, other: 0 }
    const now = { mail: 0, other: 0 }
    const run = async ({ kind }: Job) => {
      const name = kind as keyof typeof now
      most[name] = Math.max(most[name], ++now[name])
      await new Promise((resolve) => setImmediate(resolve))
      now[name] -= 1
    }
    for (let i = 0; i < 30; i++) {
      await add(String(i))
      await add(String(i), { kind: 'other' })
    }
    await runner({ workers: [worker(run, { atOnce: 3 }), worker(run, { kind: 'other', atOnce: 5 })] }).runDue()
    expect(most).toEqual({ mail: 3, other: 5 })
  })

  it('are tried again after the back-off, and parked when it never helps', async () => {
    let runs = 0
    const run = async () => {
      throw new Error(`refused ${++runs}`)
    }
    const one = runner({ workers: [worker(run)] })
    await add('a')
    const start = clock.now()
    await one.runDue()
    expect(await find('a')).toMatchObject({ runAt: start + MINUTE, error: 'refused 1', attempts: 1 })
    clock.advance(MINUTE)
    await one.runDue()
    expect(await find('a')).toMatchObject({ runAt: start + 3 * MINUTE, error: 'refused 2' })
    clock.advance(2 * MINUTE)
    await one.runDue()
    expect(await find('a')).toMatchObject({ parkedAt: start + 3 * MINUTE, error: 'refused 3', attempts: 3 })
    clock.advance(DAY)
    await one.runDue()
    expect(runs).toBe(3)
    expect(failures.map(({ parked }) => parked)).toEqual([false, false, true])
  })

  it('come back up to a fifth earlier than the back-off says', async () => {
    const run = async () => {
      throw new Error('no')
    }
    await add('a')
    await runner({ workers: [worker(run)], random: () => 1 }).runDue()
    expect(await find('a')).toMatchObject({ runAt: clock.now() + 0.8 * MINUTE })
  })

  it('are parked at once when they can never be done', async () => {
    const run = async () => {
      throw new Unworkable('no such person')
    }
    await add('a')
    await runner({ workers: [worker(run)] }).runDue()
    expect(await opened.stores.jobs.parked({ limit: 9, offset: 0 })).toMatchObject({
      items: [{ key: 'a', error: 'no such person', attempts: 1 }],
    })
    expect(failures).toEqual([{ key: 'a', error: 'no such person', parked: true }])
  })

  it('that killed their process each time are parked without another try', async () => {
    await add('a')
    const claim = { kinds: ['mail'], owner: 'dead', leaseMs: MINUTE, limit: 1 }
    for (let i = 0; i < 3; i++) {
      await opened.stores.transaction((tx) => tx.jobs.claim({ ...claim, now: clock.now() }))
      clock.advance(MINUTE)
    }
    let runs = 0
    const run = async () => {
      runs += 1
    }
    await runner({ workers: [worker(run)] }).runDue()
    expect(runs).toBe(0)
    expect(await find('a')).toMatchObject({ error: 'It was begun 3 times and never ended.', attempts: 4 })
  })

  it('are shared by several runners, each done by one of them', async () => {
    const ran: string[] = []
    const run = async ({ key }: Job) => {
      await new Promise((resolve) => setImmediate(resolve))
      ran.push(key)
    }
    for (let i = 0; i < 200; i++) await add(String(i))
    const runners = [1, 2, 3].map(() => runner({ workers: [worker(run)] }))
    await Promise.all(runners.map((one) => one.runDue()))
    expect(ran.length).toBe(200)
    expect(new Set(ran).size).toBe(200)
  })
})

describe('a job that its worker completes', () => {
  it('ends in the transaction of its result, and nothing is written after it', async () => {
    let seen: unknown
    const run = async (_: Job, lease: Lease) => {
      await opened.stores.transaction((tx) => lease.complete(tx.jobs))
      seen = await find('a')
      // Its key is free again: the job of that key is another one, which must not be taken for it.
      await add('a', { runAt: clock.now() + HOUR })
    }
    await add('a')
    await runner({ workers: [worker(run)] }).runDue()
    expect(seen).toBeNull()
    expect(await find('a')).toMatchObject({ attempts: 0 })
    expect(failures).toEqual([])
  })

  it('comes back when that transaction was rolled back', async () => {
    let tries = 0
    const run = async (_: Job, lease: Lease) => {
      tries += 1
      await opened.stores.transaction(async (tx) => {
        await lease.complete(tx.jobs)
        if (tries === 1) throw new Error('The disk is full.')
      })
    }
    await add('a')
    const one = runner({ workers: [worker(run)] })
    await one.runDue()
    expect(await find('a')).toMatchObject({ attempts: 1, error: 'The disk is full.' })
    clock.advance(MINUTE)
    await one.runDue()
    expect([tries, await find('a')]).toEqual([2, null])
  })

  it('belongs to the holder of the lease: a worker that lost it is aborted, and changes nothing', async () => {
    const completed: boolean[] = []
    const doors = [gate(), gate()]
    let begun = 0
    const run = async (_: Job, lease: Lease) => {
      begun += 1
      await doors[begun - 1]?.opened
      completed.push(await opened.stores.transaction((tx) => lease.complete(tx.jobs)))
    }
    await add('a')
    const firstRun = runner({ workers: [worker(run)] }).runDue()
    await expect.poll(() => begun).toBe(1)
    clock.advance(2 * MINUTE)
    const secondRun = runner({ workers: [worker(run)] }).runDue()
    await expect.poll(() => begun).toBe(2)
    doors[0]?.open()
    await firstRun
    expect(await find('a')).toMatchObject({ attempts: 2 })
    doors[1]?.open()
    await secondRun
    expect([completed, await find('a')]).toEqual([[false, true], null])
  })
})

describe('a lease', () => {
  it('is renewed while the work lasts, and lost without a heartbeat', async () => {
    const doors = [gate(), gate()]
    const begun: string[] = []
    const signals: AbortSignal[] = []
    const run = async (job: Job, lease: Lease) => {
      signals.push(lease.signal)
      begun.push(job.key)
      await doors[begun.length - 1]?.opened
    }
    await add('a')
    const first = runner({ workers: [worker(run)] })
    const second = runner({ workers: [worker(run)] })
    const firstRun = first.runDue()
    await expect.poll(() => begun.length).toBe(1)
    clock.advance(59 * SECOND)
    await first.beat()
    clock.advance(59 * SECOND)
    await second.runDue()
    expect(begun.length).toBe(1)
    clock.advance(SECOND)
    const secondRun = second.runDue()
    await expect.poll(() => begun.length).toBe(2)
    await first.beat()
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false])
    doors[0]?.open()
    await firstRun
    expect(await find('a')).toMatchObject({ attempts: 2 })
    doors[1]?.open()
    await secondRun
    expect(await find('a')).toBeNull()
  })
})

describe('a clock that jumps while a job runs', () => {
  it.each([
    ['ahead', 10 * HOUR],
    ['back', -40 * DAY],
  ])('%s does not begin it again', async (_, ms) => {
    const barrier = gate()
    let begun = 0
    const run = async () => {
      begun += 1
      await barrier.opened
    }
    await add('a')
    const one = runner({ workers: [worker(run)] })
    const running = one.runDue()
    await expect.poll(() => begun).toBe(1)
    clock.jump(ms)
    const again = one.runDue()
    await expect.poll(async () => (await opened.stores.clockState.find())?.seenAt).toBeLessThanOrEqual(clock.now())
    await one.beat()
    barrier.open()
    await Promise.all([running, again])
    await one.runDue()
    expect([begun, await find('a')]).toEqual([1, null])
  })
})

describe('a stop', () => {
  it('finishes what has begun, releases the rest, and starts nothing more', async () => {
    const barrier = gate()
    const ran: string[] = []
    const run = async ({ key }: Job) => {
      ran.push(key)
      await barrier.opened
    }
    for (const key of ['a', 'b', 'c', 'd']) await add(key)
    const one = runner({ workers: [worker(run)] })
    one.start()
    await expect.poll(() => ran.length).toBe(2)
    const stopped = one.stop()
    await expect.poll(async () => (await find('d'))?.attempts).toBe(0)
    barrier.open()
    await stopped
    expect(ran).toEqual(['a', 'b'])
    expect(await find('a')).toBeNull()
    const next = runner({ workers: [worker(run)] })
    await next.runDue()
    expect(ran).toEqual(['a', 'b', 'c', 'd'])
  })

  it('releases what ends when aborted, without counting the attempt', async () => {
    const begun = gate()
    const run = (_: Job, { signal }: Lease) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        begun.open()
      })
    await add('a')
    const one = runner({ workers: [worker(run)] })
    one.start()
    await begun.opened
    await one.stop()
    expect(await find('a')).toMatchObject({ attempts: 0, error: null })
    expect(failures).toEqual([])
  })
})

describe('recurring work', () => {
  const entry = (ran: number[], input: Partial<Recurring> = {}): Recurring => ({
    name: 'sweep',
    cron: '30 * * * *',
    destructive: false,
    run: async () => void ran.push(clock.now()),
    ...input,
  })

  it('runs at its times, once each, and the newest missed one runs once', async () => {
    const ran: number[] = []
    const one = runner({ recurring: [entry(ran)] })
    const noon = clock.now()
    await one.runDue()
    // The first start has missed 11:30.
    expect(ran).toEqual([noon])
    clock.set(noon + 30 * MINUTE - 1)
    await one.runDue()
    expect(ran.length).toBe(1)
    clock.set(noon + 30 * MINUTE)
    await one.runDue()
    await one.runDue()
    expect(ran.length).toBe(2)
    clock.advance(5 * DAY)
    await one.runDue()
    await runner({ recurring: [entry(ran)] }).runDue()
    expect(ran.length).toBe(3)
  })

  it('runs once for several processes', async () => {
    const ran: number[] = []
    const runners = [1, 2, 3].map(() => runner({ recurring: [entry(ran)] }))
    for (let hour = 0; hour < 24; hour++) {
      clock.advance(HOUR)
      await Promise.all(runners.map((one) => one.runDue()))
    }
    expect(ran.length).toBe(24)
  })

  it('is replaced by the next tick when it failed or is parked, so that nothing piles up', async () => {
    let good = false
    const run = async () => {
      if (!good) throw new Unworkable('not now')
    }
    const one = runner({ recurring: [entry([], { run })] })
    for (let hour = 0; hour < 3; hour++) {
      clock.advance(HOUR)
      await one.runDue()
    }
    expect(await opened.stores.jobs.parked({ limit: 9, offset: 0 })).toMatchObject({
      count: 1,
      items: [{ key: 'sweep@2026-03-04T14:30:00Z' }],
    })
    good = true
    clock.advance(HOUR)
    await one.runDue()
    expect((await opened.stores.jobs.parked({ limit: 9, offset: 0 })).count).toBe(0)
  })

  it('must have a name of its own', () => {
    expect(() => runner({ recurring: [entry([]), entry([])] })).toThrow('same kind')
  })
})
