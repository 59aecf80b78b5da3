/** Builds the single SQL statement that answers an insight question. */
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { createLongFacts } from '../listing/long-facts.ts'
import { inSnapshot, readWithinMemory } from '../listing/memory-limited-read.ts'
import type { Parts } from '../progress.ts'
import type { KnownPersonProperties } from '../properties/person-columns.ts'
import type { KnownProperties } from '../properties/property-columns.ts'
import type { Wanted } from '../properties/property-sql.ts'
import { Texts } from '../values/bound-texts.ts'
import { int } from '../values/literal.ts'

/** Bound texts, common table expressions, and temporary tables of long texts. */
export class QuestionStatement {
  readonly connection: DuckDBConnection
  readonly projectId: number
  readonly properties: KnownProperties
  readonly personProperties: KnownPersonProperties
  /** Whether JSON is read by all threads. */
  readonly parsesInParallel: boolean
  /** Whether events of an earlier version have no actor yet. */
  readonly hasUnfilledActors: boolean
  readonly texts = new Texts()
  readonly #definitions = new Map<string, string>()
  readonly #tables: string[] = []

  /** Before its snapshot, which must have what the parts say. */
  constructor(
    connection: DuckDBConnection,
    projectId: number,
    { properties, personProperties, actors, database }: Parts,
  ) {
    this.connection = connection
    this.projectId = projectId
    this.properties = { ...properties }
    this.personProperties = { ...personProperties }
    this.parsesInParallel = database.parsesInParallel
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
    const table = `temp.${this.nameFor('long_facts')}`
    if (!(await createLongFacts(this.connection, table, ids, wanted))) return null
    this.#tables.push(table)
    return table
  }

  rows(select: string): Promise<DuckDBValue[][]> {
    return this.texts.rows(this.connection, this.#withDefinitions(select))
  }

  /** Of a statement with one column, of UUIDs: 16 bytes each. */
  uuids(select: string): Promise<Uint8Array> {
    return this.texts.uuids(this.connection, this.#withDefinitions(select))
  }

  /** After an error they go with the snapshot. */
  async dropTables(): Promise<void> {
    for (const table of this.#tables) await this.connection.run(`DROP TABLE ${table}`)
  }

  #withDefinitions(select: string): string {
    const definitions = [...this.#definitions.values()]
    return definitions.length === 0 ? select : `WITH ${definitions.join(', ')} ${select}`
  }
}

/** Builds and runs a statement on a connection of its own, in one snapshot, and removes its temporary tables. */
export const runQuestion = <T>(
  parts: Parts,
  projectId: number,
  work: (statement: QuestionStatement) => Promise<T>,
): Promise<T> =>
  readWithinMemory(parts, (connection) => {
    const statement = new QuestionStatement(connection, projectId, parts)
    return inSnapshot(connection, async () => {
      const result = await work(statement)
      await statement.dropTables()
      return result
    })
  })
