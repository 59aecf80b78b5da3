/**
 * Checks at each start, before anything is written, whether the stores of a data folder belong together. All carry the
 * installation's id. The progress of each:
 *
 * - The SQL store knows the highest `seq` it assigned and the highest that left its outbox; the event store the highest
 *   it applied. A batch is applied durably before its row leaves the outbox, and its seq is assigned durably before it
 *   is applied, so that relayed ≤ applied ≤ assigned holds after every crash: a store that breaks it is an older copy.
 * - SQL and blob store count the starts, the blob store first, so it is never behind and at most one ahead. The bytes
 *   of the recordings that grew last must exist: they are stored before their row.
 *
 * Other processes may write meanwhile. So what the SQL store has come to is read before the other stores, for what must not
 * be ahead of them, and after them, for what they must not be ahead of. One start at a time (see open.ts).
 *
 * A mismatch stops the start with a message, unless the operator has accepted the loss. Stores of a version without
 * this check are stamped once, and a store that nothing is missing from is stamped when it is new.
 */
import { OperatorError } from '../lib/errors.ts'
import type { BlobStore } from '../model/blob.ts'
import type { EventStore } from '../model/events/event.ts'
import type { Installation, NewestBlock, StoreStamp } from '../model/installation.ts'
import type { SqlStores, SqlWriters } from '../model/stores.ts'

export interface InstallationStores {
  sql: Pick<SqlStores, 'installation' | 'transaction'>
  events: Pick<EventStore, 'stamp' | 'setStamp' | 'highestSeq'>
  blobs: Pick<BlobStore, 'stamp' | 'setStamp' | 'read'>
}

/** What a look at them needs. */
export interface ReadableStores {
  sql: Pick<SqlStores, 'installation'>
  events: Pick<EventStore, 'stamp' | 'highestSeq'>
  blobs: Pick<BlobStore, 'stamp' | 'read'>
}

/** What is done about a loss that the operator has accepted. */
export interface LossAccepted {
  /** Records what was lost, in a transaction. */
  record(tx: SqlWriters, losses: string[]): Promise<void>
  /** Called after its commit. */
  recorded(losses: string[]): void
}

/** Number of recordings whose last bytes are checked. */
const LOOKED_AT = 10

const REMEDY =
  'Put back the files that belong together, or start once with "hedgerow serve --accept-loss" to go on without what is missing.'

const FOREIGN = (store: string) => `The ${store} belongs to another installation than the SQL store.`
const SQL_OLDER = (store: string) => `The SQL store is an older copy: the ${store} has come further.`

/** The SQL store before the others were looked at; `lastSeq` and `mostStarts` are those of after that. */
type Own = Installation & { mostStarts: number }

/** What is wrong with the event store; null: nothing. `highest` is the highest seq in it. */
function eventsProblem(own: Own, stamp: StoreStamp | null, highest: number): string | null {
  const store = 'event store'
  if (stamp === null) {
    if (highest > own.lastSeq) return SQL_OLDER(store)
    if (own.handedSeq === 0) return null
    if (highest === 0) return `The ${store} is new and empty, but changes up to ${own.handedSeq} were handed on to one.`
    if (!own.isStamped) return null
    return `The ${store} is an older copy: it has changes up to ${highest}, but is without this installation’s id.`
  }
  if (stamp.id !== own.id) return FOREIGN(store)
  if (stamp.reached > own.lastSeq) return SQL_OLDER(store)
  if (stamp.reached >= own.handedSeq) return null
  return `The ${store} is an older copy: it has changes up to ${stamp.reached}, but ${own.handedSeq} were handed on to it.`
}

function blobsProblem(own: Own, stamp: StoreStamp | null, newest: NewestBlock[]): string | null {
  const store = 'folder of recordings'
  if (stamp !== null && stamp.id !== own.id) return FOREIGN(store)
  if (stamp !== null && stamp.reached > own.mostStarts + 1) return SQL_OLDER(store)
  // Without recordings nothing can be missing.
  if (newest.length === 0) return null
  if (stamp === null) return own.isStamped ? `The ${store} is new, but there are recordings.` : null
  return stamp.reached < own.starts ? `The ${store} is an older copy.` : null
}

async function findMissing({ blobs }: ReadableStores, newest: NewestBlock[]): Promise<NewestBlock | null> {
  for (const block of newest) {
    if ((await blobs.read(block.blobKey, block.offset, block.length)) === null) return block
  }
  return null
}

/** Looked for twice: another process may have joined the bytes of a recording in between. */
async function missingBytes(stores: ReadableStores, newest: NewestBlock[], lostUntil: number): Promise<string | null> {
  if ((await findMissing(stores, newest)) === null) return null
  const missing = await findMissing(stores, await stores.sql.installation.newestBlocks(lostUntil, LOOKED_AT))
  return missing && `Bytes of recordings are missing, such as those of the session ${missing.sessionId}.`
}

/** What is wrong with a store; null: nothing. */
export interface Mismatches {
  events: string | null
  blobs: string | null
}

interface Compared extends Mismatches {
  own: Own
  newest: NewestBlock[]
  stamp: StoreStamp | null
}

/** Changes nothing. */
async function compare(stores: ReadableStores): Promise<Compared> {
  const { sql, events, blobs } = stores
  const before = await sql.installation.find()
  const newest = await sql.installation.newestBlocks(before.blobsLostUntil, LOOKED_AT)
  const stamp = await events.stamp()
  const highest = stamp === null ? await events.highestSeq() : 0
  const blobStamp = await blobs.stamp()
  const { lastSeq, starts: mostStarts } = await sql.installation.find()
  const own = { ...before, lastSeq, mostStarts }
  const ofBlobs = blobsProblem(own, blobStamp, newest) ?? (await missingBytes(stores, newest, own.blobsLostUntil))
  return { own, newest, stamp, events: eventsProblem(own, stamp, highest), blobs: ofBlobs }
}

export async function findMismatches(stores: ReadableStores): Promise<Mismatches> {
  const { events, blobs } = await compare(stores)
  return { events, blobs }
}

/**
 * The log entry is written first: after a crash at this point the mismatch still exists and has to be accepted again.
 */
async function acceptLoss(
  { sql, events }: InstallationStores,
  losses: string[],
  newest: NewestBlock[],
  accepted: LossAccepted,
): Promise<void> {
  const highest = Math.max(await events.highestSeq(), (await events.stamp())?.reached ?? 0)
  await sql.transaction(async (tx) => {
    await accepted.record(tx, losses)
    // What is written from now on must have a higher seq than anything in the event store.
    await tx.installation.raiseSeq(highest)
    await tx.installation.acceptLostBlobs(Math.max(0, ...newest.map(({ lastIngestAt }) => lastIngestAt)))
  })
  accepted.recorded(losses)
}

/** `lossAccepted`: null when the operator has accepted none. */
export async function checkInstallation(stores: InstallationStores, lossAccepted: LossAccepted | null): Promise<void> {
  const { sql, events, blobs } = stores
  const { own, newest, stamp, ...mismatches } = await compare(stores)
  const problems = [mismatches.events, mismatches.blobs].filter((problem) => problem !== null)
  if (problems.length > 0) {
    if (lossAccepted === null) throw new OperatorError(`${problems.join(' ')} ${REMEDY}`)
    await acceptLoss(stores, problems, newest, lossAccepted)
  }
  const { id, handedSeq, starts } = own
  if (problems.length > 0 || stamp === null) await events.setStamp({ id, reached: handedSeq })
  await blobs.setStamp({ id, reached: starts + 1 })
  await sql.transaction((tx) => tx.installation.stamped(starts + 1))
}
