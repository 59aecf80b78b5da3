/** Chromium on an empty profile, for tests that need a real browser. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { CHROMIUM } from '../../../scripts/chromium-path.mjs'

/** Why there is no browser here, or null. With CI=true a missing one is not accepted: the test then fails. */
export const noBrowser: string | null =
  existsSync(CHROMIUM) || process.env.CI === 'true' ? null : `no Chromium at ${CHROMIUM} (set CHROMIUM_PATH)`

/** The browser itself must not call home: a test counts every outgoing request. */
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface TestBrowser {
  context: BrowserContext
  close(): Promise<void>
}

/**
 * Makes the browser look like a visitor's; the SDK does nothing in one that looks automated. The user agent is an
 * argument of the program: one that is set per page is lost while the page unloads. The list of brands cannot be set, and
 * not every browser has one.
 */
const VISITOR = [
  '--disable-blink-features=AutomationControlled',
  '--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
]
const WITHOUT_BRANDS = 'delete Navigator.prototype.userAgentData'

/** What a page is waited for; Playwright's own half a minute is too short on a busy machine. */
const WAIT_MS = 120_000

export async function openBrowser({ asVisitor = false } = {}): Promise<TestBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'hedgerow-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: [...ARGS, ...(asVisitor ? VISITOR : [])],
    viewport: { width: 1400, height: 1000 },
  })
  context.setDefaultTimeout(WAIT_MS)
  if (asVisitor) await context.addInitScript(WITHOUT_BRANDS)
  return {
    context,
    async close() {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** Without a profile: each context that is made of it is another visitor's, with cookies of its own. */
export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: ARGS })

/** A visitor of their own in such a browser. */
export async function newContext(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(WAIT_MS)
  return context
}
