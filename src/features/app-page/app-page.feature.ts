/** The web app's page and files. The page is the same for all its paths: what is shown at each, the app itself knows. */
import { htmlPage } from '../../http/output/html-page.ts'
import type { PageCall } from '../../http/page-routes.ts'
import type { RawAnswer } from '../../http/raw-routes.ts'
import { Answer } from '../../http/route.ts'
import type { Theme } from '../../model/accounts/boot-data.ts'
import { createAppFiles, FILES_PATH } from './app-files.ts'
import { APP_HEADERS } from './app-headers.ts'
import { fillPage } from './app-html.ts'
import { type BootParts, createBoot } from './boot.ts'

export interface AppPageParts extends BootParts {
  /** False: there is no app, and none of its paths. */
  enabled: boolean
  version: string
  /** Where the built app is; in tests another one than ours. */
  folder?: string
}

const THEMES: readonly unknown[] = ['light', 'dark', 'system']
const isTheme = (value: unknown): value is Theme => THEMES.includes(value)

/**
 * Whether somebody opens the page, rather than another site's page loading it with their cookie. Browsers that do not say
 * so are believed: what they load they cannot read.
 */
function isOpened({ headers }: PageCall): boolean {
  const [mode, site] = [headers['sec-fetch-mode'], headers['sec-fetch-site']]
  return mode === undefined || mode === 'navigate' || site === 'same-origin'
}

const notBuilt = (): Answer =>
  htmlPage({
    title: 'The web app is not built',
    body: `      <p>The server is running, and so is its API. Run <code>npm run build</code> where it was installed: it says why the web app cannot be built.</p>`,
    status: 503,
  })

export function createAppPageFeature({ enabled, version, folder, ...parts }: AppPageParts) {
  const boot = createBoot(parts)
  const files = createAppFiles(folder)
  /** Null when the app is not built. */
  const show = async (call: PageCall): Promise<Answer | null> => {
    const page = await files.page()
    if (page === null) return null
    const signedIn = isOpened(call) ? await boot(call) : null
    const { theme } = call.query
    const data = {
      root: call.root,
      build: page.build,
      version: signedIn === null ? null : version,
      signed_in: signedIn,
    }
    const chosen = isTheme(theme) ? theme : (signedIn?.theme_mode ?? 'system')
    return new Answer(fillPage(page.template, data, chosen, call.root + FILES_PATH), { headers: APP_HEADERS })
  }
  return {
    enabled,
    show,
    open: async (call: PageCall): Promise<Answer> => (await show(call)) ?? notBuilt(),
    file: (name: string, headers: Record<string, string | undefined>): Promise<RawAnswer> =>
      files.answer(name, headers),
  }
}

export type AppPageFeature = ReturnType<typeof createAppPageFeature>
