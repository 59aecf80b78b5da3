/** Who acts where, and what the persons ask of the recordings; app.ts hands the latter in. */
import type { Caller } from '../../model/caller.ts'
import type { Project } from '../../model/project.ts'

export interface Actor {
  project: Project
  caller: Caller
}

/** Deletes the recordings of these distinct ids at once; tells how many there were. */
export type DeleteRecordings = (actor: Actor, distinctIds: string[]) => Promise<number>
