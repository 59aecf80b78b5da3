/** What happened to the data after a backup was made, as the replaced stores tell. */

export interface LaterErasure {
  projectId: number
  /** Of the restored store. */
  personId: number
  personUuid: string
  /** The person itself was deleted. */
  isPersonDeleted: boolean
  /** The deletion of its events was requested. */
  areEventsDeleted: boolean
}

interface DeletedRecording {
  projectId: number
  sessionId: string
  deletedAt: number
  deletedBy: number | null
}

export interface LaterChanges {
  /** Removed projects that the backup has. */
  projects: number[]
  /** Persons of the backup that were deleted, or whose events were. */
  persons: LaterErasure[]
  /** Projects with requests that are pending in the backup and were carried out later. */
  carriedOut: { projectId: number; requests: number }[]
  recordings: DeletedRecording[]
  /** Done already, with how many: keys, users, memberships, shares, subscriptions. */
  carriedOver: Record<string, number>
}
