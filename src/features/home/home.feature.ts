/**
 * What is answered to whoever looks at the server's own address, or at the API's: where the documentation is. People
 * with a browser get a page, at the server's address that of the web app, programs JSON. The links are made from the URL
 * that was asked for.
 */
import { htmlPage } from '../../http/output/html-page.ts'
import { type Asset, answerAsset, makeAsset } from '../../http/output/static-assets.ts'
import type { PageCall } from '../../http/page-routes.ts'
import type { RawAnswer } from '../../http/raw-routes.ts'
import { Answer } from '../../http/route.ts'
import { loadOnce } from '../../lib/concurrency/load-once.ts'
import { escapeHtml } from '../../lib/text/escape-html.ts'

export interface HomeParts {
  toPng: (svg: string) => Promise<Buffer>
  /** The page of the web app; it is null, or gives null, where there is none. */
  app: ((call: PageCall) => Promise<Answer | null>) | null
}

type Headers = Record<string, string | string[] | undefined>

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="7" fill="#2f5d3a"/>
  <path d="M16 27V13M16 20c-6 0-8-3-8-8 5 0 8 2 8 8zm0-5c0-6 3-9 8-9 0 6-2 9-8 9z" fill="#b9dcae" stroke="#fff" stroke-width="1.6"/>
</svg>`
const A_DAY = 'public, max-age=86400'

/** Browsers name HTML when they open a page; curl and libraries do not. */
const wantsHtml = ({ accept }: Headers): boolean => /\btext\/html\b/i.test(String(accept ?? ''))

/** The last part of the path may lack its slash: relative links would then lose it. */
const folderOf = ({ origin, pathname }: URL): URL => new URL(`${origin}${pathname.replace(/\/*$/, '/')}`)

const link = (href: string, text: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`

/** JSON that people may read. */
const json = (body: unknown): Answer =>
  new Answer(`${JSON.stringify(body, null, 2)}\n`, { headers: { 'content-type': 'application/json; charset=utf-8' } })

type Maybe<T> = T | Promise<T>

async function negotiated(headers: Headers, page: () => Maybe<Answer>, body: unknown): Promise<Answer> {
  const { status, headers: own, body: content } = wantsHtml(headers) ? await page() : json(body)
  return new Answer(content, { ...(status === undefined ? {} : { status }), headers: { ...own, vary: 'Accept' } })
}

export function createHomeFeature({ toPng, app }: HomeParts) {
  const icon = loadOnce(async (): Promise<Asset> => makeAsset(await toPng(ICON), 'image/png'))
  return {
    root(call: PageCall): Promise<Answer> {
      const base = folderOf(call.url)
      const [docs, schema, health] = ['api/docs/', 'api/schema/', '_health'].map((path) => new URL(path, base).href)
      const missing =
        app === null
          ? 'The web app is switched off.'
          : 'The web app is not built: <code>npm run build</code>, where it was installed, says why.'
      const page = () =>
        htmlPage({
          title: 'Hedgerow is running',
          body: `      <p>Product analytics, through its API and PostHog’s SDKs. ${missing}</p>
      <p>${link(docs ?? '', 'All operations')}, to read and to try with an API key.</p>
      <p>The SDKs send to this address: <code>api_host: '${escapeHtml(base.href.replace(/\/$/, ''))}'</code>.</p>`,
        })
      const shown = async () => (await app?.(call)) ?? page()
      return negotiated(call.headers, shown, { name: 'Hedgerow', status: 'running', docs, schema, health })
    },
    api(url: URL, headers: Headers): Promise<Answer> {
      const base = folderOf(url)
      const [docs, schema] = ['docs/', 'schema/'].map((path) => new URL(path, base).href)
      const page = () =>
        htmlPage({
          title: 'The API of Hedgerow',
          body: `      <p>${link(docs ?? '', 'All operations')}, to read and to try, and ${link(schema ?? '', 'the OpenAPI document')}.</p>
      <p>Requests carry a personal API key: <code>Authorization: Bearer phx_…</code></p>`,
        })
      return negotiated(headers, page, { name: 'Hedgerow API', docs, schema, key: 'Authorization: Bearer phx_…' })
    },
    icon: async (headers: Headers): Promise<RawAnswer> => answerAsset(await icon(), headers, A_DAY),
  }
}

export type HomeFeature = ReturnType<typeof createHomeFeature>
