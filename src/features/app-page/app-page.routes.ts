/** The paths of the web app, and the files that its page loads. */
import type { PageRoute } from '../../http/page-routes.ts'
import type { RawRoute } from '../../http/raw-routes.ts'
import type { AppPageFeature } from './app-page.feature.ts'
import { APP_PATHS } from './app-paths.ts'

export const appPageRoutes = ({ enabled, open }: AppPageFeature): PageRoute[] =>
  enabled ? APP_PATHS.map((path) => ({ path, method: 'GET', handler: open })) : []

export const appFileRoutes = ({ enabled, file }: AppPageFeature): RawRoute[] =>
  enabled
    ? [
        {
          paths: ['/static/app/:name'],
          methods: ['GET'],
          bodyLimit: 1,
          summary: 'Files of the web app',
          handler: ({ params, headers }) => file(params.name ?? '', headers),
        },
      ]
    : []
