/** Paths as the API document spells them: `{id}` for `:id`, project routes under their first prefix. */
import { pathsOf } from '../mount.ts'
import type { Route } from '../route.ts'

export const documentedPath = (route: Route): string => (pathsOf(route)[0] ?? '').replace(/:(\w+)/g, '{$1}')

/** The names of the parameters in a route's own path, in their order. */
export const pathParameters = (route: Route): string[] =>
  [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
