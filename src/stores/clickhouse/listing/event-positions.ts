/** Finds the positions of one page of events, reading only the columns that the filter needs. */
import { systemClock } from '../../../lib/time/clock.ts'
import type { EventPageRequest } from '../../../model/events/event.ts'
import { eventsWithOwners } from '../actors/owners.ts'
import type { Reading } from '../parts.ts'
import { instant, int } from '../values/literal.ts'
import type { EventConditions } from './event-filter.ts'
import { type Direction, eventWithin, momentWithin, type TimeRange, windowsOf } from './time-windows.ts'

/** Where an event is: what the order of the table knows of it, and what distinguishes it. */
export interface Position {
  event: string
  /** Integers as they stand in SQL. */
  idHash: bigint
  ts: bigint
  seq: bigint
  place: number
  /** Of its properties, in bytes. */
  size: number
}

export interface Search {
  projectId: number
  conditions: EventConditions
  /** All that may be found is in it. */
  range: TimeRange
  from: EventPageRequest['from']
  /** At most so many. */
  wanted: number
}

const COLUMNS = 'event, id_hash, ts, seq, place, size'

const directionOf = ({ from }: Pick<Search, 'from'>): Direction => from?.direction ?? 'older'

/** SQL of the order of a list that goes this way. */
export const orderOf = (direction: Direction): string =>
  ['ts', 'seq', 'place'].map((column) => (direction === 'older' ? `${column} DESC` : column)).join(', ')

/** SQL of whether an event is beyond the one that the page begins at. */
function isBeyond({ from }: Search): string[] {
  if (!from) return []
  const { timestamp, seq, place } = from.position
  const sign = from.direction === 'older' ? '<' : '>'
  return [`(ts, seq, place) ${sign} (${instant(timestamp)}, ${int(seq)}, ${int(place)})`]
}

function searchSql(search: Search, range: TimeRange, wanted: number): string {
  const { projectId, conditions } = search
  const within = conditions.isOfMoments ? momentWithin(range) : eventWithin(range)
  const narrow = [...conditions.narrow, within, ...isBeyond(search)].join(' AND ')
  const source = conditions.readsOwners ? eventsWithOwners(projectId) : 'events'
  const wide = conditions.wide.length === 0 ? '' : `WHERE ${conditions.wide.join(' AND ')}`
  return `SELECT ${COLUMNS} FROM ${conditions.isOfMoments ? 'moments' : source} PREWHERE ${narrow} ${wide}
    ORDER BY ${orderOf(directionOf(search))} LIMIT ${int(wanted)}`
}

/** In the order of the search: as many as are wanted, fewer only when there are no more. */
export async function positionsOf({ rows }: Reading, search: Search): Promise<Position[]> {
  const positions: Position[] = []
  // What is ordered by id is found at once.
  const windows = search.conditions.isOfMoments
    ? [search.range]
    : windowsOf(search.range, directionOf(search), systemClock.now())
  for (const window of windows) {
    const left = search.wanted - positions.length
    if (left === 0) break
    for (const [event, idHash, ts, seq, place, size] of await rows(searchSql(search, window, left))) {
      positions.push({
        event: event as string,
        idHash: BigInt(idHash as string),
        ts: BigInt(ts as string),
        seq: BigInt(seq as string),
        place: Number(place),
        size: Number(size),
      })
    }
  }
  return positions
}
