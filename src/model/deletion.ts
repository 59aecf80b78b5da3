/** Requests to delete a person's events; they wait for the batch of Sunday 05:00 UTC. */

export interface Deletion {
  id: number
  projectId: number
  personId: number
  personUuid: string
  /** The person's ids when it was asked: whose events go. */
  distinctIds: string[]
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

export interface DeletionRequest {
  projectId: number
  personId: number
  personUuid: string
  distinctIds: string[]
  cutoffSeq: number
  createdBy: number
  createdAt: number
  scheduledFor: number
}

export interface DeletionReader {
  /** Newest first. */
  list(
    filter: { projectId: number; status?: 'pending' | 'completed'; personUuid?: string },
    page: { limit: number; offset: number },
  ): Promise<{ count: number; items: Deletion[] }>
}

export interface DeletionWriter extends DeletionReader {
  /** Gives the pending row. A second request for the same person raises its cut-off and ids; its date stays. */
  request(request: DeletionRequest): Promise<Deletion>
}
