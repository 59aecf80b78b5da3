/**
 * Ids whose owner may be another one than their events say. Whenever an id gets an owner, that is stored here too, as a
 * *fresh* row; so questions join these rows to events, and no others. Now and then fresh rows go (settle-overrides.ts): those
 * of ids with events of another than the owner stay, as *kept* ones. Of several rows of an id the highest `seq` counts.
 *
 * `settled` is the highest `seq` of which fresh rows may have gone. Who stores a batch that knows less reads it when the rows
 * are stored, and looks up the owners of its ids by itself; who settles writes it before looking at events. So at least one of
 * the two sees the other's rows. Once a night kept rows are written into the events (fold-overrides.ts).
 */

import { idHash } from '../../id-hash.ts'
import type { WrittenContent } from '../../outbox/batch-text.ts'
import type { Storing } from '../server/client.ts'
import { int, isOneOf } from '../values/literal.ts'
import { RowWriter } from '../values/row-binary.ts'

const COLUMNS = ['project_id', 'id_hash', 'is_kept', 'seq', 'actor'] as const

export interface Override {
  projectId: number
  idHash: bigint
  /** Of the change that gave the id its owner. */
  seq: bigint
  /** The person, or the number of an id that is nobody's. */
  actor: bigint
}

/** In `is_kept`: a fresh row, or any other number for a kept one. */
const FRESH = 0

export async function insertOverrides(servers: Storing, rows: Override[], mark: number): Promise<void> {
  if (rows.length === 0) return
  const out = new RowWriter()
  for (const { projectId, idHash: hash, seq, actor } of rows) {
    out.uint32(projectId)
    out.int64(hash)
    out.uint8(mark)
    out.int64(seq)
    out.int64(actor)
  }
  await servers.insert('overrides', COLUMNS, out.bytes())
}

/** Of the table `settled`: the highest change of which fresh rows may have gone, and how often kept ones were folded. */
const NOTES = { settled: 0, folds: 1 }

interface Notes {
  settled: number
  folds: number
}

export async function readNotes(servers: Storing): Promise<Notes> {
  const rows = (await servers.rows('SELECT one, max(seq) FROM settled GROUP BY one')) as [number, string][]
  const highest = new Map(rows.map(([note, number]) => [note, Number(number)]))
  return { settled: highest.get(NOTES.settled) ?? 0, folds: highest.get(NOTES.folds) ?? 0 }
}

async function write(servers: Storing, note: keyof Notes, number: bigint): Promise<void> {
  const out = new RowWriter()
  out.uint8(NOTES[note])
  out.int64(number)
  await servers.insert('settled', ['one', 'seq'], out.bytes())
}

/** Up to this change overrides may be missing that owners given by then would need. */
export const noteSettled = (servers: Storing, seq: bigint): Promise<void> => write(servers, 'settled', seq)

export const noteFolds = (servers: Storing, folds: number): Promise<void> => write(servers, 'folds', BigInt(folds))

const MOST_MARKS = 255

/** What rows that are kept now have in `is_kept`: after each fold another number, so that it can tell them apart. */
export const markOfKept = ({ folds }: Pick<Notes, 'folds'>): number => 1 + (folds % MOST_MARKS)

type Batch = WrittenContent & { seq: number }

/** What batches say of owners. */
const givenOwners = (batches: Batch[]): Override[] =>
  batches.flatMap(({ seq, distinctIds }) =>
    distinctIds.map(({ projectId, distinctId, personId }) => {
      const hash = idHash(projectId, distinctId)
      return { projectId, idHash: hash, seq: BigInt(seq), actor: personId === null ? hash : BigInt(personId) }
    }),
  )

/** What batches say of owners, for all questions until it is settled. Of what is, the newest owners are looked up later. */
export async function insertFresh(servers: Storing, batches: Batch[]): Promise<void> {
  if (batches.every(({ distinctIds }) => distinctIds.length === 0)) return
  const { settled } = await readNotes(servers)
  await insertOverrides(servers, givenOwners(batches.filter(({ seq }) => seq > settled)), FRESH)
}

/** An id of a batch, and who did its events, as far as the batch says so. */
interface UsedId {
  projectId: number
  idHash: bigint
  actors: Set<bigint>
  /** Whether the batch gives it an owner. */
  isGiven: boolean
}

/** Up to which change a batch knows the owners of its ids. */
const knownUpTo = ({ seq, ownersAt }: Batch): number => Math.min(seq - 1, ownersAt ?? seq - 1)

/** The ids of batches, once each. */
class UsedIds {
  readonly #ids = new Map<bigint, UsedId>()

  get all(): UsedId[] {
    return [...this.#ids.values()]
  }

  use(projectId: number, distinctId: string): UsedId {
    const hash = idHash(projectId, distinctId)
    const used = this.#ids.get(hash) ?? { projectId, idHash: hash, actors: new Set(), isGiven: false }
    this.#ids.set(hash, used)
    return used
  }
}

/** The ids of batches that may not know their owners, once up to so many changes are settled. */
function uncertainIds(batches: Batch[], settled: number): UsedId[] {
  const ids = new UsedIds()
  for (const batch of batches) {
    const isLate = settled > knownUpTo(batch)
    for (const { projectId, distinctId, personId } of batch.events) {
      // One of a version that did not say is as good as late.
      if (!isLate && personId !== undefined) continue
      const { actors, idHash: hash } = ids.use(projectId, distinctId)
      actors.add(BigInt(personId ?? hash))
    }
    if (isLate) for (const { projectId, distinctId } of batch.distinctIds) ids.use(projectId, distinctId).isGiven = true
  }
  return ids.all
}

async function ownersOf(servers: Storing, ids: UsedId[]): Promise<Map<bigint, Override>> {
  const projects = [...new Set(ids.map(({ projectId }) => projectId))]
  const hashes = ids.map(({ idHash: hash }) => hash)
  const rows = await servers.rows(`SELECT project_id, id_hash, max(seq), argMax(person_id, seq) FROM distinct_ids
    WHERE ${isOneOf('project_id', projects, int)} AND ${isOneOf('id_hash', hashes, int)} GROUP BY project_id, id_hash`)
  const owners = (rows as [number, string, string, string][]).map(([projectId, hash, seq, person]): Override => {
    const [idHash, personId] = [BigInt(hash), BigInt(person)]
    return { projectId, idHash, seq: BigInt(seq), actor: personId === 0n ? idHash : personId }
  })
  return new Map(owners.map((owner) => [owner.idHash, owner]))
}

/**
 * After rows of batches were stored: overrides those ids of which the batches may have known too little. An id may get another
 * owner at the same time, of which only the lower number would be known here; so it is looked again.
 */
export async function overrideUncertain(servers: Storing, batches: Batch[]): Promise<void> {
  const notes = await readNotes(servers)
  let ids = uncertainIds(batches, notes.settled)
  const stored = new Map<bigint, bigint>()
  while (ids.length > 0) {
    const owners = await ownersOf(servers, ids)
    ids = ids.filter(({ idHash: hash, actors, isGiven }) => {
      const owner = owners.get(hash)
      if (!owner || stored.get(hash) === owner.seq) return false
      return isGiven || stored.has(hash) || [...actors].some((actor) => actor !== owner.actor)
    })
    const rows = ids.map(({ idHash: hash }) => owners.get(hash) as Override)
    await insertOverrides(servers, rows, markOfKept(notes))
    for (const { idHash: hash, seq } of rows) stored.set(hash, seq)
  }
}
