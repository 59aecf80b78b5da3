/** Debian's PostgreSQL, where it is installed: the set-up of the tests and the tests look for it in the same place. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = '/usr/lib/postgresql'

/** The folder of the newest version; its programs are in `bin`. Null when there is none. */
export function findDebianPostgres() {
  const versions = existsSync(FOLDER) ? readdirSync(FOLDER).sort((a, b) => Number(b) - Number(a)) : []
  const homes = versions.map((version) => join(FOLDER, version))
  return homes.find((home) => existsSync(join(home, 'bin', 'postgres'))) ?? null
}
