/**
 * The rows of a store that is not open, page by page, for a copy into another engine. The file is opened for reading only.
 * Events come in the order in which they were stored. Where an event stood in its batch is not known here: its place is how
 * far it is from the first of the same `seq`.
 */
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'
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
import { CATALOG, IN_MEMORY } from '../database.ts'
import { rejoinTexts } from '../listing/rejoin-texts.ts'
import { int } from '../values/literal.ts'

/** Parts of long texts of one page, each of 8,192 characters at most. */
const PARTS_AT_ONCE = 4_000
const HASHES = 2 ** 32

const OWNERS = 'owners'
const EVENT_COLUMNS =
  'project_id, seq, ord, ts, event, distinct_hash, distinct_id, uuid, session_id, properties, long_id'

type Cells = DuckDBValue[]

class DuckdbWalk implements EventsWalk {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #options: WalkOptions

  constructor(instance: DuckDBInstance, connection: DuckDBConnection, options: WalkOptions) {
    this.#instance = instance
    this.#connection = connection
    this.#options = options
  }

  async count(kind: keyof MovedRows): Promise<number> {
    const key = { persons: 'project_id, person_id', distinct_ids: 'project_id, distinct_hash, distinct_id' }
    if (kind === 'events') return this.#number('SELECT count(*) FROM events')
    return this.#number(`SELECT count(*) FROM (SELECT DISTINCT ${key[kind]} FROM ${bothOf(kind)})`)
  }

  pages<K extends keyof MovedRows>(kind: K, from: string | null): AsyncIterable<MovedPage<MovedRows[K]>> {
    const start = from === null ? null : (JSON.parse(from) as number)
    const pages = {
      persons: () => this.#persons(start ?? 0),
      distinct_ids: () => this.#distinctIds(start ?? 0),
      events: () => this.#events(start ?? 0),
    }
    return pages[kind]() as unknown as AsyncIterable<MovedPage<MovedRows[K]>>
  }

  async close(): Promise<void> {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }

  async #rows(sql: string): Promise<Cells[]> {
    return (await this.#connection.runAndReadAll(sql)).getRows()
  }

  async #number(sql: string): Promise<number> {
    return Number((await this.#rows(sql))[0]?.[0] ?? 0)
  }

  /** The number that the last row of the next page has: of as many as may be held at once, with their long texts. */
  async #pageEnd(from: string, by: string, after: number, most: number): Promise<number | null> {
    for (let rows = most; ; rows = Math.ceil(rows / 2)) {
      const page = `SELECT DISTINCT ${by} AS number FROM ${from} WHERE ${by} > ${int(after)} ORDER BY 1 LIMIT ${int(rows)}`
      const [[end] = []] = await this.#rows(`SELECT max(number)::DOUBLE FROM (${page})`)
      if (typeof end !== 'number') return null
      const long = `SELECT long_id FROM ${from} WHERE ${by} > ${int(after)} AND ${by} <= ${int(end)} AND long_id IS NOT NULL`
      const parts = await this.#number(`SELECT count(*) FROM long_texts WHERE id IN (${long})`)
      if (rows === 1 || parts <= PARTS_AT_ONCE) return end
    }
  }

  /** Reads the long texts under these ids. */
  async #longTexts(ids: (DuckDBValue | undefined)[]): Promise<TextOf> {
    const long = ids.filter((id) => typeof id === 'bigint')
    const found = long.length === 0 ? [] : await this.#rows(rejoinTexts(long))
    const texts = new Map(found.map(([id, text]) => [id as bigint, text as string]))
    return (properties, longId) => {
      const text = longId === null ? properties : texts.get(longId as bigint)
      if (typeof text !== 'string') throw new Error(`The long text ${longId} is missing in the event store.`)
      return text
    }
  }

  async *#persons(start: number): AsyncGenerator<MovedPage<MovedPerson>> {
    for (let after = start; ; ) {
      const end = await this.#pageEnd(bothOf('persons'), 'person_id', after, ROWS_AT_ONCE.persons)
      if (end === null) return
      const rows = await this.#rows(`WITH page AS MATERIALIZED (
          SELECT * FROM ${bothOf('persons')} WHERE person_id > ${int(after)} AND person_id <= ${int(end)}
          QUALIFY row_number() OVER (PARTITION BY project_id, person_id ORDER BY seq DESC) = 1)
        SELECT project_id, person_id::DOUBLE, page.seq::DOUBLE, uuid::VARCHAR, properties, long_id, created_at,
          updated_at, last_seen_at, is_identified, deleted FROM page ORDER BY person_id, project_id`)
      const textOf = await this.#longTexts(rows.map((cells) => cells[5]))
      after = end
      yield { rows: rows.map((cells) => toPerson(cells, textOf)), next: JSON.stringify(end) }
    }
  }

  /** In parts by their hashes, of which there are so many that each has about as many ids. */
  async *#distinctIds(start: number): AsyncGenerator<MovedPage<MovedId>> {
    const parts = Math.ceil(
      (await this.#number(`SELECT count(*) FROM ${bothOf('distinct_ids')}`)) / ROWS_AT_ONCE.distinct_ids,
    )
    const firstOf = (part: number) => Math.ceil((part * HASHES) / parts)
    for (let part = start; part < parts; part++) {
      const rows = await this.#rows(`SELECT project_id, distinct_id, person_id::DOUBLE, seq::DOUBLE
        FROM ${bothOf('distinct_ids')}
        WHERE distinct_hash >= ${int(firstOf(part))} AND distinct_hash < ${int(firstOf(part + 1))}
        QUALIFY row_number() OVER (PARTITION BY project_id, distinct_hash, distinct_id ORDER BY seq DESC) = 1`)
      yield { rows: rows.map(toId), next: JSON.stringify(part + 1) }
    }
  }

  async *#events(start: number): AsyncGenerator<MovedPage<MovedEvent>> {
    const isCurrent = this.#options.owners === 'current'
    if (isCurrent) {
      await this.#connection.run(`CREATE OR REPLACE TEMP TABLE ${OWNERS} AS
        SELECT project_id, distinct_hash, distinct_id, arg_max(person_id, seq) AS owner
        FROM (SELECT * REPLACE (coalesce(person_id, -1) AS person_id) FROM ${bothOf('distinct_ids')}) GROUP BY ALL`)
    }
    const owner = isCurrent ? 'nullif(owner, -1)' : 'CASE WHEN actor = id_hash THEN NULL ELSE actor END'
    const owners = isCurrent ? `LEFT JOIN ${OWNERS} USING (project_id, distinct_hash, distinct_id)` : ''
    const columns = isCurrent ? EVENT_COLUMNS : `${EVENT_COLUMNS}, actor, id_hash`
    for (let after = start; ; ) {
      const end = await this.#pageEnd('events', 'ord', after, ROWS_AT_ONCE.events)
      if (end === null) return
      const rows = await this.#rows(`WITH page AS MATERIALIZED (
          SELECT ${columns} FROM events WHERE ord > ${int(after)} AND ord <= ${int(end)}),
        firsts AS (SELECT seq, min(ord) AS first FROM events WHERE seq IN (SELECT seq FROM page) GROUP BY seq)
        SELECT project_id, page.seq::DOUBLE, (ord - first)::DOUBLE, ts, event, page.distinct_id, uuid::VARCHAR,
          session_id::VARCHAR, properties, long_id, (${owner})::DOUBLE
        FROM page JOIN firsts ON firsts.seq = page.seq ${owners} ORDER BY ord`)
      const textOf = await this.#longTexts(rows.map((cells) => cells[9]))
      const { takenPlaces } = this.#options
      after = end
      yield { rows: rows.map((cells) => toEvent(cells, textOf, takenPlaces)), next: JSON.stringify(end) }
    }
  }
}

const bothOf = (table: 'persons' | 'distinct_ids'): string => {
  const columns =
    table === 'persons'
      ? `project_id, person_id, seq, uuid, properties, long_id, created_at, updated_at, last_seen_at, is_identified, deleted`
      : 'project_id, distinct_hash, distinct_id, seq, person_id'
  return `(SELECT ${columns} FROM ${table} UNION ALL SELECT ${columns} FROM fresh_${table})`
}

/** The properties of a row, which are in it or under an id. */
type TextOf = (properties: DuckDBValue, longId: DuckDBValue) => string

const toPerson = (cells: Cells, textOf: TextOf): MovedPerson => {
  const [projectId, personId, seq, uuid, properties, longId, ...rest] = cells
  const [createdAt, updatedAt, lastSeenAt, isIdentified, deleted] = rest
  return {
    projectId: projectId as number,
    personId: personId as number,
    seq: seq as number,
    uuid: uuid as string,
    properties: textOf(properties as DuckDBValue, longId as DuckDBValue),
    createdAt: createdAt as number,
    updatedAt: updatedAt as number | null,
    lastSeenAt: lastSeenAt as number | null,
    isIdentified: isIdentified as boolean | null,
    deleted: deleted as boolean,
  }
}

const toId = ([projectId, distinctId, personId, seq]: Cells): MovedId => ({
  projectId: projectId as number,
  distinctId: distinctId as string,
  personId: personId as number | null,
  seq: seq as number,
})

function toEvent(cells: Cells, textOf: TextOf, taken: Map<number, number>): MovedEvent {
  const [projectId, seq, place, timestamp, event, distinctId, uuid, sessionId, properties, ...rest] = cells
  const [longId, personId] = rest
  return {
    projectId: projectId as number,
    seq: seq as number,
    place: (place as number) + (taken.get(seq as number) ?? 0),
    timestamp: timestamp as number,
    event: event as string,
    distinctId: distinctId as string,
    uuid: uuid as string,
    sessionId: sessionId as string | null,
    properties: textOf(properties as DuckDBValue, longId as DuckDBValue),
    personId: personId as number | null,
  }
}

/** `memory`: bytes that the engine may use. */
export async function walkDuckdb(path: string, memory: number, options: WalkOptions): Promise<EventsWalk> {
  const temp_directory = `${path}.tmp`
  const instance = await DuckDBInstance.create(IN_MEMORY, { memory_limit: `${memory}B`, temp_directory })
  try {
    const connection = await instance.connect()
    await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS ${CATALOG} (READ_ONLY)`)
    await connection.run(`USE ${CATALOG}`)
    return new DuckdbWalk(instance, connection, options)
  } catch (error) {
    instance.closeSync()
    throw error
  }
}
