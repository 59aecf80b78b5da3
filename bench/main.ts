/**
 * `npm run bench [-- word…]`: measures the figures whose name contains one of the words (all without), prints one
 * line for each and exits 1 when one misses its bar. Progress goes to stderr, so that stdout has only the table.
 */
import { execFileSync } from 'node:child_process'
import { batchThroughput, eventThroughput, loadMemory } from './capture.ts'
import { deliveryMemory, deliveryTime } from './deliveries.ts'
import { type Figure, formatLine, meets } from './figure.ts'
import { idleMemory, startTime } from './footprint.ts'
import { personGrowth } from './person-growth.ts'
import { personThroughput } from './person-throughput.ts'
import { replaySize, replayThroughput } from './replay.ts'
import { removeTempFolders } from './temp-folder.ts'
import { timelineGrowth } from './timeline-growth.ts'
import { trends } from './trends.ts'

const FIGURES: Figure[] = [
  personThroughput,
  personGrowth,
  timelineGrowth,
  trends,
  eventThroughput,
  batchThroughput,
  loadMemory,
  replayThroughput,
  replaySize,
  deliveryTime,
  deliveryMemory,
  idleMemory,
  startTime,
]

const say = (progress: string): void => {
  process.stderr.write(`  … ${progress}\n`)
}

const words = process.argv.slice(2).map((word) => word.toLowerCase())
const chosen = FIGURES.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
)
if (chosen.length === 0) {
  process.stderr.write(`No figure matches. There are:\n${FIGURES.map(({ name }) => `  ${name}\n`).join('')}`)
  process.exit(1)
}

execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
try {
  for (const figure of chosen) {
    const measured = await figure.measure(say)
    process.stdout.write(`${formatLine(figure, measured)}\n`)
    if (!meets(figure, measured.ratio)) process.exitCode = 1
  }
} finally {
  removeTempFolders()
}
