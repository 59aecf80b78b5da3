/** /api/schema/: the OpenAPI document. /api/docs/: the explorer, a page with all its files from this server. */
import { type Asset, answerAsset, makeAsset } from '../../http/output/static-assets.ts'
import { Answer, type Route, route } from '../../http/route.ts'
import { FreeForm } from '../../http/schema.ts'
import { loadOnce } from '../../lib/concurrency/load-once.ts'
import type { DocsFeature } from './docs.feature.ts'
import { readProgram } from './explorer-bundle.ts'
import {
  DOCUMENT_PATH,
  EXPLORER_CSP,
  EXPLORER_PATH,
  explorerPage,
  SCRIPT_PATH,
  START_PATH,
  START_SCRIPT,
  STORAGE_PATH,
  STORAGE_SCRIPT,
} from './explorer-page.ts'

const base = {
  method: 'GET',
  level: 'public',
  tag: 'system',
  scope: { none: 'tells nothing about any project' },
} as const
const file = { ...base, page: true, undocumented: true, noCors: true, response: FreeForm(), example: {} } as const

const REVALIDATE = 'no-cache'
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

type RequestHeaders = Record<string, string | string[] | undefined>

async function answerFile(headers: RequestHeaders, asset: Asset): Promise<Answer> {
  const { status, contentType, body, headers: own } = await answerAsset(asset, headers, REVALIDATE)
  if (body === null) return new Answer(undefined, { status, headers: { ...own } })
  return new Answer(body, { status, headers: { 'content-type': contentType, ...own } })
}

/** `all` returns every route of the server, these included; it is not called before the first request. */
export const docsRoutes = ({ documentOf }: DocsFeature, all: () => Route[]): Route[] => {
  const json = loadOnce(async () => makeAsset(JSON.stringify(documentOf(all())), 'application/json; charset=utf-8'))
  /** By `root`: with and without a slash at the end of the path. */
  const pages = new Map<string, () => Promise<Asset>>()
  const page = (root: string): Promise<Asset> => {
    const make = pages.get(root) ?? loadOnce(() => makeAsset(explorerPage(root), 'text/html; charset=utf-8'))
    pages.set(root, make)
    return make()
  }
  const storage = loadOnce(() => makeAsset(STORAGE_SCRIPT, SCRIPT_TYPE))
  const start = loadOnce(() => makeAsset(START_SCRIPT, SCRIPT_TYPE))
  const program = loadOnce(async () => makeAsset(await readProgram(), SCRIPT_TYPE))
  return [
    route({
      ...base,
      path: DOCUMENT_PATH,
      summary: 'The OpenAPI 3.1 document of this API',
      response: FreeForm(),
      example: { openapi: '3.1.0', info: { title: 'Hedgerow', version: '0.1.0' }, paths: {} },
      handler: async ({ headers }) => answerFile(headers, await json()),
    }),
    route({
      ...file,
      path: EXPLORER_PATH,
      summary: 'The explorer',
      handler: async ({ headers, root }) => {
        const { body, status, headers: own } = await answerFile(headers, await page(root))
        return new Answer(body, {
          ...(status ? { status } : {}),
          headers: { ...own, 'content-security-policy': EXPLORER_CSP },
        })
      },
    }),
    route({
      ...file,
      path: STORAGE_PATH,
      summary: 'What the explorer stores things in',
      handler: async ({ headers }) => answerFile(headers, await storage()),
    }),
    route({
      ...file,
      path: START_PATH,
      summary: 'What starts the explorer',
      handler: async ({ headers }) => answerFile(headers, await start()),
    }),
    route({
      ...file,
      path: SCRIPT_PATH,
      summary: 'The program of the explorer',
      handler: async ({ headers }) => answerFile(headers, await program()),
    }),
  ]
}
