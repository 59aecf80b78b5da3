/** One person's events, found by the numbers of its distinct ids: `moments` is ordered by them. */
import { formatUuid } from '../../lib/ids.ts'
import type { EventMoment, TimelineQuery } from '../../model/events/event.ts'
import { idHash } from '../id-hash.ts'
import { momentWithin } from './listing/time-windows.ts'
import type { Reading } from './parts.ts'
import type { Row } from './server/client.ts'
import { instantOf, int, isOneOf, microsOf, text } from './values/literal.ts'

/** SQL of whether a row has one of these ids, by the number, which the tables' order knows. */
export const hasIdNumber = (projectId: number, distinctIds: string[]): string =>
  isOneOf('id_hash', [...new Set(distinctIds.map((id) => idHash(projectId, id)))], int)

/** SQL of a project's moments under these ids. */
const momentsOf = (projectId: number, distinctIds: string[]): string =>
  `FROM moments WHERE project_id = ${int(projectId)} AND ${hasIdNumber(projectId, distinctIds)}
    AND ${isOneOf('distinct_id', distinctIds, text)}`

const toMoment = ([uuid, ts]: Row): EventMoment => ({
  uuid: formatUuid(uuid as string),
  timestamp: instantOf(ts as string),
})

export async function timeline({ rows }: Reading, query: TimelineQuery): Promise<EventMoment[]> {
  const { projectId, distinctIds, events, from, to } = query
  const named = events === null ? '' : `AND ${isOneOf('event', events, text)}`
  const sql = `SELECT lower(hex(uuid)), ts ${momentsOf(projectId, distinctIds)} ${named}
      AND ${momentWithin({ from: microsOf(from), to: microsOf(to) + 1n })}
    ORDER BY ts, seq, place`
  return (await rows(sql)).map(toMoment)
}

export async function firstEventAt(
  { rows }: Reading,
  projectId: number,
  distinctIds: string[],
): Promise<number | null> {
  const [[count, first] = []] = await rows(`SELECT count(), min(ts) ${momentsOf(projectId, distinctIds)}`)
  return Number(count) === 0 ? null : instantOf(first as string)
}
