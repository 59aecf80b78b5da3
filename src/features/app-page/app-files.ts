/**
 * The built files of the app. They are read from the disk whenever they are asked for, and in the form that was
 * compressed by the build: browsers keep them for good, so that is rare, and no memory is held for an app that nobody
 * uses. A build that takes the place of another one is served at once.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { answerAsset, openBuiltAsset } from '../../http/output/static-assets.ts'
import type { RawAnswer } from '../../http/raw-routes.ts'
import { notFound } from '../../lib/errors.ts'

const FOREVER = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'
/** The same from the sources and from the build. */
const BUILT = fileURLToPath(new URL('../../../dist/web/', import.meta.url))

/** With a hash of its content in it; of Vite's other files nobody has to know. */
const HASHED = /^[\w.-]+-[\w-]{8}\.(?:js|css|svg)$/
const LICENSES = 'licenses.txt'
const BUILD = 'build.json'

export const FILES_PATH = 'static/app/'

type Headers = Record<string, string | undefined>

export interface AppPage {
  template: string
  /** Changes with every build. */
  build: string
}

export function createAppFiles(folder = BUILT) {
  /** Null when the app is not built. */
  const page = async (): Promise<AppPage | null> => {
    const template = await readFile(`${folder}app/app.html`, 'utf8').catch(() => null)
    if (template === null) return null
    return { template, build: createHash('sha256').update(template).digest('hex').slice(0, 16) }
  }
  const answerBuild = async (): Promise<RawAnswer> => ({
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ build: (await page())?.build ?? null }),
    headers: { 'cache-control': 'no-store' },
  })
  return {
    page,
    async answer(name: string, headers: Headers): Promise<RawAnswer> {
      if (name === BUILD) return answerBuild()
      const path = name === LICENSES ? name : HASHED.test(name) ? `app/${name}` : null
      const asset = path === null ? null : await openBuiltAsset(folder + path)
      if (asset === null) throw notFound('Not found.')
      return answerAsset(asset, headers, name === LICENSES ? REVALIDATE : FOREVER)
    },
  }
}
