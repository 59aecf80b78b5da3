/**
 * What the SDKs request besides sending data: their configuration, feature flags (there are none) and their own
 * scripts.
 */
import { randomUUID } from 'node:crypto'
import { etagOf, isCurrent } from '../../http/output/etag.ts'
import type { RawAnswer, RawCall, RawRoute } from '../../http/raw-routes.ts'
import { answerDecide, answerFlags } from './flags.ts'
import { remoteConfig, remoteConfigScript } from './remote-config.ts'
import type { SdkFeature } from './sdk.feature.ts'

const BODY_LIMIT = 1_000_000
const JSON_TYPE = 'application/json; charset=utf-8'

const json = (body: unknown): RawAnswer => ({
  status: 200,
  contentType: JSON_TYPE,
  body: JSON.stringify(body),
  headers: { 'cache-control': 'no-store' },
})

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
      handler: async (call) => json(answerDecide(call.query, randomUUID(), remoteConfig(await requestedProject(call)))),
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
      handler: async (call) =>
        revalidated(call, 'text/javascript; charset=utf-8', remoteConfigScript(await config(call))),
    },
    {
      ...file,
      paths: ['/static/:name', '/static/:version/:name'],
      summary: 'Scripts of the browser SDK',
      handler: ({ params, headers }) => scripts({ name: params.name ?? '', version: params.version ?? null, headers }),
    },
  ]
}
