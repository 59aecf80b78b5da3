/**
 * Operation ids as in PostHog's own document: the words of the path, then the action
 * (`persons_retrieve`, `persons_split_create`). If two would be the same, the one with fewer path parameters gets
 * `all`: `persons_activity_retrieve` for one person, `persons_all_activity_retrieve` for all.
 */
import { pathsOf } from '../mount.ts'
import type { Method, Route } from '../route.ts'

export const documentedPath = (route: Route): string => (pathsOf(route)[0] ?? '').replace(/:(\w+)/g, '{$1}')

/** The names of the parameters in a route's own path, in their order. */
export const pathParameters = (route: Route): string[] =>
  [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')

const VERBS: Record<Method, string> = {
  GET: 'retrieve',
  POST: 'create',
  PUT: 'update',
  PATCH: 'partial_update',
  DELETE: 'destroy',
}

/** The fixed words of a path; the tag comes first if the path does not contain it. */
function wordsOf({ path, tag }: Route): string[] {
  const words = path
    .split('/')
    .filter((word) => word !== '' && word !== 'api' && !word.startsWith(':'))
    .map((word) => word.replaceAll(/[^a-z0-9_]/g, '').replace(/^_/, ''))
  return words.includes(tag) ? words : [tag, ...words]
}

/** A collection is a path of one word without parameters. */
function verbOf(route: Route, words: string[]): string {
  const isCollection = words.length === 1 && route.path !== '/' && pathParameters(route).length === 0
  return isCollection && route.method === 'GET' ? 'list' : VERBS[route.method]
}

export function operationIds(routes: Route[]): Map<Route, string> {
  const byName = new Map<string, Route[]>()
  for (const route of routes) {
    const words = wordsOf(route)
    const name = [...words, verbOf(route, words)].join('_')
    byName.set(name, [...(byName.get(name) ?? []), route])
  }
  const ids = new Map<Route, string>()
  for (const [name, sharing] of byName) {
    const [first, second, ...more] = [...sharing].sort((a, b) => pathParameters(b).length - pathParameters(a).length)
    if (more.length > 0) throw new Error(`More than two routes would be called ${name} in the API document.`)
    if (first) ids.set(first, name)
    if (second) {
      const [collection, ...rest] = [...wordsOf(second), verbOf(second, wordsOf(second))]
      ids.set(second, [collection, 'all', ...rest].join('_'))
    }
  }
  return ids
}
