/** /api/schema/: the OpenAPI document. /api/docs/: the explorer, a page with all its files from this server. */
import { type OpenApiDocument, openApiDocument } from '../../http/openapi/document.ts'
import { Answer, type Route, rawAnswer, route } from '../../http/route.ts'
import { FreeForm } from '../../http/schema.ts'
import { sha256Hex } from '../../lib/ids.ts'
import { version } from '../../lib/version.ts'
import { API_DESCRIPTION } from './api-description.ts'
import { type Asset, createBundle } from './explorer-bundle.ts'
import { DOCUMENT_PATH, EXPLORER_CSP, EXPLORER_PAGE, SCRIPT_PATH, START_PATH, START_SCRIPT } from './explorer-page.ts'

const base = {
  method: 'GET',
  level: 'public',
  tag: 'system',
  scope: { none: 'tells nothing about any project' },
} as const
const file = { ...base, undocumented: true, noCors: true, response: FreeForm(), example: {} } as const

const REVALIDATE = 'no-cache'

type RequestHeaders = Record<string, string | string[] | undefined>

/** The bytes, or only 304 when the browser has them already. */
function answerFile(headers: RequestHeaders, asset: Asset): Answer {
  const caching = { etag: asset.etag, 'cache-control': REVALIDATE, vary: 'accept-encoding' }
  if (headers['if-none-match'] === asset.etag) return new Answer(undefined, { status: 304, headers: caching })
  const { body, encoding } = asset.bytes(String(headers['accept-encoding'] ?? ''))
  return rawAnswer(body, asset.contentType, { ...caching, ...(encoding ? { 'content-encoding': encoding } : {}) })
}

const textAsset = (text: string, contentType: string): Asset => ({
  etag: `"${sha256Hex(text).slice(0, 32)}"`,
  contentType,
  bytes: () => ({ body: text }),
})

/** Made at the first call, the same ever after. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** `all` gives every route of the server, these included; it is not asked before the first request. */
export const docsRoutes = (all: () => Route[]): Route[] => {
  const document = once((): OpenApiDocument => {
    return openApiDocument(all(), { title: 'Hedgerow', version: version(), description: API_DESCRIPTION })
  })
  const json = once(() => textAsset(JSON.stringify(document()), 'application/json; charset=utf-8'))
  const page = textAsset(EXPLORER_PAGE, 'text/html; charset=utf-8')
  const start = textAsset(START_SCRIPT, 'text/javascript; charset=utf-8')
  let bundle: Promise<Asset> | undefined
  const program = (): Promise<Asset> => {
    bundle ??= createBundle().catch((error: unknown) => {
      // The next one tries again.
      bundle = undefined
      throw error
    })
    return bundle
  }
  return [
    route({
      ...base,
      path: DOCUMENT_PATH,
      summary: 'The OpenAPI 3.1 document of this API',
      response: FreeForm(),
      example: { openapi: '3.1.0', info: { title: 'Hedgerow', version: '0.1.0' }, paths: {} },
      handler: async ({ headers }) => answerFile(headers, json()),
    }),
    route({
      ...file,
      path: '/api/docs/',
      summary: 'The explorer',
      handler: async ({ headers }) => {
        const { body, status, headers: own } = answerFile(headers, page)
        return new Answer(body, {
          ...(status ? { status } : {}),
          headers: { ...own, 'content-security-policy': EXPLORER_CSP },
        })
      },
    }),
    route({
      ...file,
      path: START_PATH,
      summary: 'What starts the explorer',
      handler: async ({ headers }) => answerFile(headers, start),
    }),
    route({
      ...file,
      path: SCRIPT_PATH,
      summary: 'The program of the explorer',
      handler: async ({ headers }) => answerFile(headers, await program()),
    }),
  ]
}
