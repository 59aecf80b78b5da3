/**
 * `npm run bench [-- word…]`: measures the figures whose name contains one of the words (all without), prints one
 * line for each and exits 1 when one misses its bar. Progress goes to stderr, so that stdout has only the table.
 * `npm run bench -- --sql=postgres [word…]`: those of postgres.ts, on a PostgreSQL that it starts.
 * `npm run bench -- --engines=scale [word…]`: those of scale.ts, on a ClickHouse of two shards that it starts.
 * `npm run bench -- growth [word…]` prints the reads of growth/growth.ts instead.
 */
import { execFileSync } from 'node:child_process'
import { batchThroughput, eventThroughput, loadMemory } from './capture.ts'
import { deliveryMemory, deliveryTime } from './deliveries.ts'
import { type Figure, formatLine, meets } from './figure.ts'
import { idleMemory, startTime } from './footprint.ts'
import { measureGrowth } from './growth/growth.ts'
import { newVisitors } from './new-visitors.ts'
import { personGrowth } from './person-growth.ts'
import { personThroughput } from './person-throughput.ts'
import { postgresEvents, postgresPersons } from './postgres.ts'
import { replaySize, replayThroughput } from './replay.ts'
import { measureScale } from './scale.ts'
import { removeTempFolders } from './temp-folder.ts'
import { timelineGrowth } from './timeline-growth.ts'
import { trends } from './trends.ts'
import { firstPaint } from './web/first-paint.ts'
import { peopleGrowth, peopleScroll } from './web/people-list.ts'
import { replayMemory } from './web/replay-memory.ts'
import { replayStart } from './web/replay-start.ts'

const EMBEDDED: Figure[] = [
  personThroughput,
  personGrowth,
  timelineGrowth,
  trends,
  eventThroughput,
  batchThroughput,
  newVisitors,
  loadMemory,
  replayThroughput,
  replaySize,
  deliveryTime,
  deliveryMemory,
  idleMemory,
  startTime,
  firstPaint,
  peopleGrowth,
  peopleScroll,
  replayStart,
  replayMemory,
]

const say = (progress: string): void => {
  process.stderr.write(`  … ${progress}\n`)
}

const args = process.argv.slice(2).map((word) => word.toLowerCase())
const FIGURES = args.includes('--sql=postgres') ? [postgresPersons, postgresEvents] : EMBEDDED
const [first, ...others] = args.filter((word) => !word.startsWith('--'))
const isGrowth = first === 'growth'
const isScale = args.includes('--engines=scale')
const words = first === undefined || isGrowth ? others : [first, ...others]
const chosen = FIGURES.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
)
if (!isGrowth && !isScale && chosen.length === 0) {
  process.stderr.write(`No figure matches. There are:\n${FIGURES.map(({ name }) => `  ${name}\n`).join('')}`)
  process.exit(1)
}

// The store is used as it is, without a server.
if (!isScale) execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })

/** False when one misses its bar. */
async function measureFigures(): Promise<boolean> {
  let holds = true
  for (const figure of chosen) {
    const measured = await figure.measure(say)
    process.stdout.write(`${formatLine(figure, measured)}\n`)
    holds &&= meets(figure, measured.ratio)
  }
  return holds
}

async function measureAll(): Promise<boolean> {
  if (isScale) return measureScale(words, say)
  return isGrowth ? measureGrowth(words, say) : measureFigures()
}

try {
  if (!(await measureAll())) process.exitCode = 1
} finally {
  removeTempFolders()
}
