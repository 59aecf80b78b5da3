/**
 * The stores that are copied. Nobody else may use them meanwhile. What waits in the outbox is applied first if the events are
 * copied: the target then needs no row of it. What the event store refuses is parked, and copied as that.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../../lib/errors.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { SECOND } from '../../lib/time/time.ts'
import type { BlobStore } from '../../model/blob.ts'
import type { Installation } from '../../model/installation.ts'
import type { SqlStores } from '../../model/stores.ts'
import { refuseHalfRestored } from '../backup/put-in-place.ts'
import { findMismatches } from '../check-installation.ts'
import { type AllStoresConfig, hasSql, type OpenEngine, openBlobs, openEngine } from '../open.ts'
import { type OpenEvents, openEvents } from '../open-events.ts'
import { tryReadContent } from '../outbox/batch-text.ts'
import { Relay } from '../outbox/relay.ts'
import { refuseHalfCopied } from '../sql/copy/copy-tables.ts'
import { migrate } from '../sql/migrate.ts'
import { sqlStores } from '../sql/sql-stores.ts'

export interface CopySource {
  config: AllStoresConfig
  engine: OpenEngine
  blobs: BlobStore
  installation: Installation
  /** How far its event store has come. */
  applied: number
  /** The same as long as nothing has changed. */
  state: string
  /** By `seq`: places of events that are parked. */
  takenPlaces: Map<number, number>
  close(): Promise<void>
}

const PAUSE_MS = SECOND
/** Rows that a server was applying when it was killed are its own for a minute. */
const MOST_PAUSES = 180

async function drain(sql: SqlStores, { events, rows }: OpenEvents, say: (line: string) => void): Promise<void> {
  const relay = new Relay({
    rows,
    change: (work) => sql.transaction((tx) => work(tx.outbox)),
    events,
    clock: systemClock,
    gone: () => {},
    parked: (batches, error) => say(`The event store refuses ${batches} batches, which are parked: ${error}`),
  })
  await rows.tidy()
  const waiting = (await sql.outbox.pending()).length
  if (waiting > 0) say(`${waiting} batches of the outbox are applied first.`)
  let left = waiting
  for (let pauses = 0; left > 0; pauses++) {
    const { refusal } = await relay.run(new AbortController().signal)
    const now = (await sql.outbox.pending()).length
    if (now === 0) return
    if (now < left) pauses = 0
    if (pauses >= MOST_PAUSES)
      throw new OperatorError(
        `The event store does not take what waits in the outbox${refusal === null ? '' : `: ${(refusal as Error).message}`}. Start the server, wait until "hedgerow doctor" finds nothing, stop it and copy again.`,
      )
    left = now
    await sleep(PAUSE_MS)
  }
}

const AT_ONCE = 50

/** One more than the highest place that a parked event has in its batch. */
async function placesOfParked({ transaction }: SqlStores): Promise<Map<number, number>> {
  const taken = new Map<number, number>()
  for (let after = ''; ; ) {
    const found = await transaction((tx) => tx.outbox.parkedTexts({ after, limit: AT_ONCE }))
    for (const { seq, text } of found) {
      const content = tryReadContent(text)
      const places = content?.places ?? content?.events.map((_, place) => place) ?? []
      taken.set(seq, Math.max(taken.get(seq) ?? 0, ...places.map((place) => place + 1)))
    }
    const last = found.at(-1)
    if (last === undefined) return taken
    after = last.id
  }
}

async function refuseMissing(config: AllStoresConfig): Promise<void> {
  if (await hasSql(config)) return
  const [place, setting] =
    config.sqlUrl === null ? [config.dataDir, 'HEDGEROW_DATA_DIR'] : ['the database', 'HEDGEROW_SQL_URL']
  throw new OperatorError(`There is no store to copy in ${place}. Is ${setting} right?`)
}

/** Whether each store is what the SQL store knows; what waits is applied. */
async function settle(
  config: AllStoresConfig,
  sql: SqlStores,
  blobs: BlobStore,
  drained: ((line: string) => void) | null,
): Promise<number> {
  const opened = await openEvents(config, sql, { clock: systemClock })
  try {
    const problems = await findMismatches({ sql, events: opened.events, blobs })
    const problem = problems.events ?? problems.blobs
    if (problem !== null) throw new OperatorError(`${problem} "hedgerow doctor" tells more; nothing was copied.`)
    if (drained !== null) await drain(sql, opened, drained)
    return (await opened.events.stamp())?.reached ?? (await opened.events.highestSeq())
  } finally {
    await opened.events.close()
  }
}

/** The folder is locked already. `drained` is told what is done about the outbox; null: it is copied as it is. */
export async function openSource(
  config: AllStoresConfig,
  drained: ((line: string) => void) | null,
): Promise<CopySource> {
  await refuseMissing(config)
  refuseHalfRestored(config.dataDir)
  const engine = await openEngine(config, { displaced: () => {} })
  try {
    await refuseHalfCopied(engine)
    await migrate(engine)
    const sql = sqlStores({ engine, scans: engine.scans, committed: () => {} })
    const blobs = await openBlobs(config)
    const applied = await settle(config, sql, blobs, drained)
    const installation = await sql.installation.find()
    const { id, starts, lastSeq, handedSeq } = installation
    return {
      config,
      engine,
      blobs,
      installation,
      applied,
      state: JSON.stringify({ id, starts, lastSeq, handedSeq }),
      takenPlaces: await placesOfParked(sql),
      close: () => engine.close(),
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}
