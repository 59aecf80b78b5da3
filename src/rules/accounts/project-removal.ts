/**
 * Removes a project. First it is marked: from then on the API does not show it, and capture stores nothing for it. Then
 * all its data is removed, in portions. A job makes sure of that: it finishes after an interruption, and runs once more
 * later for what requests in progress have written since.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MINUTE } from '../../lib/time/time.ts'
import { CLEAR_PROJECT } from '../../model/job.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'

/** By then every request that has read the project is answered. */
const SWEEP_AFTER = MINUTE

/** False when there is no such project. */
export async function markRemoved(tx: SqlWriters, projectId: number, now: number): Promise<boolean> {
  if (!(await tx.projects.markRemoved(projectId, now))) return false
  // Without a project id: the job must not be removed with the project.
  const job = { kind: CLEAR_PROJECT, key: String(projectId), projectId: null, payload: { projectId } }
  await tx.jobs.add({ ...job, runAt: now + SWEEP_AFTER })
  return true
}

type ClearStores = Pick<Stores, 'events' | 'blobs' | 'relaxed' | 'transaction'>

/** For a project that is marked; idempotent. */
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
