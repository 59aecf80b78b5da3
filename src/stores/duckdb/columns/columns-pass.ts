/**
 * Fills columns in the background: the actors of an earlier version's events, overrides when there are many, and common
 * properties of people and of events, after looking at new ones. In small transactions between those of the outbox. It is
 * told when there may be something to do; while the store is copied it waits, as it changes rows that a copy may already
 * have.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fillActors } from '../actors/fill-actors.ts'
import { foldOverrides, overridesAreDue } from '../actors/fold-overrides.ts'
import type { Parts } from '../progress.ts'
import type { RefusedKeys } from './choose-columns.ts'
import { dropUnusedOfEvents, fillEvents, fillIsDue, scanEvents, scanIsDue } from './event-steps.ts'
import { dropUnusedOfPersons, fillPersons, lackingIsDue, lookAtPersons, lookIsDue } from './person-steps.ts'

/** After a step it rests for this many times as long as the step took. */
const REST = 1
const SHORTEST_REST_MS = 10
const RETRY_MS = 1_000
/** After so many failures in a row the operator is told. Nothing else depends on it: questions read the JSON. */
const MOST_FAILURES = 10

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
  { isDue: lackingIsDue, run: fillPersons },
  { isDue: lookIsDue, run: lookAtPersons },
  { isDue: fillIsDue, run: fillEvents },
  { isDue: scanIsDue, run: scanEvents },
]

const dueSteps = (parts: Parts): Step[] => STEPS.filter(({ isDue }) => isDue(parts))

/** One step, if any is due. Those that failed since any other was done come last: others do not depend on them. */
async function step(parts: Parts, refused: RefusedKeys, failed: Set<Step>): Promise<boolean> {
  const due = dueSteps(parts)
  const next = due.find((one) => !failed.has(one)) ?? due[0]
  if (!next) return false
  try {
    await next.run(parts, refused)
    failed.delete(next)
    return true
  } catch (error) {
    failed.add(next)
    throw error
  }
}

/** Keys of which no value is left, as after a removal, lose their place. */
export async function dropUnusedColumns(parts: Parts): Promise<void> {
  await dropUnusedOfEvents(parts)
  await dropUnusedOfPersons(parts)
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
  const failed = new Set<Step>()
  const stopping = new AbortController()
  let failures = 0
  let running: Promise<void> | undefined

  const rest = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined)

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const begun = performance.now()
      try {
        if (!(await parts.copies(() => step(parts, refused, failed)))) return
        failures = 0
        await rest(Math.max(SHORTEST_REST_MS, REST * (performance.now() - begun)))
      } catch (error) {
        failures += 1
        if (failures === MOST_FAILURES) {
          process.emitWarning(`The columns of the event store cannot be filled: ${(error as Error).message}`)
        }
        await rest(RETRY_MS * Math.min(failures, MOST_FAILURES))
      }
    }
  }

  return {
    wake() {
      if (running || stopping.signal.aborted || dueSteps(parts).length === 0) return
      running = run().finally(() => {
        running = undefined
      })
    },
    async finish() {
      while (await parts.copies(() => step(parts, refused, failed)));
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
