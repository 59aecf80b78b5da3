/**
 * Puts restored stores into the place of those in a data folder, which are moved aside and never deleted. All of it
 * happens inside the data folder, as that may be a mounted disk, by renames under the folder's lock:
 *
 * 1. The stores are prepared in `restore-copy`. A crash leaves that folder, which the next restore removes.
 * 2. It is renamed to `restore-ready-<time>`: from here on the restore is decided.
 * 3. Store by store, what is there goes to `replaced-<time>`, and the restored one takes its place.
 *
 * After a crash in the third step the next start of the server, or the next restore, finishes it: a store is still to be
 * exchanged as long as it is in `restore-ready-<time>`.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import { STORE_NAMES } from '../data-folder.ts'
import { syncFolderNow } from '../fs/durable-files.ts'

const STAGING = 'restore-copy'
const READY = 'restore-ready-'
const REPLACED = 'replaced-'

const readyIn = (dataDir: string): string | undefined =>
  existsSync(dataDir) ? readdirSync(dataDir).find((name) => name.startsWith(READY)) : undefined

/** The path of the folder to prepare the stores in; what an earlier restore left there is removed. */
export function clearStaging(dataDir: string): string {
  const path = join(dataDir, STAGING)
  rmSync(path, { recursive: true, force: true })
  return path
}

/** A store and what its engine has put beside it: the log of the old one must not meet the new one. */
const partsOf = (dataDir: string, store: string): string[] =>
  readdirSync(dataDir).filter((name) => name === store || name.startsWith(`${store}-`) || name.startsWith(`${store}.`))

function exchange(dataDir: string, ready: string, replaced: string, store: string): void {
  if (!existsSync(join(ready, store))) return
  for (const name of partsOf(dataDir, store)) renameSync(join(dataDir, name), join(replaced, name))
  syncFolderNow(replaced)
  renameSync(join(ready, store), join(dataDir, store))
  syncFolderNow(dataDir)
}

/** Returns the folder of the replaced stores, which exists when there were any; null when no restore was decided. */
export function finishRestore(dataDir: string): string | null {
  const name = readyIn(dataDir)
  if (name === undefined) return null
  const ready = join(dataDir, name)
  const replaced = join(dataDir, REPLACED + name.slice(READY.length))
  mkdirSync(replaced, { recursive: true, mode: 0o700 })
  for (const store of Object.values(STORE_NAMES)) exchange(dataDir, ready, replaced, store)
  rmSync(ready, { recursive: true, force: true })
  if (readdirSync(replaced).length === 0) rmdirSync(replaced)
  syncFolderNow(dataDir)
  return replaced
}

/** What is beside a store in use, and not in a closed one, would be lost. */
function checkClosed(staging: string): void {
  // What an engine could not hold in memory.
  rmSync(join(staging, `${STORE_NAMES.events}.tmp`), { recursive: true, force: true })
  const open = Object.values(STORE_NAMES).flatMap((store) => partsOf(staging, store).filter((name) => name !== store))
  if (open.length > 0) throw new Error(`The restored stores were not closed: ${open.join(', ')}`)
}

/**
 * The prepared stores replace those of the data folder; returns where these are now, null when there were none. `time`
 * names that folder.
 */
export function putInPlace(dataDir: string, time: string): string | null {
  checkClosed(join(dataDir, STAGING))
  renameSync(join(dataDir, STAGING), join(dataDir, READY + time.replaceAll(/[^0-9TZ]/g, '-')))
  syncFolderNow(dataDir)
  const replaced = finishRestore(dataDir)
  return replaced !== null && existsSync(replaced) ? replaced : null
}

/** A command must not write into stores that are about to be replaced. */
export function refuseHalfRestored(dataDir: string): void {
  if (readyIn(dataDir) === undefined) return
  throw new OperatorError('A restore was cut off at its end. Start the server once: it finishes the restore.')
}
