/** The authenticated caller: a key, its user, and the organisations that user belongs to. */
import type { Key } from './key.ts'
import type { Project } from './project.ts'
import type { User } from './user.ts'

export interface Caller {
  key: Key
  user: User
  organizationIds: string[]
}

/** Who acts where. */
export interface Actor {
  project: Project
  caller: Caller
}
