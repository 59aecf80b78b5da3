/** A page that notes what should not happen: errors, breaches of the policy, requests to other hosts. */
import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'

export interface WatchedPage {
  page: Page
  /** Empty when all is well. */
  problems: string[]
}

export async function watchedPage(context: BrowserContext, address: string): Promise<WatchedPage> {
  const page = await context.newPage()
  const problems: string[] = []
  // What fades in has its contrast only afterwards.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => {
    console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI)
  })`)
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${address}/`) && !/^(?:data|blob|about):/.test(url)) problems.push(`elsewhere: ${url}`)
  })
  page.on('pageerror', (error) => void problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  return { page, problems }
}

interface AxeResult {
  violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[]
}

/** What axe finds, one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
  )) as AxeResult
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  )
}
