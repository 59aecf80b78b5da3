/**
 * `npm run bench -- --engines=scale [word…]`: events on ClickHouse, two shards, in turns with what is done without the store:
 * a plain insert of the same rows, and hand-written SQL that must have the same answer. Then how reads grow from 1 to 10
 * million events. `BENCH_SIZES=M` leaves out the ten million.
 */
import { isDeepStrictEqual } from 'node:util'
import { formatLine, inTurns, type Line, type Measured, meets } from './figure.ts'
import { checkIngested, ingestRound, makeRawTable } from './scale/ingest.ts'
import { breakdownRead, funnelRead, type ScaleRead, trendRead } from './scale/reads.ts'
import { type ScaleWorld, seed, withScaleWorld } from './scale/world.ts'

type Say = (progress: string) => void

const SIZES = { M: 1_000_000, L: 10_000_000 }
const ROUNDS = 5

const ingest: Line = {
  name: 'ClickHouse: batches over a raw insert of the same rows',
  bar: { atLeast: 0.3 },
}

interface ReadLine extends Line {
  read: ScaleRead
}

const trend: ReadLine = {
  name: 'ClickHouse: 30-day daily trend over bare SQL',
  bar: { atMost: 2 },
  read: trendRead,
}

const breakdown: ReadLine = {
  name: 'ClickHouse: trend by a property over bare SQL',
  bar: { atMost: 2 },
  read: breakdownRead,
}

const funnel: ReadLine = {
  name: 'ClickHouse: funnel of 3 steps over bare SQL',
  bar: { atMost: 2 },
  read: funnelRead,
}

/** Ten times the events, and a fifth more. */
const GROWTH = { atMost: 12 }

async function msOf(work: Promise<unknown>, since = performance.now()): Promise<number> {
  await work
  return performance.now() - since
}

async function measureIngest(world: ScaleWorld): Promise<Measured> {
  await makeRawTable(world)
  const { ratio, ours, theirs } = await inTurns(ROUNDS, () => ingestRound(world))
  await checkIngested(world)
  return { ratio, from: `${ours.toFixed(0)} over ${theirs.toFixed(0)} events/s` }
}

async function measureRead({ name, read }: ReadLine, world: ScaleWorld): Promise<Measured & { ms: number }> {
  const [ours, bare] = [await read.ours(world), await read.bare(world)]
  if (!isDeepStrictEqual(ours, bare))
    throw new Error(`${name}: the answers differ.\n  store: ${JSON.stringify(ours)}\n  bare:  ${JSON.stringify(bare)}`)
  const turns = await inTurns(ROUNDS, async () => [await msOf(read.ours(world)), await msOf(read.bare(world))])
  return { ratio: turns.ratio, from: `${turns.ours.toFixed(0)} over ${turns.theirs.toFixed(0)} ms`, ms: turns.ours }
}

/** False when a line misses its bar. */
export async function measureScale(words: string[], say: Say): Promise<boolean> {
  const isAsked = ({ name }: Line) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word))
  const reads = [trend, breakdown, funnel].filter(isAsked)
  const sizes = (process.env.BENCH_SIZES ?? 'M,L').split(',').flatMap((size) => SIZES[size as keyof typeof SIZES] ?? [])
  let holds = true
  const print = (line: Line, measured: Measured) => {
    process.stdout.write(`${formatLine(line, measured)}\n`)
    holds &&= meets(line, measured.ratio)
  }
  await withScaleWorld(async (world) => {
    if (isAsked(ingest)) print(ingest, await measureIngest(world))
    const before = new Map<ReadLine, number>()
    for (const events of reads.length > 0 ? sizes : []) {
      await seed(world, events, say)
      for (const line of reads) {
        const measured = await measureRead(line, world)
        print({ ...line, name: `${line.name}, ${events / 1e6}M` }, measured)
        const last = before.get(line)
        if (last !== undefined) {
          const from = `${measured.ms.toFixed(0)} over ${last.toFixed(0)} ms`
          print({ name: `${line.name}, growth`, bar: GROWTH }, { ratio: measured.ms / last, from })
        }
        before.set(line, measured.ms)
      }
    }
  })
  return holds
}
