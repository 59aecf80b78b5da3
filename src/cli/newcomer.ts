/** Whether this installation is still to be introduced: until the first event has come, other than those of the demo. */
import { AppError } from '../lib/errors.ts'
import type { Project } from '../model/accounts/project.ts'
import type { Stores } from '../model/stores.ts'
import { everyProject } from '../rules/accounts/every-project.ts'

/** Whoever has more projects needs no introduction. */
const LOOKED_AT = 100

type Readers = Pick<Stores, 'projects' | 'events'>

async function hasEvents({ events }: Readers, { id }: Project): Promise<boolean> {
  try {
    return (await events.earliestEventAt(id)) !== null
  } catch (error) {
    // The event store is still behind with what had been sent to an earlier start.
    if (error instanceof AppError && error.kind === 'unavailable') return true
    throw error
  }
}

/** The project to introduce; null when events have come, or when there is no project. */
export async function projectToIntroduce(stores: Readers): Promise<Project | null> {
  let first: Project | null = null
  let count = 0
  for await (const project of everyProject(stores.projects)) {
    if (project.isDemo) continue
    first ??= project
    count += 1
    if (count > LOOKED_AT || (await hasEvents(stores, project))) return null
  }
  return first
}
