/**
 * Appends rows column by column, a data chunk at a time (several times faster than row by row). Rows become part of the
 * connection's open transaction. Between chunks it yields to other work of the thread.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type DuckDBConnection, DuckDBDataChunk, type DuckDBType, type DuckDBValue } from '@duckdb/node-api'

/** The number of rows a DuckDB vector holds. */
const CHUNK_ROWS = 2048

export interface Column<Row> {
  /** The type of what `value` returns; where the table has another type, the engine casts. */
  type: DuckDBType
  value: (row: Row) => DuckDBValue
}

/** `columns` in the order of the table. */
export async function appendRows<Row>(
  connection: DuckDBConnection,
  table: string,
  columns: Column<Row>[],
  rows: Row[],
): Promise<void> {
  if (rows.length === 0) return
  const types = columns.map((column) => column.type)
  const appender = await connection.createAppender(table)
  // One chunk for all: each holds memory that the garbage collector does not see.
  const chunk = DuckDBDataChunk.create(types)
  try {
    for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
      if (start > 0) await nextTurn()
      const slice = rows.slice(start, start + CHUNK_ROWS)
      chunk.reset()
      chunk.setColumns(columns.map((column) => slice.map(column.value)))
      appender.appendDataChunk(chunk)
    }
    appender.flushSync()
  } catch (error) {
    appender.clear()
    throw error
  } finally {
    appender.closeSync()
  }
}
