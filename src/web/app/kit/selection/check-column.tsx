/** The column of boxes by which rows are chosen. */
import type { ListColumn } from '../list/list-table.tsx'
import styles from './selection.module.css'
import type { Choosable, Selection } from './use-selection.ts'

export const checkColumn = <Row,>(
  { chosen, toggle }: Pick<Selection, 'chosen' | 'toggle'>,
  of: (row: Row) => Choosable,
): ListColumn<Row> => ({
  name: 'Chosen',
  track: '1.5rem',
  bare: true,
  card: 'mark',
  cell: (row, index) => {
    const { id, name } = of(row)
    return (
      <label className={styles.check}>
        <input
          type="checkbox"
          aria-label={`Choose ${name}`}
          checked={chosen.has(id)}
          onChange={(event) => toggle(index, (event.nativeEvent as MouseEvent).shiftKey === true)}
        />
      </label>
    )
  },
})
