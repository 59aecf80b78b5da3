/**
 * Shows whether the stores of a data folder belong together. All of them carry the id that the SQL store got when it
 * was created, and each records its progress; stores/check-installation.ts compares them at the start.
 */

export interface Installation {
  id: string
  /** The other stores carry the id. False: they were written by a version without it, or do not exist yet. */
  isStamped: boolean
  /** The highest `seq` assigned to a change. */
  lastSeq: number
  /** The highest `seq` whose batch was applied to the event store and left the outbox; 0: none. */
  handedSeq: number
  /** How often the stores were opened together; the blob store records the same number. */
  starts: number
  /** An operator has accepted that bytes of recordings last extended at or before this instant may be missing. */
  blobsLostUntil: number
}

/** The last block of a recording. */
export interface NewestBlock {
  sessionId: string
  blobKey: string
  offset: number
  length: number
  lastIngestAt: number
}

export interface InstallationReader {
  find(): Promise<Installation>
  /** Of up to `limit` recordings, those extended last and after this instant, of projects that are not removed. */
  newestBlocks(after: number, limit: number): Promise<NewestBlock[]>
}

export interface InstallationWriter extends InstallationReader {
  /** Records that the other stores carry the id, and that this is start number `starts`. */
  stamped(starts: number): Promise<void>
  /** No change gets a `seq` up to this one any more. Does nothing if the sequence is beyond it already. */
  raiseSeq(seq: number): Promise<void>
  acceptLostBlobs(until: number): Promise<void>
}

/** Secrets the server makes for itself at the first start and needs again later. */
export interface SecretWriter {
  /** The secret of that name; made and stored when there is none. */
  findOrCreate(name: string, make: () => string): Promise<string>
}

/** What the event store and the blob store carry: the id, and how far the store had come when it was written. */
export interface StoreStamp {
  id: string
  /** Of the event store: the highest `seq` applied. Of the blob store: the number of the start. */
  reached: number
}
