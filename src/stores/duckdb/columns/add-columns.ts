/** New columns for keys. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Parts } from '../progress.ts'
import {
  addColumns,
  type KnownColumns,
  type PropertyColumn,
  type PropertyTable,
  tableColumns,
} from '../properties/property-columns.ts'

/** Where columns of keys are, and what stores which there are. */
interface ColumnPlace<C extends PropertyColumn> {
  table: PropertyTable
  known: KnownColumns<C>
  write: (connection: DuckDBConnection, columns: C[]) => Promise<void>
  /** Called when the column is there. */
  added?: (column: C) => void
}

/** Each in a transaction of its own: with ten million events one takes a third of a second. */
export async function addEach<C extends PropertyColumn>(
  { database }: Parts,
  { table, known, write, added }: ColumnPlace<C>,
  columns: C[],
): Promise<void> {
  for (const column of columns) {
    await database.write(
      async (connection) => {
        const inTable = tableColumns([column])
        await addColumns(connection, table, inTable)
        await write(connection, [...known.columns, column])
        return inTable
      },
      (inTable) => {
        Object.assign(known, { columns: [...known.columns, column], inTable: [...known.inTable, ...inTable] })
        added?.(column)
      },
    )
  }
}
