/**
 * `npm run bench -- growth [word…]`: every read at three sizes, in turns with hand-written SQL that must give the same
 * answer. Prints the time at each size, the growth from the second to the third size and the ratio over that SQL.
 */
import { isDeepStrictEqual } from 'node:util'
import { formatLine, median, meets } from '../figure.ts'
import { measureBeside } from './beside.ts'
import { eventReads } from './event-reads.ts'
import { insightReads } from './insight-reads.ts'
import { personReads } from './person-reads.ts'
import { asked, bareTimed, openPlace, type Place } from './place.ts'
import type { Read } from './read.ts'
import { SIZES } from './world.ts'

type Say = (progress: string) => void

/** Rounds end early for a slow read. */
const ROUNDS = 7
const FEWEST_ROUNDS = 3
const MOST_MS = 15_000

const short = (value: unknown): string => JSON.stringify(value)?.slice(0, 300) ?? 'undefined'

interface Timing {
  ms: number
  bareMs: number | null
  ratio: number | null
}

/** The first round, which is not counted, compares both answers. */
async function measure(read: Read, place: Place): Promise<Timing> {
  const first = await asked(read, place)
  const bare = await bareTimed(read, place)
  if (bare && !isDeepStrictEqual(first.answer, bare.answer)) {
    throw new Error(
      `${read.name}: the answers differ.\n  server: ${short(first.answer)}\n  bare:   ${short(bare.answer)}`,
    )
  }
  const rounds: { ms: number; bareMs: number | null }[] = []
  const begun = performance.now()
  while (rounds.length < ROUNDS && (rounds.length < FEWEST_ROUNDS || performance.now() - begun < MOST_MS)) {
    const { ms } = await asked(read, place)
    rounds.push({ ms, bareMs: (await bareTimed(read, place))?.ms ?? null })
  }
  const bareMs = read.bare ? median(rounds.map((round) => round.bareMs ?? Number.NaN)) : null
  const ratio = read.bare ? median(rounds.map((round) => round.ms / (round.bareMs ?? Number.NaN))) : null
  return { ms: median(rounds.map((round) => round.ms)), bareMs, ratio }
}

const NAME_WIDTH = 48
const shown = (value: number | null, digits = 1): string => (value === null ? '–' : value.toFixed(digits)).padStart(9)

function line(read: Read, measured: Timing[]): { text: string; holds: boolean } {
  const last = measured.at(-1) as Timing
  const before = measured.at(-2)
  const growth = before ? last.ms / before.ms : null
  const holdsBare = read.overBare === null || last.ratio === null || last.ratio <= read.overBare
  const holds = holdsBare && (growth === null || growth <= read.growth)
  const bars = `≤ ${read.growth}${read.overBare === null ? '' : `, ≤ ${read.overBare}`}`
  const times = measured.map(({ ms }) => shown(ms)).join('')
  const text = `${read.name.padEnd(NAME_WIDTH)}${times}${shown(growth, 2)}${shown(last.bareMs)}${shown(last.ratio, 2)}  ${holds ? 'ok  ' : 'FAIL'} (${bars})`
  return { text, holds }
}

const READS = [...personReads, ...eventReads, ...insightReads]

/** The sizes, or those that BENCH_SIZES names, such as `S,M`. */
const sizes = SIZES.filter(({ name }) => (process.env.BENCH_SIZES ?? 'S,M,L').split(',').includes(name))

/** False when a line does not hold. */
async function measureReads(reads: Read[], places: Place[]): Promise<boolean> {
  const heads = [...sizes.map(({ name }) => `${name} ms`), 'growth', 'bare ms', 'ratio']
  process.stdout.write(`${'read'.padEnd(NAME_WIDTH)}${heads.map((head) => head.padStart(9)).join('')}\n`)
  let holds = true
  for (const read of reads) {
    try {
      const timings: Timing[] = []
      for (const place of places) timings.push(await measure(read, place))
      const { text, holds: lineHolds } = line(read, timings)
      process.stdout.write(`${text}\n`)
      holds &&= lineHolds
    } catch (error) {
      process.stdout.write(`${read.name.padEnd(NAME_WIDTH)} FAIL ${(error as Error).message}\n`)
      holds = false
    }
  }
  return holds
}

/** The word that chooses what is measured beside reads, instead of the reads themselves. */
const BESIDE = 'beside'

async function measureOthers(place: Place, reads: Read[], say: Say): Promise<boolean> {
  let holds = true
  for await (const found of measureBeside(place, reads, say)) {
    process.stdout.write(`${formatLine(found, found)}\n`)
    holds &&= meets(found, found.ratio)
  }
  return holds
}

/** Of the reads whose name contains one of the words, or of everything; false when a line does not hold. */
export async function measureGrowth(given: string[], say: Say): Promise<boolean> {
  const isBeside = given.includes(BESIDE)
  const words = given.filter((word) => word !== BESIDE)
  const chosen = READS.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
  )
  const places: Place[] = []
  try {
    for (const size of isBeside ? sizes.slice(-1) : sizes) places.push(await openPlace(size, say))
    const largest = places.at(-1) as Place
    const holds = isBeside || (await measureReads(chosen, places))
    const measuresOthers = isBeside || given.length === 0
    return measuresOthers ? (await measureOthers(largest, chosen, say)) && holds : holds
  } finally {
    for (const place of places) await place.close()
  }
}
