/**
 * Fills columns of events in the background: the actors of an earlier version's events, overrides when there are many,
 * and common properties, after looking at new events. In small transactions between those of the outbox. It is told when there may be something to do; while the store is copied it waits, as it changes
 * rows that a copy may already have.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fillActors } from '../actors/fill-actors.ts'
import { foldOverrides, overridesAreDue } from '../actors/fold-overrides.ts'
import type { Parts } from '../progress.ts'
import { addBlock, scanBlock } from '../properties/key-blocks.ts'
import {
  addColumns,
  type KnownProperties,
  nameOf,
  type PropertyColumn,
  tableColumns,
  writeColumns,
} from '../properties/property-columns.ts'
import { chooseColumns, type RefusedKeys } from './choose-columns.ts'
import { fillColumns, fillIsDue } from './fill-columns.ts'

/** After a step it rests for this many times as long as the step took. */
const REST = 1
const SHORTEST_REST_MS = 10
const RETRY_MS = 1_000
/** After so many failures in a row the operator is told. Nothing else depends on it: questions read the JSON. */
const MOST_FAILURES = 10

const scanIsDue = ({ progress, limits, properties }: Parts): boolean =>
  progress.lastOrd - properties.scanned >= limits.blockEvents

/** Each in a transaction of its own: with ten million events one takes a third of a second. */
async function addEach({ database, properties }: Parts, columns: PropertyColumn[]): Promise<void> {
  for (const column of columns) {
    await database.write(
      async (connection) => {
        const added = { columns: [...properties.columns, column], inTable: tableColumns([column]) }
        await addColumns(connection, added.inTable)
        await writeColumns(connection, added.columns)
        return added
      },
      ({ columns: all, inTable }) => keep(properties, { columns: all, inTable: [...properties.inTable, ...inTable] }),
    )
  }
}

async function scanNext(parts: Parts, refused: RefusedKeys): Promise<void> {
  const { database, limits, properties } = parts
  const range = { from: properties.scanned, to: properties.scanned + limits.blockEvents }
  const { block, chosen } = await database.read(
    async (connection) => {
      const scanned = await scanBlock(connection, range)
      return { block: scanned, chosen: await chooseColumns(connection, scanned, properties, refused, limits) }
    },
    { kind: 'upkeep' },
  )
  await database.write(
    async (connection) => {
      await addBlock(connection, block)
      if (chosen.kept.length < properties.columns.length) await writeColumns(connection, chosen.kept)
    },
    () => keep(properties, { columns: chosen.kept, scanned: range.to }),
  )
  await addEach(parts, chosen.added)
}

/** One object for all: readers take what it holds when they begin. */
const keep = (properties: KnownProperties, change: Partial<KnownProperties>): void => {
  Object.assign(properties, change)
}

async function fillNext({ database, properties, limits }: Parts): Promise<void> {
  await database.write(
    (connection) => fillColumns(connection, properties, limits.fillEvents),
    (columns) => keep(properties, { columns }),
  )
}

async function fillNextActors({ database, actors, limits }: Parts): Promise<void> {
  await database.write(
    async (connection) => actors.unfilled && fillActors(connection, actors.unfilled, limits.actorEvents),
    (unfilled) => {
      actors.unfilled = unfilled
    },
  )
}

export async function foldNextOverrides(parts: Parts): Promise<void> {
  await parts.database.write(
    (connection) => foldOverrides(connection, parts),
    ({ overrides, overridesLeft }) => {
      parts.progress.overrides = overrides
      parts.actors.overridesLeft = overridesLeft
    },
  )
}

interface Step {
  isDue: (parts: Parts) => boolean
  run: (parts: Parts, refused: RefusedKeys) => Promise<void>
}

/** The first that is due comes next. */
const STEPS: Step[] = [
  { isDue: ({ actors }) => actors.unfilled !== null, run: fillNextActors },
  { isDue: overridesAreDue, run: foldNextOverrides },
  { isDue: ({ properties }) => fillIsDue(properties), run: fillNext },
  { isDue: scanIsDue, run: scanNext },
]

const nextStep = (parts: Parts): Step | undefined => STEPS.find(({ isDue }) => isDue(parts))

/** One step, if any is due. */
async function step(parts: Parts, refused: RefusedKeys): Promise<boolean> {
  const next = nextStep(parts)
  await next?.run(parts, refused)
  return next !== undefined
}

/** Keys of which no value is left, as after a removal, lose their place. */
export async function dropUnusedColumns({ database, properties }: Parts): Promise<void> {
  await database.write(
    async (connection) => {
      const { columns } = properties
      if (columns.length === 0) return columns
      const counts = columns.map((column) => `count(${nameOf(column)})::DOUBLE`)
      const found = await connection.runAndReadAll(`SELECT ${counts.join(', ')} FROM events`)
      const [values = []] = found.getRows() as number[][]
      const used = columns.filter(({ filled }, place) => filled === 0 || (values[place] ?? 0) > 0)
      if (used.length < columns.length) await writeColumns(connection, used)
      return used
    },
    (columns) => keep(properties, { columns }),
  )
}

export interface ColumnsPass {
  /** There may be something to do. */
  wake(): void
  /** Does all that is due, without rest. */
  finish(): Promise<void>
  stop(): Promise<void>
}

export function startColumnsPass(parts: Parts): ColumnsPass {
  const refused: RefusedKeys = new Set()
  const stopping = new AbortController()
  let failures = 0
  let running: Promise<void> | undefined

  const rest = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined)

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const begun = performance.now()
      try {
        if (!(await parts.copies(() => step(parts, refused)))) return
        failures = 0
        await rest(Math.max(SHORTEST_REST_MS, REST * (performance.now() - begun)))
      } catch (error) {
        failures += 1
        if (failures === MOST_FAILURES) {
          process.emitWarning(`The columns of events cannot be filled: ${(error as Error).message}`)
        }
        await rest(RETRY_MS * Math.min(failures, MOST_FAILURES))
      }
    }
  }

  return {
    wake() {
      if (running || stopping.signal.aborted || !nextStep(parts)) return
      running = run().finally(() => {
        running = undefined
      })
    },
    async finish() {
      while (await parts.copies(() => step(parts, refused)));
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
