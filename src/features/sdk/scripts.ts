/**
 * The browser SDK and the parts it loads later, from the installed package: only files in its folder, by their plain
 * names, are served. Whatever version a page requests, it gets the installed one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { answerAsset, keepAssets } from '../../http/output/static-assets.ts'
import type { RawAnswer } from '../../http/raw-routes.ts'
import { notFound } from '../../lib/errors.ts'

const FOREVER = 'public, max-age=31536000, immutable'
const A_WHILE = 'public, max-age=300'

const require = createRequire(import.meta.url)

function openPackage(): { folder: string; names: ReadonlySet<string>; version: string } {
  const folder = dirname(require.resolve('posthog-js'))
  const { version } = JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')) as { version: string }
  return { folder, names: new Set(readdirSync(folder).filter((name) => /^[\w.-]+\.js$/.test(name))), version }
}

export interface ScriptRequest {
  name: string
  /** As in the path; null when it has none. */
  version: string | null
  headers: Record<string, string | undefined>
}

export function createScripts() {
  const read = keepAssets()
  let opened: ReturnType<typeof openPackage> | undefined
  return async ({ name, version, headers }: ScriptRequest): Promise<RawAnswer> => {
    opened ??= openPackage()
    const readable = version === null || /^\d+\.\d+\.\d+$/.test(version)
    if (!readable || !opened.names.has(name)) throw notFound('Not found.')
    // Files requested under another version change with the next update.
    const caching = version === opened.version ? FOREVER : A_WHILE
    return answerAsset(await read(join(opened.folder, name)), headers, caching)
  }
}
