/** The fetched clients: which there are, and how their code is loaded. scripts/fetch-clients.mjs brings them. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const ROOT = new URL('../../..', import.meta.url).pathname
const CACHE = process.env.CLIENTS_DIR ?? join(ROOT, 'node_modules/.cache/clients')

interface ClientList {
  /** Those that `npm test` runs. */
  inTests: string[]
  clients: Record<string, { with?: string[] }>
  integrity: Record<string, string>
}

export const CLIENTS: ClientList = JSON.parse(readFileSync(new URL('packages.json', import.meta.url), 'utf8'))

export interface ClientPackage {
  /** `posthog-js` */
  name: string
  release: string
  /** Of its own files. */
  folder: string
  /** Of the packages that it depends on. */
  modules: string
  /** Loads it, or a file of it, as an application would. */
  load<T>(file?: string): T
}

export function openClient(id: string): ClientPackage {
  const at = id.lastIndexOf('@')
  const name = id.slice(0, at)
  const modules = join(CACHE, id.replace('/', '-'), 'node_modules')
  if (!existsSync(modules)) throw new Error(`${id} has not been fetched: run \`node scripts/test-setup.mjs\`.`)
  const require = createRequire(join(modules, 'application.js'))
  return {
    name,
    release: id.slice(at + 1),
    folder: join(modules, name),
    modules,
    load: (file) => require(file === undefined ? name : `${name}/${file}`),
  }
}
