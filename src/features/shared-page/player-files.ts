/**
 * The files of the player page, as built. Scripts have a URL with a hash of all of them, so that browsers cache them permanently
 * and never mix two versions. The style is carried by each page: a policy that allowed it from this server would allow
 * recorded pages to ask this server for theirs.
 */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Asset, answerAsset, readAsset } from '../../http/output/static-assets.ts'
import type { RawAnswer } from '../../http/raw-routes.ts'
import { loadOnce } from '../../lib/concurrency/load-once.ts'
import { notFound } from '../../lib/errors.ts'

const FOREVER = 'public, max-age=31536000, immutable'
/** The same from the sources and from the build. */
const BUILT = fileURLToPath(new URL('../../../dist/web/player/', import.meta.url))
const STYLE = 'page.css'

const scripts = (): string[] => readdirSync(BUILT).filter((name) => name.endsWith('.js'))

export interface PageStyle {
  css: string
  /** `sha256-…`, as policies name it. */
  hash: string
}

interface PlayerFiles {
  hash: string
  assets: ReadonlyMap<string, Asset>
  style: PageStyle
}

async function readAll(): Promise<PlayerFiles> {
  const entries = scripts().map(async (name) => [name, await readAsset(join(BUILT, name))] as const)
  const assets = new Map(await Promise.all(entries))
  const hash = createHash('sha256')
  for (const [name, { etag }] of assets) hash.update(name).update(etag)
  const css = await readFile(join(BUILT, STYLE), 'utf8')
  const style = { css, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` }
  return { hash: hash.digest('hex').slice(0, 16), assets, style }
}

export function createPlayerFiles() {
  const files = loadOnce(readAll)
  return {
    /** From the name of a script to its path, below the root of the server. */
    async paths(): Promise<(name: string) => string> {
      const { hash } = await files()
      return (name) => `static/player/${hash}/${name}`
    },
    style: async (): Promise<PageStyle> => (await files()).style,
    async answer(params: Record<string, string>, headers: Record<string, string | undefined>): Promise<RawAnswer> {
      const { hash, assets } = await files()
      const asset = params.hash === hash ? assets.get(params.name ?? '') : undefined
      if (!asset) throw notFound('Not found.')
      return answerAsset(asset, headers, FOREVER)
    },
  }
}

export type PlayerFileSet = ReturnType<typeof createPlayerFiles>
