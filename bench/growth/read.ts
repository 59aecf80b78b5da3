/** One line of the growth bench: a request, and hand-written SQL that gives the same answer on the same engine. */
import type { DuckDBValue } from '@duckdb/node-api'
import type Sqlite from 'better-sqlite3'
import { DAY } from '../../src/lib/time/time.ts'
import type { Database } from '../../src/stores/duckdb/database.ts'
import { DAYS, type Size } from './world.ts'

/** What a read may depend on. */
export interface Scene {
  size: Size
  /** When the folder was seeded. */
  now: number
}

/** The stores of a second copy of the folder, opened with the server's own threads and memory. */
export class Bare {
  readonly #events: Database
  readonly #sql: Sqlite.Database

  constructor(events: Database, sql: Sqlite.Database) {
    this.#events = events
    this.#sql = sql
  }

  /** Rows of the event store, with numbers instead of BigInts. */
  async events(statement: string): Promise<DuckDBValue[][]> {
    const found = await this.#events.read(
      async (connection) => {
        const found = await connection.runAndReadAll(`SELECT 'events.' || key, number FROM property_columns
          UNION ALL SELECT 'persons.' || key, number FROM person_columns`)
        const numbers = new Map(found.getRows() as [string, number][])
        // As the server reads them: from a column where there is one.
        const sql = statement.replace(PROPERTY, (_, table, key) => {
          const number = numbers.get(`${table}.${key}`)
          return number === undefined ? `json_extract_string(${table}.properties, '$."${key}"')` : `${table}.p${number}`
        })
        return connection.runAndReadAll(sql)
      },
      { kind: 'insight' },
    )
    return found.getRows().map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)))
  }

  sql(statement: string): unknown[][] {
    return this.#sql.prepare(statement).raw().all() as unknown[][]
  }
}

export interface Read {
  name: string
  /** Path below the project, and the body of a POST. */
  request: (scene: Scene) => { path: string; body?: unknown }
  /** What of the JSON is compared. */
  answer: (json: never) => unknown
  /** Null: there is nothing to compare with, only its growth counts. */
  bare: ((bare: Bare, scene: Scene) => Promise<unknown> | unknown) | null
  /** How much longer than bare SQL it may take at the largest size. */
  overBare: number | null
  /** How much longer it may take at the largest size than at the one before. */
  growth: number
}

/** Growth of what must not depend on the size, and of everything else: the data is ten times as much. */
export const CONSTANT = 2
export const LINEAR = 12

export const startOfDay = (instant: number): number => Math.floor(instant / DAY) * DAY
const dateOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** The whole days before the day of seeding. */
export function wholeDays({ now }: Scene, days: number): { from: number; to: number; dateRange: object } {
  const to = startOfDay(now)
  const from = to - days * DAY
  return { from, to, dateRange: { date_from: dateOf(from), date_to: dateOf(to - DAY) } }
}

/** From before the first event. */
export const sinceBegin = ({ now }: Scene): string => dateOf(now - (DAYS + 1) * DAY)

export const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value))

/** A property of a row of these tables in a statement. */
const PROPERTY = /\{\{(events|persons)\.(.+?)\}\}/g

export const property = (key: string): string => `{{events.${key}}}`
export const personProperty = (key: string): string => `{{persons.${key}}}`
