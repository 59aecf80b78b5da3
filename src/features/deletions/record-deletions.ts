/** What is stored of deletions that were carried out: the requests are done, the log and the run have their counts. */
import type { Clock } from '../../lib/time/clock.ts'
import type { Erased } from '../../model/events/erasure.ts'
import type { Deletion } from '../../model/persons/deletion.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { activityEntry } from '../../rules/activity/activity-entry.ts'

interface RecordParts {
  stores: Pick<Stores, 'transaction'>
  clock: Clock
}

export interface DeletionCounts {
  requests: number
  events: number
  sessions: number
  /** Deleted at once, with the requests. */
  recordings: number
}

/** Requests marked as done in one transaction. */
const MARKED_AT_ONCE = 500

export const NOTHING: DeletionCounts = { requests: 0, events: 0, sessions: 0, recordings: 0 }

export type Done = [request: Deletion, erased: Erased]

export const sum = (all: DeletionCounts, [{ recordingsDeleted }, { events, sessions }]: Done): DeletionCounts => ({
  requests: all.requests + 1,
  events: all.events + events,
  sessions: all.sessions + sessions,
  recordings: all.recordings + (recordingsDeleted ?? 0),
})

/** Marks them as done; returns them without those that were extended meanwhile. */
async function mark(tx: SqlWriters, pairs: Done[], now: number): Promise<Done[]> {
  const marked: Done[] = []
  for (const [request, erased] of pairs) {
    const { id, cutoffSeq } = request
    if (!(await tx.deletions.complete(id, { ...erased, cutoffSeq, at: now }))) continue
    marked.push([request, erased])
  }
  return marked
}

/** One entry for each project; its cached results are removed too, as they may contain event data. */
async function note(tx: SqlWriters, runId: number, marked: Done[], now: number): Promise<void> {
  const byProject = new Map<number, DeletionCounts>()
  for (const done of marked) {
    const [{ projectId }] = done
    byProject.set(projectId, sum(byProject.get(projectId) ?? NOTHING, done))
  }
  for (const [projectId, { requests, events, sessions, recordings }] of byProject) {
    await tx.insightCache.clear(projectId)
    await tx.deletionRuns.count(runId, projectId, { persons: requests, events, sessions, recordings })
    const name = `${requests} requests: ${events} events, ${sessions} sessions`
    const subject = { scope: 'Deletion', itemId: null, activity: 'completed', name, changes: null }
    await tx.activity.add(activityEntry({ projectId, caller: null, ...subject }, now))
  }
}

/** Marks requests as done and says so; returns those that were. */
export async function record({ stores, clock }: RecordParts, runId: number, pairs: Done[]): Promise<Done[]> {
  const marked: Done[] = []
  for (let start = 0; start < pairs.length; start += MARKED_AT_ONCE) {
    const part = pairs.slice(start, start + MARKED_AT_ONCE)
    const held = await stores.transaction(async (tx) => {
      const now = clock.now()
      const these = await mark(tx, part, now)
      await note(tx, runId, these, now)
      return these
    })
    marked.push(...held)
  }
  return marked
}
