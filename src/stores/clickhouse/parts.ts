/** What every part of the store works with. */
import { type Deadline, READ_LIMIT_MS } from '../../lib/time/deadline.ts'
import { ColumnMemory, type KnownColumns } from './properties/property-columns.ts'
import type { Row, Servers } from './server/client.ts'
import { UpkeepState } from './upkeep-state.ts'

export interface Limits {
  /** Number of sessions that are listed. */
  listedSessions: number
  /** About how many sessions have their properties compared at once. */
  sessionsAtOnce: number
  /** Time limit of a list, a count or a look-up, in milliseconds. */
  readMs: number
}

export const LIMITS: Limits = { listedSessions: 100_000, sessionsAtOnce: 50_000, readMs: READ_LIMIT_MS }

export interface Parts {
  servers: Servers
  limits: Limits
  columns: ColumnMemory
  upkeep: UpkeepState
}

export const partsOf = (servers: Servers, limits: Limits): Parts => ({
  servers,
  limits,
  columns: new ColumnMemory(servers),
  upkeep: new UpkeepState(),
})

/** The parts for one read: its statements together have one deadline, if any. */
export interface Reading extends Omit<Parts, 'columns'> {
  /** Of common properties, at the beginning. */
  columns: KnownColumns
  /** The rows of a SELECT; integers of 64 bits are texts. */
  rows(sql: string): Promise<Row[]>
  /** The same in RowBinary. */
  binary(sql: string): Promise<Buffer>
}

export const reading = async (parts: Parts, deadline?: Deadline): Promise<Reading> => ({
  ...parts,
  columns: await parts.columns.current(),
  rows: (sql) => parts.servers.rows(sql, { deadline }),
  binary: (sql) => parts.servers.binary(sql, { deadline }),
})
