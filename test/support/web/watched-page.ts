/** A page that notes what should not happen: errors, refusals, breaches of the policy, requests to other hosts. */
import axe from 'axe-core'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { expect } from 'vitest'

export interface WatchedPage {
  page: Page
  /** Empty when all is well. */
  problems: string[]
  /** Until nothing is under way any more; an open stream of events is not waited for. */
  settled(): Promise<void>
}

/** A browser's own note of an answer, which `problems` has with its method and path. */
const NOTED_ELSEWHERE = /^Failed to load resource/

/** Parts of a page that stand for what is to come. */
const WAITING = '[class*="skeleton"], [role="progressbar"], .starting'

const isStream = (request: Request): boolean => request.resourceType() === 'eventsource'

export async function watchedPage(context: BrowserContext, address: string): Promise<WatchedPage> {
  const page = await context.newPage()
  const problems: string[] = []
  const pending = new Set<Request>()
  // What fades in has its contrast only afterwards.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => {
    console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI)
  })`)
  page.on('request', (request) => {
    const url = request.url()
    if (!isStream(request)) pending.add(request)
    if (!url.startsWith(`${address}/`) && !/^(?:data|blob|about):/.test(url)) problems.push(`elsewhere: ${url}`)
  })
  page.on('requestfinished', (request) => void pending.delete(request))
  page.on('requestfailed', (request) => void pending.delete(request))
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.status() >= 400) problems.push(`${response.status()} ${response.request().method()} ${pathname}`)
  })
  page.on('pageerror', (error) => void problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !NOTED_ELSEWHERE.test(text)) problems.push(`console: ${text}`)
  })
  const isQuiet = async () => pending.size === 0 && (await page.locator(WAITING).count()) === 0
  const settled = async () => {
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    // Twice in a row: what an answer leads to is asked for after it was drawn.
    await expect.poll(async () => (await isQuiet()) && (await drawn(page)) && isQuiet(), { interval: 20 }).toBe(true)
  }
  return { page, problems, settled }
}

const drawn = (page: Page) =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))')

interface AxeResult {
  violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[]
}

const RULES = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  colours: ['color-contrast'],
}

/** What axe finds, one line each. */
export async function axeFindings(page: Page, rules: keyof typeof RULES = 'all'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const runOnly = JSON.stringify(RULES[rules])
  const { violations } = (await page.evaluate(`axe.run(document, { runOnly: ${runOnly} })`)) as AxeResult
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  )
}
