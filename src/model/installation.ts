/**
 * What tells whether the stores of a data folder belong together. All of them carry the id that the SQL store was
 * given when it was made, and each knows how far it has come; stores/check-installation.ts compares them at the start.
 * And the secrets that this installation has made for itself.
 */

export interface Installation {
  id: string
  /** The other stores have been given the id. False: they are of a version that did not know of it, or not made yet. */
  isStamped: boolean
  /** The highest `seq` that was given to a change. */
  lastSeq: number
  /** The highest `seq` whose batch was handed on to the event store and left the outbox; 0: none. */
  handedSeq: number
  /** How often the stores were opened together; the blob store counts along. */
  starts: number
  /** Bytes of recordings that grew last at this instant or before may be missing: somebody has accepted it. */
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
  /** Of the recordings of living projects that grew last, and after this instant, up to `limit`. */
  newestBlocks(after: number, limit: number): Promise<NewestBlock[]>
}

export interface InstallationWriter extends InstallationReader {
  /** The other stores carry the id by now, and this is start number `starts`. */
  stamped(starts: number): Promise<void>
  /** No change gets a `seq` up to this one any more. Nothing happens when it was given already. */
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
