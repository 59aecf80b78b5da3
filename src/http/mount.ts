/**
 * Mounts routes on the server, each with its gate, and says what the methods get that a path does not have.
 * Both prefixes of a project's paths lead to the same routes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import { answerPreflight, type Cors } from './access/cors.ts'
import type { Gate, Mounted } from './access/gate.ts'
import { shareQuery } from './access/sharing-token.ts'
import { allowedMethods } from './allowed-methods.ts'
import { createHandler, NO_CONTENT } from './handler.ts'
import type { IdempotencyHooks } from './idempotency/idempotency-hooks.ts'
import { covers, type OtherMethods, segmentsOf } from './other-methods.ts'
import { compressAnswer } from './output/compression.ts'
import { formatQuery } from './output/output-format.ts'
import type { CountParked } from './output/parked-header.ts'
import { createSerializer, type Serializer } from './output/serializer.ts'
import type { CallParts } from './request-call.ts'
import type { Level, Method, Route } from './route.ts'

const METHODS: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const PREFIXES = ['/api/environments/:project_id', '/api/projects/:project_id']

/** The absolute paths of a route. */
export function pathsOf(route: Route): string[] {
  return route.level === 'project' ? PREFIXES.map((prefix) => prefix + route.path) : [route.path]
}

/** The query parameters of a route, including `format`. */
export const queryOf = (route: Route): TProperties => ({
  ...(route.query?.properties ?? {}),
  ...(route.csv ? formatQuery : {}),
})

const SECOND_PREFIX = '/api/projects/'
const FIRST_PREFIX = '/api/environments/'

/** Rewrites the second prefix to the first, so that one set of routes serves both; `/api/projects/` itself is a different route. */
export function firstSpelling(url: string): string {
  const isSecond =
    url.startsWith(SECOND_PREFIX) && url.length > SECOND_PREFIX.length && url[SECOND_PREFIX.length] !== '?'
  return isSecond ? FIRST_PREFIX + url.slice(SECOND_PREFIX.length) : url
}

export interface MountParts extends CallParts {
  gate: Gate
  idempotency: IdempotencyHooks
  countParked: CountParked
  /** Runs before the gate where a route is a page. */
  hostHook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void
}

function schemaOf(route: Route) {
  const query = { ...queryOf(route), ...(route.shared ? shareQuery : {}) }
  return {
    ...(Object.keys(query).length > 0 ? { querystring: Type.Object(query) } : {}),
    ...(route.body ? { body: route.body } : {}),
  }
}

/** Ignores the content type of a request without a body: some clients send one with every request. */
function dropType({ headers }: FastifyRequest, _reply: FastifyReply, _payload: unknown, done: () => void): void {
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (isEmpty) delete headers['content-type']
  done()
}

/** No body is the same as {}. */
function emptyBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.body === undefined) request.body = {}
  done()
}

function noteBeginning(request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void): void {
  request.passed.begunAfter = reply.elapsedTime
  done()
}

function hooksOf(parts: MountParts, route: Route, serializer: Serializer) {
  if (route.goesOn) return { onSend: noteBeginning }
  if (route.method === 'GET') return { onSend: compressAnswer }
  if (!route.idempotent) return { preParsing: dropType, preValidation: [emptyBody], onSend: compressAnswer }
  const { preValidation, onSend } = parts.idempotency(route, serializer)
  // Answers are stored as they are, so they are compressed after that.
  return { preParsing: dropType, preValidation: [emptyBody, preValidation], onSend: [onSend, compressAnswer] }
}

function corsOf(path: string, routes: Route[]): Cors {
  if (routes.some((route) => route.mirrorsOrigin)) return 'mirrored'
  return path.startsWith('/api/') && routes.every((route) => route.noCors !== true) && 'any'
}

/** All routes of a path. */
interface PathRoutes {
  path: string
  segments: string[]
  level: Level
  routes: Route[]
}

function byPath(routes: Route[]): PathRoutes[] {
  const found = new Map<string, PathRoutes>()
  for (const route of routes) {
    const [path = ''] = pathsOf(route)
    const ofPath = found.get(path) ?? { path, segments: segmentsOf(path), level: route.level, routes: [] }
    ofPath.routes.push(route)
    found.set(path, ofPath)
  }
  return [...found.values()]
}

const has = ({ routes }: PathRoutes, method: string): boolean => routes.some((route) => route.method === method)

function mountPath(app: FastifyInstance, parts: MountParts, ofPath: PathRoutes, serializer: Serializer): OtherMethods {
  const { path, level, routes } = ofPath
  const allow = [...allowedMethods(METHODS.filter((method) => has(ofPath, method))), 'OPTIONS']
  const cors = corsOf(path, routes)
  const base: Mounted = { level, allow, cors }
  for (const route of routes) {
    app.route({
      method: route.method,
      url: path,
      schema: schemaOf(route),
      onRequest: [...(route.page ? [parts.hostHook] : []), parts.gate({ ...base, route })],
      ...hooksOf(parts, route, serializer),
      handler: createHandler(route, { ...parts, serializer }),
    })
  }
  const refusals = Object.fromEntries(routes.flatMap((route) => Object.entries(route.refusals ?? {})))
  return {
    path,
    methods: [...METHODS.filter((method) => !has(ofPath, method)), 'OPTIONS'],
    onRequest: parts.gate({ ...base, refusals }),
    answerOptions(request, reply) {
      if (cors) answerPreflight(request, reply, allow)
      return reply.code(NO_CONTENT).header('allow', allow.join(', ')).send()
    },
  }
}

/** Returns what the other methods of the paths get. */
export function mountRoutes(app: FastifyInstance, parts: MountParts, routes: Route[]): OtherMethods[] {
  const serializer = createSerializer()
  const paths = byPath(routes)
  return paths.map((ofPath) => {
    const others = mountPath(app, parts, ofPath, serializer)
    const covering = paths.filter((other) => other !== ofPath && covers(other.segments, ofPath.segments))
    // The router would find that other path instead.
    const taken = others.methods.filter((method) => covering.some((other) => has(other, method)))
    const { path: url, onRequest, answerOptions: handler } = others
    if (taken.length > 0) app.route({ method: taken, url, onRequest, handler })
    return others
  })
}
