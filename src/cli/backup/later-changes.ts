/** What a restore says of what was deleted after the backup was made. */
import type { LaterChanges, LaterErasure } from '../../model/later-changes.ts'

/** More than a screen, and little memory. */
const SHOWN = 1_000

function describePerson({ projectId, personUuid, isPersonDeleted, areEventsDeleted }: LaterErasure): string {
  const done = isPersonDeleted ? 'deleted again' : 'stays'
  return `  project ${projectId}, person ${personUuid}: ${done}${areEventsDeleted ? ', its events are queued again' : ''}`
}

const shown = (lines: string[]): string[] =>
  lines.length <= SHOWN ? lines : [...lines.slice(0, SHOWN), `  and ${lines.length - SHOWN} more`]

/** Lines for the operator. `replaced`: the folder that was to be compared with; null: none. */
export function describeLaterChanges(later: LaterChanges | null, replaced: string | null): string[] {
  if (replaced === null) return ['What was deleted after the backup was made is back: it was not to be looked for.']
  if (later === null) {
    return [
      `${replaced} has no stores of this installation: what was deleted after the backup is back, if anything was.`,
    ]
  }
  const done = [
    ...later.projects.map((id) => `  project ${id}: removed again`),
    ...later.persons.map(describePerson),
    ...later.carriedOut.map(
      ({ projectId, requests }) => `  project ${projectId}: ${requests} event deletions run again`,
    ),
    ...later.recordings.map(
      ({ projectId, sessionId }) => `  project ${projectId}, recording ${sessionId}: deleted again`,
    ),
    ...Object.entries(later.carriedOver).flatMap(([what, count]) => (count > 0 ? [`  ${what}: ${count}`] : [])),
  ]
  if (done.length === 0) return ['Nothing was deleted after the backup was made.']
  return ['Done again, as it was done after the backup was made:', ...shown(done)]
}
