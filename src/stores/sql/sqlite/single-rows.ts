/** Rows are written one by one, by a statement that is prepared once. */
import type Database from 'better-sqlite3'
import { sql } from 'kysely'
import { arg, type Connection } from '../connection.ts'
import type { GivenRows, SqlDialect } from '../dialect.ts'

const cellsOf = (columns: GivenRows['columns']): [string, unknown][] =>
  Object.keys(columns).map((name, place) => [name, arg(place)])

export const singleRows: SqlDialect['rows'] = {
  insert(db, { table, columns, always, unlessTaken }) {
    const insert = db.insertInto(table).values({ ...Object.fromEntries(cellsOf(columns)), ...always } as never)
    return unlessTaken ? insert.onConflict((conflict) => conflict.columns(unlessTaken as never).doNothing()) : insert
  },
  update(db, { table, columns }) {
    const [[key, given], ...values] = cellsOf(columns) as [[string, unknown]]
    const update = db.updateTable(table).set(Object.fromEntries(values) as never)
    return update.where(sql.ref(key), '=', given)
  },
}

export const writeRows =
  (prepare: (text: string) => Database.Statement): Connection['writeEach'] =>
  ({ text, bind }, rows) => {
    const statement = prepare(text)
    return rows.map((values) => {
      const { changes, lastInsertRowid } = statement.run(bind(values))
      return changes === 0 ? null : Number(lastInsertRowid)
    })
  }
