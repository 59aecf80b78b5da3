/**
 * `npm run soak -- --engines=scale [--minutes=10] [--servers=3] [--kill-every=5]`: servers on one PostgreSQL, two shards of
 * ClickHouse and S3, behind a round-robin, under capture, replay, changes of people, splits, deletions and deliveries. Every few
 * seconds a server is killed and started again, and every sixth time it is an engine's turn. At the end: whether all that was
 * acknowledged is there, once. Exits with 1 if it is not.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Engines, startEngines } from '../support/servers/engines.ts'
import { type Count, countEvents, countPeople, countSnapshots } from './checks.ts'
import { Deliveries } from './deliveries.ts'
import { Fleet } from './fleet.ts'
import { Load } from './load.ts'

const MINUTE = 60_000
/** An engine is away for this long. */
const AWAY_MS = 3_000
const TURNS_PER_ENGINE = 6
/** Rows that a killed server had claimed wait for a minute; deliveries that it was making for some. */
const SETTLE_MS = 3 * MINUTE

const { values } = parseArgs({
  options: {
    engines: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    servers: { type: 'string', default: '3' },
    'kill-every': { type: 'string', default: '5' },
  },
})

function numberOf(name: 'minutes' | 'servers' | 'kill-every'): number {
  const value = Number(values[name])
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0.`)
  return value
}

const options = { minutes: numberOf('minutes'), servers: numberOf('servers'), killEvery: numberOf('kill-every') }

/** Each comes back after a while. */
const engineKills = ({ postgres, clickhouse, s3 }: Engines): [name: string, kill: () => Promise<void>][] => [
  [
    'PostgreSQL',
    async () => {
      await postgres.kill()
      await sleep(AWAY_MS)
      await postgres.start()
    },
  ],
  ...clickhouse.nodes.map((node, index): [string, () => Promise<void>] => [
    `ClickHouse ${index + 1}`,
    async () => {
      await node.kill()
      await sleep(AWAY_MS)
      await node.start()
    },
  ]),
  [
    'S3',
    async () => {
      s3.behave(() => 'cut')
      await sleep(AWAY_MS)
      s3.behave(() => 'pass')
    },
  ],
]

/** Returns when each of them was. */
async function killInTurn(engines: Engines, fleet: Fleet, signal: AbortSignal): Promise<number[]> {
  const kills: number[] = []
  const ofEngines = engineKills(engines)
  for (let turn = 1; !signal.aborted; turn++) {
    await sleep(options.killEvery * 1_000, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    kills.push(Date.now())
    if (turn % TURNS_PER_ENGINE === 0) {
      const [name, kill] = ofEngines[(turn / TURNS_PER_ENGINE - 1) % ofEngines.length] as (typeof ofEngines)[number]
      console.log(`  ${name} is killed`)
      await kill()
    } else {
      const index = turn % options.servers
      await fleet.kill(index)
      void fleet.startUntilUp(index, signal)
    }
  }
  return kills
}

async function repeat(everyMs: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await sleep(everyMs, undefined, { signal }).catch(() => {})
    if (!signal.aborted) await work()
  }
}

/** Waits until the servers answer and hold nothing back. */
async function settle(fleet: Fleet): Promise<void> {
  const deadline = Date.now() + SETTLE_MS
  for (;;) {
    const { status } = await fleet.ask('settling', 'GET', '/api/environments/1/events/?limit=1')
    if (status === 200) break
    if (Date.now() > deadline) throw new Error('Reads of events still fail.')
    await sleep(1_000)
  }
  while ((await fleet.command(['deletions', 'run', '--project', '1'])) !== 0) {
    if (Date.now() > deadline) throw new Error('The deletions could not be run.')
    await sleep(1_000)
  }
}

const said = (what: string, { acknowledged, lost, doubled }: Count): string =>
  `${what}: ${acknowledged} acknowledged, ${lost} lost, ${doubled} doubled`

async function soak(engines: Engines, deliveries: Deliveries): Promise<boolean> {
  const fleet = new Fleet({ ...engines.settings, HEDGEROW_WEBHOOK_ALLOW: deliveries.receiver.host })
  try {
    const started = await Promise.all(Array.from({ length: options.servers }, (_, index) => fleet.start(index)))
    if (started.includes(false)) throw new Error('Not all servers have started.')
    await deliveries.subscribe(fleet)
    const { signal, ...over } = endAfter(options.minutes * MINUTE)
    const load = new Load(fleet, signal)
    const [kills] = await Promise.all([
      killInTurn(engines, fleet, signal),
      load.run(),
      repeat(3_000, signal, () => deliveries.makeDue(engines.postgres)),
      repeat(MINUTE, signal, () => fleet.command(['deletions', 'run', '--project', '1'])),
    ])
    over.clear()
    await fleet.started()
    for (let index = 0; index < options.servers; index++) {
      await fleet.kill(index)
      await fleet.start(index)
    }
    await settle(fleet)
    const events = await countEvents(engines, load.acknowledged)
    const people = await countPeople(fleet, load.acknowledged)
    const snapshots = await countSnapshots(fleet, load.acknowledged)
    const delivered = await deliveries.counts(engines.postgres, kills)
    console.log(`${kills.length} kills in ${options.minutes} minutes, ${options.servers} servers`)
    console.log(said('events', events))
    console.log(`events of deleted people that are still there: ${events.notErased}`)
    console.log(said('changes of people', people))
    console.log(said('snapshots', snapshots))
    console.log(
      `deliveries: ${delivered.made} made, ${delivered.lost} lost, ${delivered.doubled} doubled, ${delivered.doubledByCrash} doubled in a crash`,
    )
    for (const line of fleet.outages.lines()) console.log(line)
    const faults = [events, people, snapshots].reduce((sum, { lost, doubled }) => sum + Math.abs(lost) + doubled, 0)
    return faults + events.notErased + delivered.lost + delivered.doubled === 0 && delivered.made > 0
  } finally {
    await fleet.end()
  }
}

function endAfter(ms: number): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  return { signal: controller.signal, clear: () => clearTimeout(timer) }
}

const engines = await startEngines()
const deliveries = await Deliveries.start()
try {
  process.exitCode = (await soak(engines, deliveries)) ? 0 : 1
} finally {
  await deliveries.receiver.stop()
  await engines.end()
}
