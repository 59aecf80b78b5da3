/**
 * The OpenAPI 3.1 document of a list of routes. Each route declares everything once; here it is only translated to
 * OpenAPI. Project routes are listed under their first prefix, /api/environments/{project_id}/.
 */

import type { Level, Route } from '../route.ts'
import { ERROR_RESPONSES, ERROR_SCHEMA } from './errors.ts'
import { type Operation, operationOf } from './operation.ts'
import { documentedPath, operationIds } from './operation-ids.ts'
import { type JsonSchema, SchemaBook } from './schema.ts'

interface OpenApiInfo {
  title: string
  version: string
  description: string
  contact: { name: string; url?: string }
}

export interface OpenApiParts {
  info: OpenApiInfo
  /** Where the paths begin: an absolute URL without a slash at its end, or `/` for the server that sends the document. */
  server: { url: string; description: string }
  /** What each tag of the routes is about. */
  tags: Record<string, string>
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: OpenApiInfo & { license: { name: string; identifier: string } }
  servers: OpenApiParts['server'][]
  tags: { name: string; 'x-displayName': string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>> & { schemas: Record<string, JsonSchema> }
}

const PARAMETERS = {
  ProjectId: {
    name: 'project_id',
    in: 'path',
    required: true,
    description:
      'The integer id of a project, or `@current`: the one project the key is confined to, else the current project of its user. `GET /api/projects/` lists them.',
    schema: { type: 'string' },
    example: '@current',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe: for 24 hours the same key with the same body gets the first answer again (409 while that one still runs, 422 with another body).',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}

const SECURITY_SCHEMES = {
  personalApiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal API key (`phx_…`). `x-required-scopes` of an operation lists its scopes, any one of which is enough; `*` is everything.',
  },
  sharingToken: {
    type: 'apiKey',
    in: 'query',
    name: 'sharing_access_token',
    description: 'The token of a share, for the one recording it shares and for reading only.',
  },
}

/** The main API first, operational routes last. */
const ORDER: Level[] = ['project', 'account', 'public']

const documented = (all: Route[]): Route[] =>
  ORDER.flatMap((level) => all.filter((route) => route.level === level && route.undocumented !== true))

const readable = (tag: string): string => `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll('_', ' ')}`

/** The tags in use; one without a description is left for the linters to report. */
const tagsOf = (routes: Route[], about: OpenApiParts['tags']): OpenApiDocument['tags'] =>
  [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
    name,
    'x-displayName': readable(name),
    ...(about[name] === undefined ? {} : { description: about[name] }),
  }))

export function openApiDocument(all: Route[], { info, server, tags }: OpenApiParts): OpenApiDocument {
  const routes = documented(all)
  const book = new SchemaBook()
  const ids = operationIds(routes)
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    const path = documentedPath(route)
    const operation = operationOf(route, ids.get(route) ?? '', book)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [server],
    tags: tagsOf(routes, tags),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      responses: ERROR_RESPONSES,
      schemas: { ...book.named, Error: ERROR_SCHEMA },
    },
  }
}
