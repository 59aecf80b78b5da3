/**
 * Files in the data folder are private to their owner. The engines create files with the process's default mode, so
 * that is set; files that an older version left readable are changed. The folder itself is changed by open.ts, unless
 * it is a shared one.
 */
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077
const OWNER = 0o700

/** Our files and those the engines put next to them; the folder may hold other files too. */
const OURS = /^(?:hedgerow\.db|events\.duckdb|server\.lock|first-key|blobs)(?:$|[-.])/

export function keepFilesPrivate(dataDir: string): void {
  process.umask(OTHERS)
  for (const name of readdirSync(dataDir).filter((candidate) => OURS.test(candidate))) {
    const path = join(dataDir, name)
    // Files next to a store that is in use come and go.
    const found = lstatSync(path, { throwIfNoEntry: false })
    const isOurs = found !== undefined && found.uid === process.getuid?.() && !found.isSymbolicLink()
    if (isOurs && (found.mode & OTHERS) !== 0) chmodSync(path, found.mode & OWNER)
  }
}
