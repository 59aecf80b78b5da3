/** /unsubscribe?token=…: where the links in mails lead. */
import type { PageRoute } from '../../http/page-routes.ts'
import type { UnsubscribeFeature } from './unsubscribe.feature.ts'

export const unsubscribeRoutes = (unsubscribe: UnsubscribeFeature): PageRoute[] => [
  { path: '/unsubscribe', method: 'GET', handler: ({ query, ip }) => unsubscribe.show(query.token, ip) },
  { path: '/unsubscribe', method: 'POST', handler: ({ query, ip }) => unsubscribe.leave(query.token, ip) },
]
