/**
 * What the SDKs request besides sending data: their configuration, their own scripts, and feature flags, surveys and
 * the like, of which there are none. Each answer is in the SDKs' own shape: without it a callback of theirs never comes.
 */
import { randomUUID } from 'node:crypto'
import { etagOf, isCurrent } from '../../http/output/etag.ts'
import type { RawAnswer, RawCall, RawRoute } from '../../http/raw-routes.ts'
import { AppError } from '../../lib/errors.ts'
import { answerDecide, answerFlags } from './flags.ts'
import { CONFIG_WITHOUT_PROJECT, remoteConfig, remoteConfigScript } from './remote-config.ts'
import { SCRIPT_TYPE } from './scripts.ts'
import type { SdkFeature } from './sdk.feature.ts'

const BODY_LIMIT = 1_000_000
const JSON_TYPE = 'application/json; charset=utf-8'

const json = (body: unknown): RawAnswer => ({
  status: 200,
  contentType: JSON_TYPE,
  body: JSON.stringify(body),
  headers: { 'cache-control': 'no-store' },
})

/** Asked for with a token. */
const NONE: { path: string; summary: string; none: object }[] = [
  { path: '/api/surveys/', summary: 'Surveys', none: { surveys: [], survey_config: null } },
  { path: '/api/early_access_features/', summary: 'Early access features', none: { earlyAccessFeatures: [] } },
  { path: '/api/web_experiments/', summary: 'Web experiments', none: { experiments: [] } },
  { path: '/api/product_tours/', summary: 'Product tours', none: { product_tours: [] } },
]

/** The first SDKs ask without naming a project, and capture nothing by themselves unless they are answered. */
const namesNoProject = ({ method, query, body }: RawCall): boolean =>
  method !== 'POST' && query.token === undefined && query.data === undefined && body.length === 0

/**
 * Requested at each page view, and a changed setting should apply from the next one: cached, but always revalidated.
 */
function revalidated(call: RawCall, contentType: string, body: string): RawAnswer {
  const etag = etagOf(body)
  const headers = { etag, 'cache-control': 'no-cache' }
  if (isCurrent(call.headers, etag)) return { status: 304, contentType, body: null, headers }
  return { status: 200, contentType, body, headers }
}

export function sdkRoutes({ projectOf, projectOfCall, scripts }: SdkFeature): RawRoute[] {
  const requestedProject = (call: RawCall) =>
    call.query.token === undefined ? projectOfCall(call) : projectOf(call.query.token)
  const config = async (call: RawCall) => remoteConfig(await projectOf(call.params.token ?? ''))
  const decideConfig = async (call: RawCall) =>
    namesNoProject(call) ? CONFIG_WITHOUT_PROJECT : remoteConfig(await requestedProject(call))
  const namedProject = async ({ query: { token } }: RawCall) => {
    if (!token) throw new AppError('unauthenticated', 'invalid_token', 'API key is missing: it is expected as ?token=')
    return projectOf(token)
  }
  const both = ['GET', 'POST'] as RawRoute['methods']
  const file = { methods: ['GET'] as RawRoute['methods'], bodyLimit: BODY_LIMIT }
  return [
    {
      paths: ['/flags/'],
      methods: both,
      bodyLimit: BODY_LIMIT,
      summary: 'Feature flags',
      handler: async (call) => json(answerFlags(call.query, randomUUID(), remoteConfig(await requestedProject(call)))),
    },
    {
      paths: ['/decide/'],
      methods: both,
      bodyLimit: BODY_LIMIT,
      summary: 'Configuration and feature flags',
      handler: async (call) => json(answerDecide(call.query, randomUUID(), await decideConfig(call))),
    },
    {
      ...file,
      paths: ['/array/:token/config'],
      summary: 'Configuration',
      handler: async (call) => revalidated(call, JSON_TYPE, JSON.stringify(await config(call))),
    },
    {
      ...file,
      paths: ['/array/:token/config.js'],
      summary: 'Configuration as a script',
      handler: async (call) => revalidated(call, SCRIPT_TYPE, remoteConfigScript(await config(call))),
    },
    {
      ...file,
      paths: ['/array/:token/array.js'],
      summary: 'The browser SDK with its configuration',
      handler: async (call) => scripts.array(remoteConfigScript(await config(call)), call.headers),
    },
    ...NONE.map(({ path, summary, none }) => ({
      ...file,
      paths: [path],
      summary,
      handler: async (call: RawCall) => {
        await namedProject(call)
        return json(none)
      },
    })),
    {
      ...file,
      paths: ['/static/:name', '/static/:version/:name'],
      summary: 'Scripts of the browser SDK',
      handler: ({ params, headers }) =>
        scripts.file({ name: params.name ?? '', version: params.version ?? null, headers }),
    },
  ]
}
