/** A look at the event store on ClickHouse that changes nothing. */
import { StoreUnavailable } from '../../lib/errors.ts'
import { MINUTE, SECOND } from '../../lib/time/time.ts'
import type { EventStore } from '../../model/events/event.ts'
import { highestSeq } from './applied-batches.ts'
import { LIMITS, partsOf } from './parts.ts'
import { connect, type Servers } from './server/client.ts'
import { failureOf } from './server/failures.ts'
import { readClickhouseUrl } from './server/read-url.ts'
import { readStamp } from './store-stamp.ts'
import { text } from './values/literal.ts'

export type InspectedEvents = Pick<EventStore, 'stamp' | 'highestSeq' | 'close'>

/** Null when there is no store yet. */
export async function inspectClickhouse(url: string): Promise<InspectedEvents | null> {
  const servers = await connect(readClickhouseUrl(url))
  const parts = partsOf(servers, LIMITS)
  try {
    const [[exists] = []] = await servers.rows('EXISTS TABLE installation')
    if (Number(exists) === 1)
      return { stamp: () => readStamp(parts), highestSeq: () => highestSeq(parts), close: () => servers.close() }
  } catch (error) {
    await servers.close()
    throw error
  }
  await servers.close()
  return null
}

export interface ClickhouseReport {
  versions: string[]
  /** A part of a sentence; null: none. */
  problem: string | null
}

const MAX_CLOCK_DIFFERENCE = MINUTE

async function problemOf(servers: Servers, now: number): Promise<string | null> {
  const { cluster, nodes } = servers.address
  const clocks = await servers.rowsOfEach('SELECT toUnixTimestamp(now())')
  const furthest = Math.max(...clocks.map(([seconds]) => Math.abs(Number(seconds) * SECOND - now)))
  if (furthest > MAX_CLOCK_DIFFERENCE)
    return `the clock of a server differs from this machine’s by ${Math.round(furthest / SECOND)} seconds`
  if (cluster === null) return null
  const [[count] = []] = await servers.rows(`SELECT count() FROM system.clusters WHERE cluster = ${text(cluster)}`)
  if (Number(count) === 0) return `there is no cluster ${cluster}`
  return Number(count) === nodes.length
    ? null
    : `the cluster ${cluster} has ${count} nodes, but HEDGEROW_EVENTS_URL names ${nodes.length}; all must be named`
}

export async function reportClickhouse(url: string, now: number): Promise<ClickhouseReport> {
  const servers = await connect(readClickhouseUrl(url))
  try {
    const versions = await servers.rowsOfEach('SELECT version()')
    return {
      versions: [...new Set(versions.map(([version]) => String(version)))],
      problem: await problemOf(servers, now),
    }
  } catch (error) {
    return { versions: [], problem: failureOf(error instanceof StoreUnavailable ? error.cause : error).words }
  } finally {
    await servers.close()
  }
}
