/**
 * `npm run bench -- growth [word…]`: every read at three sizes, in turns with hand-written SQL that must give the same
 * answer. Prints the time at each size, the growth from the second to the third size and the ratio over that SQL.
 */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '../../src/stores/duckdb/database.ts'
import { foldAll } from '../../src/stores/duckdb/people-projection.ts'
import { API_KEY, type RunningServer, startServer } from '../child.ts'
import { median } from '../figure.ts'
import { tempFolder } from '../temp-folder.ts'
import { eventReads } from './event-reads.ts'
import { insightReads } from './insight-reads.ts'
import { personReads } from './person-reads.ts'
import { Bare, type Read, type Scene } from './read.ts'
import { type Seeded, seededFolder } from './seed.ts'
import { SIZES, type Size } from './world.ts'

type Say = (progress: string) => void

interface Place {
  scene: Scene
  server: RunningServer
  bare: Bare
  close(): Promise<void>
}

async function openBare({ dataDir }: Seeded): Promise<{ bare: Bare; close: () => Promise<void> }> {
  const copy = tempFolder()
  for (const file of ['events.duckdb', 'hedgerow.db']) copyFileSync(join(dataDir, file), join(copy, file))
  const events = await openDatabase(join(copy, 'events.duckdb'))
  await events.write(foldAll)
  const sql = new Sqlite(join(copy, 'hedgerow.db'))
  const close = async () => {
    sql.close()
    await events.close()
  }
  return { bare: new Bare(events, sql), close }
}

async function openPlace(size: Size, say: Say): Promise<Place> {
  const seeded = await seededFolder(size, say)
  const { bare, close } = await openBare(seeded)
  const server = await startServer(seeded.dataDir)
  const stop = async () => {
    await server.stop()
    await close()
  }
  return { scene: { size, now: seeded.now }, server, bare, close: stop }
}

interface Timed {
  ms: number
  answer: unknown
}

async function asked(read: Read, { scene, server }: Place): Promise<Timed> {
  const { path, body } = read.request(scene)
  const begun = performance.now()
  const response = await fetch(`http://127.0.0.1:${server.port}/api/environments/1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const ms = performance.now() - begun
  if (response.status !== 200) throw new Error(`${response.status}: ${text.slice(0, 200)}`)
  return { ms, answer: read.answer(JSON.parse(text) as never) }
}

async function bareTimed(read: Read, { scene, bare }: Place): Promise<Timed | null> {
  if (!read.bare) return null
  const begun = performance.now()
  const answer = await read.bare(bare, scene)
  return { ms: performance.now() - begun, answer }
}

/** Rounds end early for a slow read. */
const ROUNDS = 7
const FEWEST_ROUNDS = 3
const MOST_MS = 15_000

const short = (value: unknown): string => JSON.stringify(value)?.slice(0, 300) ?? 'undefined'

interface Measured {
  ms: number
  bareMs: number | null
  ratio: number | null
}

/** The first round, which is not counted, compares both answers. */
async function measure(read: Read, place: Place): Promise<Measured> {
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

function line(read: Read, measured: Measured[]): { text: string; holds: boolean } {
  const last = measured.at(-1) as Measured
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

/** Of the reads whose name contains one of the words, or of all; false when a line does not hold. */
export async function measureGrowth(words: string[], say: Say): Promise<boolean> {
  const chosen = READS.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
  )
  const places: Place[] = []
  let holds = true
  try {
    for (const size of sizes) places.push(await openPlace(size, say))
    const heads = [...sizes.map(({ name }) => `${name} ms`), 'growth', 'bare ms', 'ratio'].map((head) =>
      head.padStart(9),
    )
    process.stdout.write(`${'read'.padEnd(NAME_WIDTH)}${heads.join('')}\n`)
    for (const read of chosen) {
      try {
        const measured: Measured[] = []
        for (const place of places) measured.push(await measure(read, place))
        const { text, holds: lineHolds } = line(read, measured)
        process.stdout.write(`${text}\n`)
        holds &&= lineHolds
      } catch (error) {
        process.stdout.write(`${read.name.padEnd(NAME_WIDTH)} FAIL ${(error as Error).message}\n`)
        holds = false
      }
    }
    return holds
  } finally {
    for (const place of places) await place.close()
  }
}
