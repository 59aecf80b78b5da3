/** What every part of the store works with. */
import { type Deadline, READ_LIMIT_MS } from '../../lib/time/deadline.ts'
import type { Row, Servers } from './server/client.ts'

export interface Limits {
  /** Number of sessions that are listed. */
  listedSessions: number
  /** Time limit of a list, a count or a look-up, in milliseconds. */
  readMs: number
}

export const LIMITS: Limits = { listedSessions: 100_000, readMs: READ_LIMIT_MS }

export interface Parts {
  servers: Servers
  limits: Limits
}

/** The parts for one read: its statements together have one deadline, if any. */
export interface Reading extends Parts {
  /** The rows of a SELECT; integers of 64 bits are texts. */
  rows(sql: string): Promise<Row[]>
  /** The same in RowBinary. */
  binary(sql: string): Promise<Buffer>
}

export const reading = (parts: Parts, deadline?: Deadline): Reading => ({
  ...parts,
  rows: (sql) => parts.servers.rows(sql, { deadline }),
  binary: (sql) => parts.servers.binary(sql, { deadline }),
})
