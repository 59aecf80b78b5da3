/** Threads whose work gives way to that of others, where the system has a priority for each thread (Linux). */
import { setPriority } from 'node:os'

/** Nice value: a fraction of 36/1024 beside a thread of normal priority, and all of an idle core. */
const LOW_PRIORITY = 15

export const hasThreadPriorities = process.platform === 'linux'

const THIS_THREAD = 0

/** Where the system does not allow it, the thread keeps the one it has. */
export function lowerPriority(threadId = THIS_THREAD): void {
  // Elsewhere it would be that of the whole process.
  if (!hasThreadPriorities) return
  try {
    setPriority(threadId, LOW_PRIORITY)
  } catch (error) {
    const { info } = error as { info?: { code?: string } }
    if (info?.code !== 'EPERM' && info?.code !== 'EACCES') throw error
  }
}
