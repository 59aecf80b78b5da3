/**
 * The files of the player page: our own, as built, and rrweb-player's from the installed package. Their URL contains a
 * hash of all of them, so that browsers cache them permanently and never mix two versions.
 */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Asset, answerAsset, readAsset } from '../../http/output/static-assets.ts'
import type { RawAnswer } from '../../http/raw-routes.ts'
import { loadOnce } from '../../lib/concurrency/load-once.ts'
import { notFound } from '../../lib/errors.ts'

const FOREVER = 'public, max-age=31536000, immutable'
/** The same from the sources and from the build. */
const BUILT = fileURLToPath(new URL('../../../dist/web/player/', import.meta.url))

const require = createRequire(import.meta.url)

function locate(): Record<string, string> {
  const player = dirname(require.resolve('rrweb-player'))
  const own = readdirSync(BUILT).filter((name) => /\.(?:js|css)$/.test(name))
  return {
    ...Object.fromEntries(own.sort().map((name) => [name, join(BUILT, name)])),
    'rrweb-player.js': join(player, 'rrweb-player.js'),
    'rrweb-player.css': join(player, 'style.min.css'),
  }
}

interface PlayerFiles {
  hash: string
  assets: ReadonlyMap<string, Asset>
}

async function readAll(): Promise<PlayerFiles> {
  const entries = Object.entries(locate()).map(async ([name, path]) => [name, await readAsset(path)] as const)
  const assets = new Map(await Promise.all(entries))
  const hash = createHash('sha256')
  for (const [name, { etag }] of assets) hash.update(name).update(etag)
  return { hash: hash.digest('hex').slice(0, 16), assets }
}

export function createPlayerFiles() {
  const files = loadOnce(readAll)
  return {
    /** Returns a function from file name to path, below the root of the server. */
    async paths(): Promise<(name: string) => string> {
      const { hash } = await files()
      return (name) => `static/player/${hash}/${name}`
    },
    async answer(params: Record<string, string>, headers: Record<string, string | undefined>): Promise<RawAnswer> {
      const { hash, assets } = await files()
      const asset = params.hash === hash ? assets.get(params.name ?? '') : undefined
      if (!asset) throw notFound('Not found.')
      return answerAsset(asset, headers, FOREVER)
    },
  }
}

export type PlayerFileSet = ReturnType<typeof createPlayerFiles>
