/** posthog-js-lite in a browser: its module as it is in the package, on the page of a shop, by its own few calls. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../../browser/browser.ts'
import { openShop } from '../../browser/shop.ts'
import type { ClientPackage } from '../client-packages.ts'
import type { Drive, Expected } from '../drive.ts'
import { reportPageProblems } from './page-problems.ts'

/** The module of the releases 2, 3 and 4. */
const MODULES = ['lib/index.esm.js', 'lib/index.mjs', 'dist/index.mjs']

/**
 * Releases 2.4 and 2.5 take every answer for a failure, as they may not read the status of their own requests
 * (`no-cors`), and would send each of them four times, with events that have no uuid.
 */
const OPTIONS = { flushAt: 5, fetchRetryCount: 0 }

function headOf({ folder, name }: ClientPackage, host: string, token: string): string {
  const module = MODULES.find((path) => existsSync(join(folder, path)))
  const imports = { [name]: `/sdk/${name}/${module}`, '@posthog/core': '/sdk/@posthog/core/dist/index.mjs' }
  return `<script type="importmap">${JSON.stringify({ imports })}</script>
    <script type="module">
      import PostHog from ${JSON.stringify(name)}
      window.posthog = new PostHog(${JSON.stringify(token)}, ${JSON.stringify({ host, ...OPTIONS })})
    </script>`
}

export async function drivePosthogJsLite(drive: Drive): Promise<Expected> {
  const { client, host, token, step, untilSent } = drive
  const head = () => headOf(client, host, token)
  const shop = await openShop(() => host, token, {}, { folder: client.modules, head })
  const browser = await openBrowser({ asVisitor: true })
  try {
    const page = await browser.context.newPage()
    reportPageProblems(page, drive)
    await page.goto(shop.url)
    await page.waitForFunction('window.posthog !== undefined')
    const anonymousId = String(await page.evaluate('posthog.getDistinctId()'))
    const run = (script: string) => page.evaluate(`(async () => { ${script} })()`)
    await step('capture', () => run("for (let count = 0; count < 12; count++) posthog.capture('bought', { count })"))
    await step('identify', () => run("posthog.identify('ada', { name: 'Ada' })"))
    await step('alias', () => run("posthog.alias('ada-at-home')"))
    await step('group', () => run("posthog.group('company', 'acme', { seats: 5 })"))
    await step('flags', () => run('await posthog.reloadFeatureFlagsAsync()'))
    if (await page.evaluate("typeof posthog.getSurveys === 'function'")) {
      await step('surveys', () => run('await posthog.getSurveys()'))
    }
    const events = { bought: 12, $identify: 1, $create_alias: 1, $groupidentify: 1 }
    await step('flush', () => untilSent(events, () => run('await (posthog.flushAsync ?? posthog.flush).call(posthog)')))
    await step('shutdown', () => run('await (posthog.shutdownAsync ?? posthog.shutdown).call(posthog)'))
    return { events, onePerson: [anonymousId, 'ada', 'ada-at-home'] }
  } finally {
    await browser.close()
    await shop.close()
  }
}
