/**
 * Requests whose path exists, but not with their method: OPTIONS of browsers, and 405 with `Allow` for the rest. To mount
 * every path with all methods takes a fifth of the start. So the router has such a method only where another path would
 * take it; it ends up here when it has found nothing, and the paths are put in order at the first such request.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A path, and what its other methods get. */
export interface OtherMethods {
  /** As it is mounted: parameters begin with a colon, and each is a whole segment. */
  path: string
  methods: string[]
  /** Refuses all of them but OPTIONS. */
  onRequest: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void
  answerOptions: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

interface FoundPath {
  known: OtherMethods
  params: Record<string, string>
}

interface Pattern {
  known: OtherMethods
  segments: string[]
}

const isParameter = (segment: string) => segment.startsWith(':')

/** With or without a slash at its end a path is the same. */
export const segmentsOf = (path: string): string[] => path.replace(/^\/|\/$/g, '').split('/')

/** Whether whatever has the narrow path has the wide one too. */
export const covers = (wide: string[], narrow: string[]): boolean =>
  wide.length === narrow.length && wide.every((segment, index) => isParameter(segment) || segment === narrow[index])

/** What is spelled out comes before parameters, as in the router. */
const rankOf = ({ segments }: Pattern): string => segments.map((segment) => (isParameter(segment) ? 1 : 0)).join('')

function byLength(paths: OtherMethods[]): Map<number, Pattern[]> {
  const patterns = paths.map((known) => ({ known, segments: segmentsOf(known.path) }))
  patterns.sort((one, other) => rankOf(one).localeCompare(rankOf(other)))
  const found = new Map<number, Pattern[]>()
  for (const pattern of patterns) {
    const { length } = pattern.segments
    found.set(length, [...(found.get(length) ?? []), pattern])
  }
  return found
}

function decoded(segments: string[]): string[] | null {
  try {
    return segments.map((segment) => decodeURIComponent(segment))
  } catch {
    return null
  }
}

const paramsOf = ({ segments }: Pattern, given: string[]): Record<string, string> =>
  Object.fromEntries(
    segments.flatMap((segment, index) => (isParameter(segment) ? [[segment.slice(1), given[index] ?? '']] : [])),
  )

type FindPath = (method: string, url: string) => FoundPath | null

export function createFindPath(paths: OtherMethods[]): FindPath {
  let patterns: Map<number, Pattern[]> | undefined
  return (method, url) => {
    const given = decoded(segmentsOf(url.replace(/[?#].*$/s, '')))
    if (given === null || given.includes('')) return null
    patterns ??= byLength(paths)
    const pattern = patterns.get(given.length)?.find(({ segments }) => covers(segments, given))
    // With a method of the path's own the router had another reason to find nothing.
    if (!pattern?.known.methods.includes(method)) return null
    return { known: pattern.known, params: paramsOf(pattern, given) }
  }
}
