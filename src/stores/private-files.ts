/**
 * What is in the data folder is for its owner only. The engines make their files by the process's default, so that is
 * set; what an older version left open is closed. The folder itself is closed by open.ts, unless it is a shared one.
 */
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077
const OWNER = 0o700

/** Ours, with what the engines put beside them; a folder may hold other people's files too. */
const OURS = /^(?:hedgerow\.db|events\.duckdb|server\.lock|first-key|blobs)(?:$|[-.])/

export function keepFilesPrivate(dataDir: string): void {
  process.umask(OTHERS)
  for (const name of readdirSync(dataDir).filter((candidate) => OURS.test(candidate))) {
    const path = join(dataDir, name)
    // Files beside a store that is in use come and go.
    const found = lstatSync(path, { throwIfNoEntry: false })
    const isOurs = found !== undefined && found.uid === process.getuid?.() && !found.isSymbolicLink()
    if (isOurs && (found.mode & OTHERS) !== 0) chmodSync(path, found.mode & OWNER)
  }
}
