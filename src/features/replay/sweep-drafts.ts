/**
 * Removes files of recordings that a process has begun and given up, or did not live to record. A draft is of one file, whose
 * name only the process that began it knows. One that is older than any turn of a recorder lasts is given up. The draft goes
 * first: from then on no block of the file can be recorded, so that also a process that is merely slow loses nothing that it
 * acknowledges (see recorder.ts). What a kill in between leaves, the nightly sweep finds.
 */
import { MINUTE } from '../../lib/time/time.ts'
import type { Stores } from '../../model/stores.ts'

const GIVEN_UP_AFTER = 10 * MINUTE
const AT_ONCE = 1_000

export async function sweepDrafts(
  { recordings, blobs, transaction }: Pick<Stores, 'recordings' | 'blobs' | 'transaction'>,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const drafts = await recordings.drafts(now - GIVEN_UP_AFTER, AT_ONCE)
    for (const draft of drafts) {
      signal.throwIfAborted()
      if (await transaction((tx) => tx.recordings.removeDraft(draft))) await blobs.remove(draft.blobKey)
    }
    if (drafts.length < AT_ONCE) return
  }
}
