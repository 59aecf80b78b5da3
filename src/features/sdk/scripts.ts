/**
 * The browser SDK and the parts it loads later, from the installed package: only files in its folder, by their plain
 * names, are served. Whatever version a page requests, it gets the installed one. Parts that PostHog keeps to itself are
 * answered by a script that says so, because the SDK calls them as soon as they are loaded.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Asset, answerAsset, keepAssets, makeAsset } from '../../http/output/static-assets.ts'
import type { RawAnswer } from '../../http/raw-routes.ts'
import { loadOnce } from '../../lib/concurrency/load-once.ts'
import { notFound } from '../../lib/errors.ts'
import { createLruMap } from '../../lib/lists/lru-map.ts'

const FOREVER = 'public, max-age=31536000, immutable'
const A_WHILE = 'public, max-age=300'
export const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

/** `editor.js` is what the toolbar was called first. */
const NOT_SHIPPED = new Set(['toolbar.js', 'loader.js', 'editor.js'])
/** Projects whose array.js is kept compressed: about 70 kB each. */
const KEPT_ARRAYS = 20

const require = createRequire(import.meta.url)

function openPackage(): { folder: string; names: ReadonlySet<string>; version: string } {
  const folder = dirname(require.resolve('posthog-js'))
  const { version } = JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')) as { version: string }
  return { folder, names: new Set(readdirSync(folder).filter((name) => /^[\w.-]+\.js$/.test(name))), version }
}

/** The SDK calls one of the two functions without looking. */
const notice = (name: string): string => `(function () {
  console.warn('[Hedgerow] ${name} is a part of PostHog that Hedgerow does not have.')
  var nothing = function () {}
  window.ph_load_toolbar = window.ph_load_toolbar || nothing
  window.ph_load_editor = window.ph_load_editor || nothing
})()
`

export interface ScriptRequest {
  name: string
  /** As in the path; null when it has none. */
  version: string | null
  headers: Record<string, string | undefined>
}

export function createScripts() {
  const read = keepAssets()
  let found: ReturnType<typeof openPackage> | undefined
  const opened = () => {
    found ??= openPackage()
    return found
  }
  const arrays = createLruMap<() => Promise<Asset>>(KEPT_ARRAYS)
  const notices = new Map([...NOT_SHIPPED].map((name) => [name, loadOnce(() => makeAsset(notice(name), SCRIPT_TYPE))]))
  const makeArray = async (config: string): Promise<Asset> =>
    makeAsset(`${config};\n${await readFile(join(opened().folder, 'array.js'), 'utf8')}`, SCRIPT_TYPE)
  return {
    async file({ name, version, headers }: ScriptRequest): Promise<RawAnswer> {
      const { folder, names, version: installed } = opened()
      const readable = version === null || /^\d+\.\d+\.\d+$/.test(version)
      const missing = names.has(name) ? undefined : notices.get(name)
      if (!readable || !(names.has(name) || missing)) throw notFound('Not found.')
      if (missing) return answerAsset(await missing(), headers, A_WHILE)
      // Files requested under another version change with the next update.
      return answerAsset(await read(join(folder, name)), headers, version === installed ? FOREVER : A_WHILE)
    },
    /** The SDK after the script that configures it; a changed setting applies from the next page on. */
    async array(config: string, headers: ScriptRequest['headers']): Promise<RawAnswer> {
      const make = arrays.take(config) ?? loadOnce(() => makeArray(config))
      arrays.set(config, make)
      return answerAsset(await make(), headers, 'no-cache')
    },
  }
}
