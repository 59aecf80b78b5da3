/** Before the tests: one server of each PostgreSQL for the whole run. After them: which SQL engines there were. */
import type { TestProject } from 'vitest/node'
import { copyOfNpm, findDebian, type Installation } from './binaries.ts'
import { giveAway, makeFolder, type PostgresServer, startPostgres } from './server.ts'

/** One PostgreSQL with a server that runs as long as the tests do. */
export interface PostgresEngine extends Installation {
  /** As a role that is no superuser. */
  url: string
  adminUrl: string
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresEngines: PostgresEngine[]
  }
}

type Started = [Installation, PostgresServer]

async function startNpm(): Promise<Started | null> {
  const folder = makeFolder()
  const installation = copyOfNpm(folder.path)
  if (!installation) {
    await folder.remove()
    return null
  }
  giveAway(folder.path)
  return [installation, await startPostgres({ home: installation.home, folder, isDurable: false })]
}

async function startDebian(): Promise<Started | null> {
  const installation = findDebian()
  if (!installation) return null
  return [installation, await startPostgres({ home: installation.home, folder: makeFolder(), isDurable: false })]
}

/** Returns what is done after the tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = await Promise.all([startNpm(), startDebian()])
  const there = started.filter((one) => one !== null)
  const isComplete = there.length === started.length
  const missing = isComplete ? '' : '; not run: one of npm and Debian (scripts/test-setup.mjs installs it on Debian)'
  project.provide(
    'postgresEngines',
    there.map(([{ name, home }, { url, adminUrl }]) => ({ name, home, url, adminUrl })),
  )
  return async () => {
    await Promise.all(there.map(([, server]) => server.remove()))
    console.log(`SQL engines: ${['SQLite', ...there.map(([{ name }]) => name)].join(', ')}${missing}`)
  }
}
