/**
 * Puts routes on the server: both prefixes, every method a path lacks answered 405 with `Allow`, OPTIONS
 * answered for browsers, and around each handler the turning of its answer into a reply.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import { answerPreflight } from './cors.ts'
import { csvAnswer, formatOf, formatQuery } from './format.ts'
import type { Mounted } from './gate.ts'
import { Answer, type Call, type Method, type Route, rawAnswer } from './route.ts'
import { shareQuery } from './share-door.ts'

const METHODS: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const PREFIXES = ['/api/environments/:project_id', '/api/projects/:project_id']

/** The absolute paths of a route. */
export function pathsOf(route: Route): string[] {
  return route.level === 'project' ? PREFIXES.map((prefix) => prefix + route.path) : [route.path]
}

/** The query parameters of a route, those of its formats among them. */
export const queryOf = (route: Route): TProperties => ({
  ...(route.query?.properties ?? {}),
  ...(route.csv ? formatQuery : {}),
})

export interface MountParts {
  /** Absolute address of a request, from the configured public address or from Host. */
  urlOf(request: FastifyRequest): URL
}

function toCall(parts: MountParts, route: Route, request: FastifyRequest): Call {
  const { caller, project } = request.passed
  // The gate has let the request through, so the level's promises hold: project routes have both, account
  // routes a caller; public handlers read neither, shared ones are given no caller by their type.
  const call = {
    caller,
    project,
    params: request.params,
    query: request.query,
    body: request.body,
    get url() {
      return parts.urlOf(request)
    },
    format: route.csv ? formatOf(request) : 'json',
    headers: request.headers,
    ip: request.ip,
  }
  return call as Call
}

function send(reply: FastifyReply, route: Route, result: unknown): unknown {
  if (!(result instanceof Answer)) {
    reply.code(route.status ?? 200)
    return reply.send(route.status === 204 ? undefined : result)
  }
  reply.code(result.status ?? route.status ?? 200).headers(result.headers)
  // Bytes, text and streams with a type of their own pass by the JSON serialiser.
  if ('content-type' in result.headers) reply.serializer((payload: unknown) => payload as string)
  return reply.send(result.body)
}

/** The smaller thing that a sharing token gets, let out by a schema of its own. */
function sendShared(reply: FastifyReply, route: Route, result: unknown): unknown {
  if (!route.shared || result instanceof Answer) return send(reply, route, result)
  // The very object: what is compiled for it is kept under its identity.
  const schema = route.shared.response as unknown as Record<string, unknown>
  const text = reply.serializeInput(result as Record<string, unknown>, schema)
  return send(reply, route, rawAnswer(text, 'application/json; charset=utf-8'))
}

function handlerOf(parts: MountParts, route: Route) {
  const { csv } = route
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const call = toCall(parts, route, request)
    if (route.shared && request.passed.shared) return sendShared(reply, route, await route.shared.handler(call))
    const result = await route.handler(call)
    if (csv && call.format === 'csv' && !(result instanceof Answer)) return send(reply, route, csvAnswer(csv, result))
    return send(reply, route, result)
  }
}

function schemaOf(route: Route) {
  const query = { ...queryOf(route), ...(route.shared ? shareQuery : {}) }
  return {
    ...(Object.keys(query).length > 0 ? { querystring: Type.Object(query) } : {}),
    ...(route.body ? { body: route.body } : {}),
    response: { [route.status ?? 200]: route.response },
  }
}

function mountPath(app: FastifyInstance, parts: MountParts, path: string, routes: Route[]): void {
  const [first] = routes
  if (!first) return
  const present = routes.map((route) => route.method)
  const allow = [...METHODS.filter((method) => present.includes(method)), 'OPTIONS']
  const cors = path.startsWith('/api/') && routes.every((route) => route.noCors !== true)
  const base: Mounted = { level: first.level, allow, cors }
  for (const route of routes) {
    app.route({
      method: route.method,
      url: path,
      schema: schemaOf(route),
      config: { mounted: { ...base, route } },
      handler: handlerOf(parts, route),
    })
  }
  for (const method of METHODS.filter((candidate) => !present.includes(candidate))) {
    const refusal = routes.map((route) => route.refusals?.[method]).find((text) => text !== undefined)
    app.route({
      method,
      url: path,
      config: { mounted: refusal === undefined ? base : { ...base, refusal } },
      handler: async () => undefined,
    })
  }
  app.route({
    method: 'OPTIONS',
    url: path,
    config: { mounted: base },
    handler: async (_request, reply) => {
      if (cors) answerPreflight(reply, allow)
      return reply.code(204).header('allow', allow.join(', ')).send()
    },
  })
}

export function mountRoutes(app: FastifyInstance, parts: MountParts, routes: Route[]): void {
  const byPath = new Map<string, Route[]>()
  for (const route of routes) {
    for (const path of pathsOf(route)) byPath.set(path, [...(byPath.get(path) ?? []), route])
  }
  for (const [path, group] of byPath) mountPath(app, parts, path, group)
}
