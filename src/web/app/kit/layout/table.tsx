/** A table of rows. On a phone each row is a card in which every cell has its column's name. */
import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react'
import type { ListHandle } from '../list/list-table.tsx'
import { wholeList } from '../list/whole-list.ts'
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
  handle?: Ref<ListHandle>
}

export function Table<Row>({ caption, columns, rows, keyOf, handle }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  useImperativeHandle(handle, () => wholeList(() => body.current), [])
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
        <tbody ref={body}>
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
