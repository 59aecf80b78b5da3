/** Who acts where, and what the persons ask of the recordings; app.ts hands the latter in. */
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'

export interface Actor {
  project: Project
  caller: Caller
}

/** Deletes the recordings of these persons, each given by its distinct ids, at once; tells how many each had. */
export type DeleteRecordings = (actor: Actor, persons: string[][]) => Promise<number[]>
