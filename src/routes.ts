/** The table of contents of the API: one line per feature, each a list of its own routes. */
import { keyRoutes } from './features/keys/keys.routes.ts'
import type { Keys } from './features/keys/keys.ts'
import { personRoutes } from './features/persons/persons.routes.ts'
import type { Persons } from './features/persons/persons.ts'
import { projectRoutes } from './features/projects/projects.routes.ts'
import type { Projects } from './features/projects/projects.ts'
import { type SystemParts, systemRoutes } from './features/system/system.routes.ts'
import { userRoutes } from './features/users/users.routes.ts'
import type { Users } from './features/users/users.ts'
import type { Route } from './http/route.ts'

export interface Features {
  keys: Keys
  persons: Persons
  projects: Projects
  system: SystemParts
  users: Users
}

export const routes = (features: Features): Route[] => [
  ...systemRoutes(features.system), //        /_health /_ready /metrics
  ...keyRoutes(features.keys), //             /api/personal_api_keys/
  ...userRoutes(features.users), //           /api/users/@me/
  ...projectRoutes(features.projects), //     /api/projects/ and /
  ...personRoutes(features.persons), //       /persons/
]
