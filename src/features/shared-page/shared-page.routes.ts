/** /shared/{token} and /embedded/{token}: a recording for anyone with the link; the web app's frame; and their files. */
import { bearerKey } from '../../http/access/auth.ts'
import type { PageCall, PageRoute } from '../../http/page-routes.ts'
import type { RawRoute } from '../../http/raw-routes.ts'
import type { SharedPageFeature } from './shared-page.feature.ts'
import { COOKIE, type Kind, type SharedPage, type Visit } from './shared-page.ts'

function visitOf(kind: Kind, { params, cookies, headers, url, root, basePath }: PageCall): Visit {
  const { authorization } = headers
  const shown = [cookies[COOKIE], bearerKey(typeof authorization === 'string' ? authorization : undefined)]
  const grants = shown.filter((grant) => typeof grant === 'string')
  const secure = url.protocol === 'https:'
  return { kind, token: params.token ?? '', grants, search: url.search, root, basePath, secure }
}

const pagesOf = (page: SharedPage, kind: Kind): PageRoute[] => [
  { path: `/${kind}/:token`, method: 'GET', handler: (call) => page.show(visitOf(kind, call)) },
  {
    path: `/${kind}/:token`,
    method: 'POST',
    handler: (call) => {
      const visit = visitOf(kind, call)
      if (call.json !== undefined) return page.unlock(visit, call.json)
      return page.enter(visit, call.form.get('password') ?? '')
    },
  },
  {
    path: `/${kind}/:token/snapshots`,
    method: 'GET',
    handler: (call) => page.snapshots(visitOf(kind, call), call.query),
  },
]

export const sharedPageRoutes = (page: SharedPage): PageRoute[] => [
  ...pagesOf(page, 'shared'),
  ...pagesOf(page, 'embedded'),
]

/** `enabled`: there is a web app. */
export const playerFrameRoutes = ({ frame }: SharedPageFeature, { enabled }: { enabled: boolean }): PageRoute[] =>
  enabled ? [{ path: '/player-frame', method: 'GET', handler: frame }] : []

export const playerFileRoutes = (page: SharedPage): RawRoute[] => [
  {
    paths: ['/static/player/:hash/:name'],
    methods: ['GET'],
    bodyLimit: 1,
    summary: 'Files of the player page',
    handler: ({ params, headers }) => page.file(params, headers),
  },
]
