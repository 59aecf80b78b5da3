/**
 * Removing a project. First it is marked: from then on it is gone from the API, and no transaction of capture stores
 * anything for it. Then everything of it is cleared, in portions. A job remembers that: it finishes what a stop cut off,
 * and comes once more after a while for what requests that were under way have written since.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MINUTE } from '../../lib/time/time.ts'
import { CLEAR_PROJECT } from '../../model/job.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'

/** By then every request that has seen the project is answered. */
const SWEEP_AFTER = MINUTE

/** False when there is no such project. */
export async function markRemoved(tx: SqlWriters, projectId: number, now: number): Promise<boolean> {
  if (!(await tx.projects.markRemoved(projectId, now))) return false
  // Nobody's: it must not go with the project.
  const job = { kind: CLEAR_PROJECT, key: String(projectId), projectId: null, payload: { projectId } }
  await tx.jobs.add({ ...job, runAt: now + SWEEP_AFTER })
  return true
}

type ClearStores = Pick<Stores, 'events' | 'blobs' | 'relaxed' | 'transaction'>

/** Of a project that was marked; can be repeated. */
export async function clearProject(stores: ClearStores, projectId: number, signal?: AbortSignal): Promise<void> {
  await stores.events.removeProject(projectId)
  await stores.blobs.removeAll(`${projectId}/`)
  let from = await stores.relaxed((tx) => tx.projects.clear(projectId, null))
  while (from !== null) {
    signal?.throwIfAborted()
    await nextTurn()
    const at = from
    from = await stores.relaxed((tx) => tx.projects.clear(projectId, at))
  }
  await stores.transaction((tx) => tx.projects.forget(projectId))
}
