/** Who acts where. */
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'

export interface Actor {
  project: Project
  caller: Caller
}
