/** The texts of one statement, bound to $1, $2, … in the order in which they were added. */
import { type DuckDBConnection, type DuckDBType, type DuckDBValue, LIST, listValue, VARCHAR } from '@duckdb/node-api'
import { readUuids } from './uuid-column.ts'

/** Longer lists are bound as one value and joined. */
const MAX_PLACEHOLDERS = 50

export class Texts {
  readonly #values: DuckDBValue[] = []
  readonly #types: DuckDBType[] = []

  /** SQL of the text. */
  bind(text: string): string {
    return this.#add(text, VARCHAR)
  }

  /** SQL of a list of texts. */
  list(texts: string[]): string {
    return this.#add(listValue(texts), LIST(VARCHAR))
  }

  /** SQL of the condition; null: any text matches. */
  isOneOf(column: string, texts: string[] | null): string {
    if (texts === null) return 'true'
    if (texts.length === 0) return 'false'
    if (texts.length > MAX_PLACEHOLDERS) {
      return `${column} IN (SELECT unnest(${this.list(texts)}))`
    }
    return `${column} IN (${texts.map((text) => this.bind(text)).join(', ')})`
  }

  async rows(connection: DuckDBConnection, sql: string): Promise<DuckDBValue[][]> {
    return (await connection.runAndReadAll(sql, this.#values, this.#types)).getRows()
  }

  /** The only column of the result, of UUIDs, 16 bytes each. */
  async uuids(connection: DuckDBConnection, sql: string): Promise<Uint8Array> {
    return readUuids(await connection.run(sql, this.#values, this.#types))
  }

  /** The result column by column, in blocks. */
  async *columns(connection: DuckDBConnection, sql: string): AsyncGenerator<(readonly DuckDBValue[])[]> {
    const result = await connection.run(sql, this.#values, this.#types)
    for (;;) {
      const chunk = await result.fetchChunk()
      if (!chunk || chunk.rowCount === 0) return
      yield chunk.getColumns()
    }
  }

  #add(value: DuckDBValue, type: DuckDBType): string {
    this.#values.push(value)
    this.#types.push(type)
    return `$${this.#values.length}`
  }
}
