/**
 * The rows of a store that nobody changes meanwhile, page by page, for a copy into another engine. Events come project by
 * project in the order of their instants. What the rows of a page are is found by narrow columns first, as properties take
 * most of the store.
 */
import { formatUuid } from '../../../lib/ids.ts'
import {
  type EventsWalk,
  type MovedEvent,
  type MovedId,
  type MovedPage,
  type MovedPerson,
  type MovedRows,
  ROWS_AT_ONCE,
  type WalkOptions,
} from '../../copy/moved-rows.ts'
import { inPeriods, NO_SESSION } from '../rows/event-rows.ts'
import { NO_INSTANT, NOT_KNOWN } from '../rows/people-rows.ts'
import { connect, type Row, type Servers } from '../server/client.ts'
import { readClickhouseUrl } from '../server/read-url.ts'
import { instantOf, int, isOneOf } from '../values/literal.ts'
import { propertiesOf } from '../values/property-arrays.ts'

/** Of the properties of one page, unless one event alone has more. */
const BYTES_AT_ONCE = 32_000_000
/** So many events are looked through together for those of a page, unless one day alone has more. */
const WINDOW_EVENTS = 200_000

/** Persons or ids after this number, of a project or a later one. */
type Numbered = [projectId: number, after: string]
type Position = [ts: string, seq: string, place: number]
/** Events after this position, from a day of a project on. */
type Place = [projectId: number, day: number, position: Position]

const LOWEST = String(-(2n ** 63n))

/** Days that are looked through together, the last one included. */
interface Window {
  from: number
  to: number
}

/** SQL of where the events of a page are, in the order of a walk. */
const beyond = ([ts, seq, place]: Position): string =>
  `(ts, seq, place) > (${int(BigInt(ts))}, ${int(BigInt(seq))}, ${int(place)})`
const upTo = ([ts, seq, place]: Position): string =>
  `(ts, seq, place) <= (${int(BigInt(ts))}, ${int(BigInt(seq))}, ${int(place)})`

class ClickhouseWalk implements EventsWalk {
  readonly #servers: Servers
  readonly #options: WalkOptions

  constructor(servers: Servers, options: WalkOptions) {
    this.#servers = servers
    this.#options = options
  }

  async count(kind: keyof MovedRows): Promise<number> {
    const counted = {
      events: 'count()',
      persons: 'uniqExact(project_id, person_id)',
      distinct_ids: 'uniqExact(id_hash)',
    }
    const [[count] = []] = await this.#servers.rows(`SELECT ${counted[kind]} FROM ${kind}`)
    return Number(count)
  }

  pages<K extends keyof MovedRows>(kind: K, from: string | null): AsyncIterable<MovedPage<MovedRows[K]>> {
    const start = from === null ? null : JSON.parse(from)
    const pages = {
      persons: () => this.#persons(start ?? [0, LOWEST]),
      distinct_ids: () => this.#distinctIds(start ?? [0, LOWEST]),
      events: () => this.#events(start),
    }
    return pages[kind]() as unknown as AsyncIterable<MovedPage<MovedRows[K]>>
  }

  close(): Promise<void> {
    return this.#servers.close()
  }

  async #projects(table: keyof MovedRows, from: number): Promise<number[]> {
    const found = await this.#servers.rows(
      `SELECT project_id FROM ${table} WHERE project_id >= ${int(from)} GROUP BY project_id ORDER BY project_id`,
    )
    return found.map(([project]) => Number(project))
  }

  /** The rows of a table in the order of a number, each page with the conditions under which its rows are found. */
  async *#numbered(
    table: 'persons' | 'distinct_ids',
    by: string,
    most: number,
    [project, start]: Numbered,
  ): AsyncGenerator<{ projectId: number; where: string; next: string }> {
    for (const projectId of await this.#projects(table, project)) {
      let last = projectId === project ? start : LOWEST
      for (;;) {
        const rest = `project_id = ${int(projectId)} AND ${by} > ${int(BigInt(last))}`
        const page = `SELECT ${by} AS number FROM ${table} WHERE ${rest} GROUP BY number ORDER BY number LIMIT ${int(most)}`
        const [[count, end] = []] = await this.#servers.rows(`SELECT count(), max(number) FROM (${page})`)
        if (Number(count) === 0) break
        last = String(end)
        const where = `${rest} AND ${by} <= ${int(BigInt(last))}`
        yield { projectId, where, next: JSON.stringify([projectId, last] satisfies Numbered) }
      }
    }
  }

  async *#persons(start: Numbered): AsyncGenerator<MovedPage<MovedPerson>> {
    for await (const { projectId, where, next } of this.#numbered(
      'persons',
      'person_id',
      ROWS_AT_ONCE.persons,
      start,
    )) {
      const found = await this.#servers.rows(`SELECT person_id, seq, lower(hex(uuid)), created_at, updated_at,
        last_seen_at, is_identified, deleted, keys, vals FROM persons WHERE ${where} ORDER BY person_id, seq`)
      const newest = new Map(found.map((row) => [row[0], row]))
      yield { rows: [...newest.values()].map((row) => toPerson(projectId, row)), next }
    }
  }

  async *#distinctIds(start: Numbered): AsyncGenerator<MovedPage<MovedId>> {
    for await (const { projectId, where, next } of this.#numbered(
      'distinct_ids',
      'id_hash',
      ROWS_AT_ONCE.distinct_ids,
      start,
    )) {
      const found = await this.#servers.rows(
        `SELECT distinct_id, seq, person_id FROM distinct_ids WHERE ${where} ORDER BY id_hash, seq`,
      )
      const newest = new Map(found.map((row) => [row[0], row]))
      yield { rows: [...newest.values()].map((row) => toId(projectId, row)), next }
    }
  }

  async *#events(start: Place | null): AsyncGenerator<MovedPage<MovedEvent>> {
    for (const projectId of await this.#projects('events', start?.[0] ?? 0)) {
      const from = start !== null && start[0] === projectId ? start : null
      for (const window of await this.#windows(projectId, from?.[1] ?? null)) {
        // Days before the one that was reached are not among the windows, so the first may be that of the start.
        yield* this.#eventsOf(projectId, window, from)
      }
    }
  }

  /** From a day on, the first of a window. */
  async #windows(projectId: number, from: number | null): Promise<Window[]> {
    const days = await this.#servers.rows(`SELECT day, count() FROM events WHERE project_id = ${int(projectId)}
      ${from === null ? '' : `AND day >= ${int(from)}`} GROUP BY day ORDER BY day`)
    const windows: Window[] = []
    let rows = Number.POSITIVE_INFINITY
    for (const [day, count] of days.map(([day, count]) => [Number(day), Number(count)] as const)) {
      const last = windows.at(-1)
      if (last !== undefined && rows + count <= WINDOW_EVENTS) last.to = day
      else {
        windows.push({ from: day, to: day })
        rows = 0
      }
      rows += count
    }
    return windows
  }

  async *#eventsOf(projectId: number, window: Window, from: Place | null): AsyncGenerator<MovedPage<MovedEvent>> {
    const days = `project_id = ${int(projectId)} AND ${inPeriods(window.from, window.to)}
      AND day >= ${int(window.from)} AND day <= ${int(window.to)}`
    let rest = from === null ? days : `${days} AND ${beyond(from[2])}`
    for (;;) {
      const positions = await this.#servers.rows(`SELECT ts, seq, place, size FROM events WHERE ${rest}
        ORDER BY ts, seq, place LIMIT ${int(ROWS_AT_ONCE.events)}`)
      const last = lastOf(positions)
      if (last === undefined) return
      const rows = await this.#eventsWhere(projectId, `${rest} AND ${upTo(last)}`)
      rest = `${days} AND ${beyond(last)}`
      yield { rows, next: JSON.stringify([projectId, window.from, last] satisfies Place) }
    }
  }

  async #eventsWhere(projectId: number, where: string): Promise<MovedEvent[]> {
    const found = await this.#servers.rows(`SELECT seq, place, ts, event, distinct_id, lower(hex(uuid)),
      lower(hex(session_id)), keys, vals, id_hash, actor FROM events WHERE ${where} ORDER BY ts, seq, place`)
    const owners = this.#options.owners === 'current' ? await this.#ownersOf(projectId, found) : null
    return found.map((row) => {
      const [idHash, actor] = [row[9] as string, row[10] as string]
      const owner = owners === null ? (actor === idHash ? 0 : Number(actor)) : (owners.get(idHash) ?? 0)
      return toEvent(projectId, row, owner === 0 ? null : owner)
    })
  }

  async #ownersOf(projectId: number, rows: Row[]): Promise<Map<string, number>> {
    const hashes = [...new Set(rows.map((row) => row[9] as string))].map(BigInt)
    const found = await this.#servers.rows(`SELECT id_hash, argMax(person_id, seq) FROM distinct_ids
      WHERE project_id = ${int(projectId)} AND ${isOneOf('id_hash', hashes, int)} GROUP BY id_hash`)
    return new Map(found.map(([hash, owner]) => [hash as string, Number(owner)]))
  }
}

/** Of the positions of a page, as many as may be held at once, the last. */
function lastOf(positions: Row[]): Position | undefined {
  let bytes = 0
  const end = positions.findIndex((row, index) => {
    bytes += Number(row[3])
    return index > 0 && bytes > BYTES_AT_ONCE
  })
  const last = end === -1 ? positions.at(-1) : positions[end - 1]
  return last && [String(last[0]), String(last[1]), Number(last[2])]
}

const jsonOf = (keys: unknown, values: unknown): string =>
  JSON.stringify(propertiesOf(keys as string[], values as string[]))

const instantOrNull = (micros: unknown): number | null =>
  BigInt(micros as string) === NO_INSTANT ? null : instantOf(micros as string)

function toPerson(projectId: number, row: Row): MovedPerson {
  const [personId, seq, uuid, createdAt, updatedAt, lastSeenAt, isIdentified, deleted, keys, values] = row
  return {
    projectId,
    personId: Number(personId),
    seq: Number(seq),
    uuid: formatUuid(uuid as string),
    properties: jsonOf(keys, values),
    createdAt: instantOf(createdAt as string),
    updatedAt: instantOrNull(updatedAt),
    lastSeenAt: instantOrNull(lastSeenAt),
    isIdentified: Number(isIdentified) === NOT_KNOWN ? null : Number(isIdentified) === 1,
    deleted: Number(deleted) === 1,
  }
}

const toId = (projectId: number, [distinctId, seq, personId]: Row): MovedId => ({
  projectId,
  distinctId: distinctId as string,
  personId: Number(personId) === 0 ? null : Number(personId),
  seq: Number(seq),
})

function toEvent(projectId: number, row: Row, personId: number | null): MovedEvent {
  const [seq, place, ts, event, distinctId, uuid, session, keys, values] = row
  const sessionId = formatUuid(session as string)
  return {
    projectId,
    seq: Number(seq),
    place: Number(place),
    timestamp: instantOf(ts as string),
    event: event as string,
    distinctId: distinctId as string,
    uuid: formatUuid(uuid as string),
    sessionId: sessionId === NO_SESSION ? null : sessionId,
    properties: jsonOf(keys, values),
    personId,
  }
}

export const walkClickhouse = async (url: string, options: WalkOptions): Promise<EventsWalk> =>
  new ClickhouseWalk(await connect(readClickhouseUrl(url)), options)
