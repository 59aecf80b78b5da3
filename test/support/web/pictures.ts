/** With SCREENS, `npm run screens`: a folder of pictures, and a page that shows them all. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const FOLDER = process.env.SCREENS ?? ''

const STYLE = '<style>img{max-width:45%;border:1px solid #999}body{font:14px system-ui}</style>'

export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!FOLDER) return
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
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
