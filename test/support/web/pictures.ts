/** With SCREENS, `npm run screens`: a folder of pictures, and a page that shows them all. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const FOLDER = process.env.SCREENS ?? ''

const STYLE = '<style>img{max-width:45%;border:1px solid #999}body{font:14px system-ui}</style>'

const saved = (page: Page, name: string) => page.screenshot({ path: join(FOLDER, `${name}.png`) })

export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!FOLDER) return
  mkdirSync(FOLDER, { recursive: true })
  await saved(page, name)
}

const PHONE = { width: 360, height: 740 }

/** As the page is, in the other theme, and on a phone. */
export async function keepPictures(page: Page, name: string): Promise<void> {
  if (!FOLDER) return
  await keepPicture(page, name)
  const before = page.viewportSize()
  await page.emulateMedia({ colorScheme: 'dark' })
  await saved(page, `${name}-dark`)
  await page.emulateMedia({ colorScheme: null })
  if (!before || before.width <= PHONE.width) return
  await page.setViewportSize(PHONE)
  await page.waitForTimeout(300)
  await saved(page, `${name}-phone`)
  await page.setViewportSize(before)
}

/** Several files of tests keep pictures: whichever ends last has written all of them. */
export function listPictures(): void {
  if (!FOLDER) return
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.png'))
  const figures = names.map(
    (name) => `<figure><figcaption>${name}</figcaption><img src="${name}" loading="lazy"></figure>`,
  )
  writeFileSync(join(FOLDER, 'index.html'), `<!doctype html><title>Screens</title>${STYLE}${figures.join('\n')}`)
}
