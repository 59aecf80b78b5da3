/**
 * Keeps the tables in order while events come in: the latest events are sorted into the index by distinct id, fresh
 * rows of people are folded into the main tables. After each apply at most one step of it follows, in a transaction of
 * its own that handles a bounded number of rows, so that batches wait for one step at most however much is due. All
 * that was due at once, before the next batch, held up the outbox for seconds at a million people.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { pieceIsDue, runIsDue, sortPiece, sortRun } from './event-index.ts'
import { foldDistinctIds, foldPersons } from './people/people-projection.ts'
import type { Parts, Progress } from './progress.ts'

interface Step {
  isDue: (parts: Parts) => boolean
  /** What it changes of the progress. */
  run: (connection: DuckDBConnection, parts: Parts) => Promise<Partial<Progress>>
}

/** Each table of people is folded when it has its half of the rows. */
const foldIsDue = (fresh: 'freshPersons' | 'freshDistinctIds') => (parts: Parts) =>
  parts.progress[fresh] >= parts.limits.foldRows / 2

/** In turns: one that is due after every batch does not keep the others waiting. */
const STEPS: Step[] = [
  { isDue: runIsDue, run: sortRun },
  { isDue: pieceIsDue, run: sortPiece },
  { isDue: foldIsDue('freshPersons'), run: foldPersons },
  { isDue: foldIsDue('freshDistinctIds'), run: foldDistinctIds },
]

/** So many failures of a step in a row are reported as a failure of the apply, so that the operator gets to know of it. */
const MOST_FAILURES = 10

/** The place of the step that is due and whose turn comes first; undefined when none is. */
function takeTurn(parts: Parts): number | undefined {
  const { turns } = parts
  const places = STEPS.map((_, place) => (turns.next + place) % STEPS.length)
  const due = places.find((place) => STEPS[place]?.isDue(parts))
  if (due !== undefined) turns.next = due + 1
  return due
}

/**
 * One step, if any is due. One that fails, as for lack of memory, is tried again when its turn comes: batches do not
 * depend on it, so they go on.
 */
export async function housekeep(parts: Parts): Promise<void> {
  const { failures } = parts.turns
  const place = takeTurn(parts)
  if (place === undefined) return
  const due = STEPS[place] as Step
  try {
    await parts.database.write(
      // Another apply may have done it while this one waited.
      async (connection) => (due.isDue(parts) ? due.run(connection, parts) : {}),
      (change) => {
        Object.assign(parts.progress, change)
        failures[place] = 0
      },
    )
  } catch (error) {
    failures[place] = (failures[place] ?? 0) + 1
    if (failures[place] >= MOST_FAILURES) throw error
  }
}
