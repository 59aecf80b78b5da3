/** Before the tests: one server of each PostgreSQL for the whole run. */
import type { TestProject } from 'vitest/node'
import { copyOfNpm, findDebian, type Installation } from './binaries.ts'
import { giveAway, makeFolder, startPostgres } from './server.ts'
import { makeTemplate } from './template.ts'

/** One PostgreSQL with a server that runs as long as the tests do. */
export interface PostgresEngine extends Installation {
  /** As a role that is no superuser. */
  url: string
  adminUrl: string
  /** Statements that make a used copy of the template an unused one. */
  emptying: string
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresEngines: PostgresEngine[]
    /** Those that there are none of, and why. */
    postgresMissing: string[]
    /** Where servers of a single test are, so that they end with the run. */
    postgresFolder: string
  }
}

async function start({ name, home }: Installation, inside: string): Promise<PostgresEngine> {
  const { url, adminUrl } = await startPostgres({ home, folder: makeFolder(inside), isDurable: false })
  return { name, home, url, adminUrl, emptying: await makeTemplate(url) }
}

/** Its server; or what is missing, and why. */
async function tryOne(name: string, found: Installation | null, folder: string): Promise<PostgresEngine | string> {
  try {
    return found === null ? name : await start(found, folder)
  } catch (error) {
    return `${name} (${(error as Error).message})`
  }
}

/** Returns what is done after the tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = makeFolder()
  try {
    const sources = { 'PostgreSQL from npm': copyOfNpm(folder.path), "Debian's PostgreSQL": findDebian() }
    // Before the first of them runs: its files come and go.
    giveAway(folder.path)
    const tried = await Promise.all(Object.entries(sources).map(([name, found]) => tryOne(name, found, folder.path)))
    const engines = tried.filter((one) => typeof one !== 'string')
    project.provide('postgresEngines', engines)
    project.provide(
      'postgresMissing',
      tried.filter((one) => typeof one === 'string'),
    )
    project.provide('postgresFolder', folder.path)
    return () => folder.remove()
  } catch (error) {
    await folder.remove()
    throw error
  }
}
