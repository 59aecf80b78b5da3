/** Builds the single SQL statement that answers an insight question. */
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { readWithinMemory } from '../listing/memory-limited-read.ts'
import { inBatches, rejoinTexts } from '../listing/rejoin-texts.ts'
import type { Parts } from '../progress.ts'
import type { KnownPersonProperties } from '../properties/person-columns.ts'
import type { KnownProperties } from '../properties/property-columns.ts'
import { propertyValuesSql, singleThreaded, type Wanted } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { int } from '../values/literal.ts'

/** Bound texts, common table expressions, and temporary tables of long texts. */
export class QuestionStatement {
  readonly connection: DuckDBConnection
  readonly projectId: number
  readonly properties: KnownProperties
  readonly personProperties: KnownPersonProperties
  /** Whether events of an earlier version have no actor yet. */
  readonly hasUnfilledActors: boolean
  readonly texts = new Texts()
  readonly #definitions = new Map<string, string>()
  readonly #tables: string[] = []
  #hasSnapshot = false

  constructor(connection: DuckDBConnection, projectId: number, { properties, personProperties, actors }: Parts) {
    this.connection = connection
    this.projectId = projectId
    this.properties = properties
    this.personProperties = { ...personProperties }
    this.hasUnfilledActors = actors.unfilled !== null
  }

  get project(): string {
    return `project_id = ${int(this.projectId)}`
  }

  /** A unique name for something of this kind. */
  nameFor(kind: string): string {
    return `${kind}_${this.#definitions.size + this.#tables.length}`
  }

  define(name: string, sql: string, materialized = false): void {
    this.#definitions.set(name, `${name} AS ${materialized ? 'MATERIALIZED ' : ''}(${sql})`)
  }

  has(name: string): boolean {
    return this.#definitions.has(name)
  }

  /** Property values of long texts, by id; null when there are no such texts. */
  async longFacts(ids: bigint[], wanted: Wanted): Promise<string | null> {
    const groups = ids.length === 0 ? [] : await inBatches(this.connection, ids)
    if (groups.length === 0) return null
    const table = `temp.${this.nameFor('long_facts')}`
    for (const [place, group] of groups.entries()) {
      const texts = new Texts()
      const select = `SELECT id, ${propertyValuesSql(wanted, 'properties', texts)} AS facts FROM ${singleThreaded(rejoinTexts(group))}`
      await texts.rows(
        this.connection,
        place === 0 ? `CREATE TEMP TABLE ${table} AS ${select}` : `INSERT INTO ${table} ${select}`,
      )
      if (place === 0) this.#tables.push(table)
    }
    return table
  }

  rows(select: string): Promise<DuckDBValue[][]> {
    return this.texts.rows(this.connection, this.#withDefinitions(select))
  }

  /** Of a statement with one column, of UUIDs: 16 bytes each. */
  uuids(select: string): Promise<Uint8Array> {
    return this.texts.uuids(this.connection, this.#withDefinitions(select))
  }

  /** From now on all that is read is as of one moment. */
  async holdSnapshot(): Promise<void> {
    if (this.#hasSnapshot) return
    this.#hasSnapshot = true
    await this.connection.run('BEGIN TRANSACTION READ ONLY')
  }

  /** Tables that were made in the snapshot go with it. */
  async end(): Promise<void> {
    if (this.#hasSnapshot) await this.connection.run('ROLLBACK')
    for (const table of this.#tables) await this.connection.run(`DROP TABLE IF EXISTS ${table}`)
  }

  #withDefinitions(select: string): string {
    const definitions = [...this.#definitions.values()]
    return definitions.length === 0 ? select : `WITH ${definitions.join(', ')} ${select}`
  }
}

/** Builds and runs a statement on a connection of its own, and removes its temporary tables. */
export const runQuestion = <T>(
  parts: Parts,
  projectId: number,
  work: (statement: QuestionStatement) => Promise<T>,
): Promise<T> =>
  readWithinMemory(parts, async (connection) => {
    const statement = new QuestionStatement(connection, projectId, parts)
    try {
      return await work(statement)
    } finally {
      await statement.end()
    }
  })
