/**
 * Before the tests: where memory allows it, their temporary folders are in memory. On a disk most of them would wait for
 * it, as the stores sync each commit.
 */
import { chmodSync, statfsSync } from 'node:fs'
import { makeOuterFolder } from '../servers/server-folder.ts'

const MEMORY = '/dev/shm'
/** What statfs says of a file system that is in memory. */
const TMPFS = 0x01_02_19_94
/** Several times what a run was seen to hold at once. */
const NEEDED = 8 * 1024 ** 3

function hasRoom(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    return type === TMPFS && Math.min(bavail * bsize, process.availableMemory()) >= NEEDED
  } catch {
    return false
  }
}

/** Returns what is done after the tests. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  const { path, remove } = makeOuterFolder({ prefix: 'hedgerow-tests-', inside: MEMORY })
  // As the system's: other users make folders in it, too.
  chmodSync(path, 0o1777)
  process.env.TMPDIR = path
  return remove
}
