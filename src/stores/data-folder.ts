/**
 * The data folder: makes it, keeps it and our files in it private to their owner, and locks it, so that only one
 * server works in it.
 */
import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { FolderInUse, OperatorError } from '../lib/errors.ts'

/** The stores in a data folder, and in a backup of it. */
export const STORE_NAMES = { sql: 'hedgerow.db', events: 'events.duckdb', blobs: 'blobs' } as const

/** The file with the link by which the first password is set. */
const SETUP_LINK = 'setup-link'

export const setupLinkFile = (dataDir: string): string => resolve(join(dataDir, SETUP_LINK))

/** What to throw when a folder, named as the beginning of a sentence, could not be made or written. */
export function notWritable(folder: string, cause: unknown): OperatorError {
  const reason = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message
  return new OperatorError(`${folder} cannot be made or written (${reason}).`, cause)
}

/** Folder by folder: Node's own recursive mkdir never returns where the file system refuses with ENOENT (/proc). */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

const STICKY = 0o1000

/** Others on the machine have no business in our folder; one that is another's, or shared as /tmp is, keeps its mode. */
function makePrivate(dataDir: string): void {
  const { uid, mode } = statSync(dataDir)
  if (uid === process.getuid?.() && (mode & STICKY) === 0) chmodSync(dataDir, 0o700)
}

const OTHERS = 0o077
const OWNER = 0o700

/** Ours, with what the engines put beside them; a folder may hold other people's files too. */
const OURS = /^(?:hedgerow\.db|events\.duckdb|server\.(?:lock|json)|first-key|setup-link|blobs)(?:$|[-.])/

/** The engines make their files by the process's default, so that is set; what an older version left open is closed. */
function keepFilesPrivate(dataDir: string): void {
  process.umask(OTHERS)
  for (const name of readdirSync(dataDir).filter((candidate) => OURS.test(candidate))) {
    const path = join(dataDir, name)
    // Files beside a store that is in use come and go.
    const found = lstatSync(path, { throwIfNoEntry: false })
    const isOurs = found !== undefined && found.uid === process.getuid?.() && !found.isSymbolicLink()
    if (isOurs && (found.mode & OTHERS) !== 0) chmodSync(path, found.mode & OWNER)
  }
}

export function prepareFolder(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir))
    // A path below the folder, so that a file in its place is refused too.
    accessSync(join(dataDir, '.'), constants.R_OK | constants.W_OK | constants.X_OK)
    makePrivate(dataDir)
    keepFilesPrivate(dataDir)
  } catch (cause) {
    throw notWritable(`The data folder ${dataDir}`, cause)
  }
}

/** Held by the kernel for as long as this process lives, so a crash leaves nothing to clean up. */
export function lockFolder(dataDir: string): () => void {
  const lock = new Database(join(dataDir, 'server.lock'), { timeout: 0 })
  try {
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    const { code } = cause as { code?: string }
    if (code === 'SQLITE_BUSY') {
      throw new FolderInUse(`Another Hedgerow server already uses the data folder ${dataDir}.`, cause)
    }
    throw new OperatorError(
      `${join(dataDir, 'server.lock')} cannot be locked (${code}); with no server running it may be removed.`,
      cause,
    )
  }
  return () => lock.close()
}

/** Whether a server, or a command that opens all stores, works in the folder. */
export function isFolderLocked(dataDir: string): boolean {
  const path = join(dataDir, 'server.lock')
  if (!existsSync(path)) return false
  const lock = new Database(path, { readonly: true, timeout: 0 })
  try {
    lock.prepare('select 1 from sqlite_master').get()
    return false
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return true
    throw error
  } finally {
    lock.close()
  }
}
