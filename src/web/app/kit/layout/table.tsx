/** A table of rows. On a phone each row is a card in which every cell has its column's name. */
import type { ReactNode } from 'react'
import styles from './table.module.css'

export interface Column<Row> {
  name: string
  /** Aligned at the end: numbers, and buttons. */
  end?: boolean
  /** What the column is needs no heading to be seen: buttons. */
  bare?: boolean
  cell: (row: Row) => ReactNode
}

interface TableProps<Row> {
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, end, bare }) => (
              <th key={name} scope="col" className={end ? styles.end : undefined}>
                {bare ? <span className="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, end, bare, cell }) => (
                <td key={name} data-name={bare ? '' : name} className={end ? styles.end : undefined}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
