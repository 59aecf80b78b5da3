/**
 * What other work feels of reads at the largest size: capture and the outbox beside one chart and one list a second,
 * `/_health` beside each read without pause, and how fast new visitors are stored compared with known ones.
 */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { forkFile, reply, stop } from '../child.ts'
import { type Line, type Measured, median } from '../figure.ts'
import { compareVisitors, newVisitors } from '../new-visitors.ts'
import { insightReads } from './insight-reads.ts'
import { personReads } from './person-reads.ts'
import { asked, type Place, RefusedRead } from './place.ts'
import type { Read } from './read.ts'
import type { SteadyOrder, SteadyResult } from './steady-process.ts'

export type Beside = Line & Measured

const ROUNDS = 3
const ROUND_SECONDS = 20
/** Until every active person has sent an event. */
const WARM_UP_SECONDS = 8
/** 300 singles, 60 batches of 50 events and 200 persons a second. */
const MIXED = { single: 300, batch: 60, person: 200, outbox: 20 }

async function steady(process: ChildProcess, order: SteadyOrder): Promise<SteadyResult> {
  process.send(order)
  const result = await reply<SteadyResult>(process)
  if (Object.keys(result.refused).length > 0) {
    throw new Error(`The server has refused requests of the steady load: ${JSON.stringify(result.refused)}.`)
  }
  return result
}

const targetOf = ({ server, scene, token }: Place) => ({ port: server.port, people: scene.size.people, token })

const TIMEOUT = 504

/** Also a read that the server ends at its deadline has been a load until then. */
async function askedInTime(read: Read, place: Place): Promise<void> {
  try {
    await asked(read, place)
  } catch (error) {
    if (!(error instanceof RefusedRead && error.status === TIMEOUT)) throw error
  }
}

/** Repeats these reads, each at its interval, until the work is done. */
async function meanwhile<T>(
  reads: { read: Read; everyMs: number }[],
  place: Place,
  work: () => Promise<T>,
): Promise<T> {
  let isOver = false
  const repeat = async ({ read, everyMs }: { read: Read; everyMs: number }) => {
    while (!isOver) {
      const begun = performance.now()
      await askedInTime(read, place)
      await sleep(Math.max(0, everyMs - (performance.now() - begun)))
    }
  }
  const repeating = Promise.all(reads.map(repeat))
  try {
    return await work()
  } finally {
    isOver = true
    await repeating
  }
}

const named = (reads: Read[], name: string): Read => {
  const found = reads.find((read) => read.name === name)
  if (!found) throw new Error(`There is no read named ${name}.`)
  return found
}

async function mixed(place: Place): Promise<Beside[]> {
  const chart = { read: named(insightReads, 'trend of daily actives, 30 days'), everyMs: 1_000 }
  const list = { read: named(personReads, 'persons/ search, rare'), everyMs: 1_000 }
  const process = forkFile('./growth/steady-process.ts')
  const order = { ...targetOf(place), seconds: ROUND_SECONDS, rates: MIXED }
  const rounds: { quiet: SteadyResult; busy: SteadyResult }[] = []
  try {
    await steady(process, { ...order, seconds: WARM_UP_SECONDS })
    for (let round = 0; round < ROUNDS; round++) {
      const quiet = await steady(process, order)
      rounds.push({ quiet, busy: await meanwhile([chart, list], place, () => steady(process, order)) })
    }
  } finally {
    await stop(process)
  }
  const line = (name: string, kind: 'single' | 'outbox'): Beside => {
    const of = (which: 'quiet' | 'busy') => rounds.map((round) => round[which].p99[kind] ?? Number.NaN)
    const [busy, quiet] = [median(of('busy')), median(of('quiet'))]
    return { name, ratio: busy / quiet, bar: { atMost: 3 }, from: `${busy.toFixed(1)} over ${quiet.toFixed(1)} ms` }
  }
  return [
    line('capture p99 beside a chart and a list a second', 'single'),
    line('age of the outbox p99 beside the same', 'outbox'),
  ]
}

/** At least 300 samples. */
const HEALTH = { seconds: 7, rates: { health: 50 } }

async function health(place: Place, reads: Read[], say: (progress: string) => void): Promise<Beside> {
  const process = forkFile('./growth/steady-process.ts')
  const order = { ...targetOf(place), ...HEALTH }
  const p99 = (result: SteadyResult) => result.p99.health ?? Number.NaN
  try {
    await steady(process, order)
    const ratios: { name: string; ratio: number; busy: number; quiet: number }[] = []
    for (const read of reads) {
      const quiet = p99(await steady(process, order))
      const busy = p99(await meanwhile([{ read, everyMs: 0 }], place, () => steady(process, order)))
      ratios.push({ name: read.name, ratio: busy / quiet, busy, quiet })
      say(`/_health beside ${read.name}: ${busy.toFixed(1)} over ${quiet.toFixed(1)} ms`)
    }
    const worst = ratios.reduce((most, next) => (next.ratio > most.ratio ? next : most))
    const from = `${worst.busy.toFixed(1)} over ${worst.quiet.toFixed(1)} ms beside ${worst.name}`
    return { name: '/_health p99 beside a read without pause, the worst', ratio: worst.ratio, bar: { atMost: 5 }, from }
  } finally {
    await stop(process)
  }
}

/** Changes the folder: to be measured after the reads. */
export async function* measureBeside(
  place: Place,
  reads: Read[],
  say: (progress: string) => void,
): AsyncGenerator<Beside> {
  say('capture beside reads')
  yield* await mixed(place)
  yield { ...newVisitors, ...(await compareVisitors(place.server.port, place.token, say)) }
  yield await health(place, reads, say)
}
