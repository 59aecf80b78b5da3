/** Requests to delete a person's events; they wait for the batch of Sunday 05:00 UTC. */

export interface Deletion {
  id: number
  projectId: number
  personId: number
  personUuid: string
  /** The person's ids at the time of the request, whose events are deleted. Empty once it is completed. */
  distinctIds: string[]
  /** Ids that left the person between two requests, each with the cut-off of the last request that named it. */
  earlier: { distinctIds: string[]; cutoffSeq: number }[]
  /** Events with a `seq` up to this one are deleted, later ones stay. */
  cutoffSeq: number
  createdBy: number | null
  createdAt: number
  scheduledFor: number
  status: 'pending' | 'completed'
  verifiedAt: number | null
  eventsDeleted: number | null
  sessionsDeleted: number | null
  recordingsDeleted: number | null
}

/** Which pending requests: those of one project, or the due ones of all. */
export type DeletionChoice = { projectId: number } | { dueAt: number }

export interface DeletionRequest {
  projectId: number
  personId: number
  personUuid: string
  distinctIds: string[]
  cutoffSeq: number
  createdBy: number
  createdAt: number
  scheduledFor: number
  /** Recordings that were deleted immediately with the request; null when they were not to be deleted. */
  recordingsDeleted: number | null
}

/** What a request asks for, and what went with it. */
export type DeletionScope = Pick<Deletion, 'cutoffSeq' | 'distinctIds' | 'earlier' | 'recordingsDeleted'>

export interface DeletionFilter {
  projectId: number
  status?: Deletion['status']
  personUuid?: string
}

/** Keyset position: newest first, by (createdAt, id). */
type DeletionCursor = Pick<Deletion, 'createdAt' | 'id'>

export interface DeletionReader {
  /** Newest first. */
  list(filter: DeletionFilter, page: { limit: number; offset: number }): Promise<{ count: number; items: Deletion[] }>
  /** Requests after `after` in the order of list, at most `limit`, none at the end; for reading everything page by page. */
  listAfter(filter: DeletionFilter, after: DeletionCursor | null, limit: number): Promise<Deletion[]>
  /** Pending ones, oldest first. */
  pending(choice: DeletionChoice, limit: number): Promise<Deletion[]>
  /** Ids of all pending ones. */
  pendingIds(): Promise<number[]>
  /** Pending ones of a project: how many, and the earliest date that one of them is scheduled for. */
  waiting(projectId: number): Promise<{ count: number; earliest: number | null }>
  /** How many pending ones should have run before this instant. */
  overdue(before: number): Promise<number>
}

export interface DeletionWriter extends DeletionReader {
  /** The pending request for a person; null when there is none. There is one at most. */
  findPending(projectId: number, personId: number): Promise<Deletion | null>
  /** As a pending one. Fails when the person has one; rules/erasure/deletion-request.ts then merges the two. */
  insert(request: DeletionRequest): Promise<Deletion>
  /** What it asks for from now on; everything else of it stays. */
  replace(id: number, scope: DeletionScope): Promise<Deletion>
  /** Pending ones that are scheduled for later get this date. */
  bringForward(latest: number): Promise<void>
  /**
   * Marks it as done and removes the ids. False, and nothing changes, when it is not pending any more or its cut-off was
   * raised meanwhile, so that there is more to delete.
   */
  complete(id: number, done: { cutoffSeq: number; at: number; events: number; sessions: number }): Promise<boolean>
}
