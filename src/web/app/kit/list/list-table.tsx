/**
 * A table of any number of rows, of which only those in sight are in the page. A row that is on its way is drawn empty. On
 * a phone each row is a card in which every cell has its column's name. With `measured`, rows are as high as what is in
 * them; otherwise all are `rowHeight`.
 */
import { type CSSProperties, memo, type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { classes } from '../class-names.ts'
import styles from './list-table.module.css'
import { useKeptFocus } from './use-kept-focus.ts'
import { useNarrow } from './use-narrow.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

export interface ListColumn<Row> {
  /** Unlike those of the others. */
  name: string
  /** Its share of the width, as a CSS grid says it: `minmax(0, 2fr)`. */
  track: string
  /** Needs no heading to be seen. */
  bare?: boolean
  /** On a phone: what the card is called, in its first line; or a mark before that. */
  card?: 'title' | 'mark'
  /** `index`: of the row. */
  cell: (row: Row, index: number) => ReactNode
}

export interface ListHandle {
  count: () => number
  /** What opens a row; undefined while it is not in the page. */
  targetOf: (index: number) => HTMLElement | null | undefined
  /** Of the row that an element is in; undefined when it is in none. */
  indexOf: (element: Element | null) => number | undefined
  scrollTo: (index: number) => void
}

interface ListTableProps<Row> {
  label: string
  columns: readonly ListColumn<Row>[]
  count: number
  /** Undefined while it is on its way. */
  rowAt: (index: number) => Row | undefined
  keyOf?: (index: number) => string | number
  /** In rem: on a wide screen, and on a phone. */
  rowHeight: readonly [wide: number, narrow: number]
  measured?: boolean
  /** Below the cells of a row. */
  below?: (row: Row) => ReactNode
  isMarked?: (row: Row) => boolean
  /** Which rows are drawn. */
  onRange?: (first: number, last: number) => void
  handle?: Ref<ListHandle>
}

export function ListTable<Row>(props: ListTableProps<Row>) {
  const { label, columns, count, rowAt, keyOf, rowHeight, measured = false, below, isMarked, onRange, handle } = props
  const list = useRef<HTMLTableSectionElement>(null)
  const isNarrow = useNarrow()
  const options = { count, rowHeight: rowHeight[isNarrow ? 1 : 0], keyOf }
  const { virtualizer, shown, above, scroller, height } = useVirtualRows(list, options)
  const keptFocus = useKeptFocus(scroller)
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => onRange?.(first, last), [onRange, first, last])
  useImperativeHandle(handle, () => ({
    count: () => shown,
    targetOf: (index) => list.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row]`),
    indexOf: (element) => {
      const row = element?.closest<HTMLElement>('tr')
      return row && list.current?.contains(row) ? Number(row.dataset.index) : undefined
    },
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  }))
  const shape = {
    '--tracks': columns.map(({ track }) => track).join(' '),
    '--row-height': measured ? 'auto' : `${height}px`,
  } as CSSProperties
  // One offset for all rows: a style of its own for each fills the browser's cache of styles, which then slows down.
  const place = { height: virtualizer.getTotalSize(), paddingTop: Math.max(0, (items[0]?.start ?? above) - above) }
  return (
    <>
      <table aria-label={label} aria-rowcount={count + 1} className={styles.table} style={shape}>
        <thead className={styles.head}>
          <tr className={styles.cells}>
            {columns.map(({ name, bare }) => (
              <th key={name} scope="col">
                {bare ? <span className="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...keptFocus} ref={list} className={styles.rows} style={place}>
          {items.map(({ index, key }) => {
            const row = rowAt(index)
            return (
              <ListRow
                key={key}
                index={index}
                row={row}
                columns={columns as readonly ListColumn<unknown>[]}
                isMarked={row !== undefined && isMarked?.(row) === true}
                below={below as ((row: unknown) => ReactNode) | undefined}
                measure={measured ? virtualizer.measureElement : undefined}
              />
            )
          })}
        </tbody>
      </table>
      {shown < count && (
        <p className={styles.rest}>A browser cannot scroll any further. Search or filter to see the others.</p>
      )}
    </>
  )
}

interface ListRowProps {
  index: number
  row: unknown
  columns: readonly ListColumn<unknown>[]
  isMarked: boolean
  below: ((row: unknown) => ReactNode) | undefined
  measure: ((element: HTMLElement | null) => void) | undefined
}

/** Not drawn again while the list scrolls. */
const ListRow = memo(function ListRow(props: ListRowProps) {
  const { index, row, columns, isMarked, below, measure } = props
  const under = row === undefined ? null : below?.(row)
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={classes(styles.row, styles.cells, isMarked && styles.marked)}
    >
      {columns.map(({ name, bare, card, cell }) => (
        <td
          key={name}
          className={classes(styles.cell, card && styles[card])}
          data-name={bare || card ? undefined : name}
        >
          {row === undefined ? <span className={styles.skeleton} /> : cell(row, index)}
        </td>
      ))}
      {under != null && under !== false && <td className={styles.under}>{under}</td>}
    </tr>
  )
})
