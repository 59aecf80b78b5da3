/** What goes wrong in a page without a status to show for it: errors of its scripts, answers that the browser refuses. */
import type { Page } from 'playwright-core'
import type { Drive } from '../drive.ts'

/** The page was left meanwhile. */
const ABORTED = 'net::ERR_ABORTED'

export function reportPageProblems(page: Page, { problem }: Drive): void {
  page.on('pageerror', ({ message }) => problem(`error on the page: ${message}`))
  page.on('requestfailed', (request) => {
    const text = request.failure()?.errorText
    if (text !== ABORTED) problem(`${request.method()} ${request.url().split('?')[0]}: ${text}`)
  })
}
