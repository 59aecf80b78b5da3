/** The rows: one is gone to by `j` and `k`, opened by Enter, chosen by `x`. */
import { useMemo, useRef } from 'react'
import { useKeys } from '../../data/keyboard.ts'
import type { PersonRow } from '../../data/people/people.ts'
import type { usePeople } from '../../data/people/use-people.ts'
import { projectPath, useProject } from '../../data/session.ts'
import { type ListHandle, ListTable } from '../../kit/list/list-table.tsx'
import { keysOfRows, useRowFocus } from '../../kit/list/use-row-focus.ts'
import type { Selection } from '../../kit/selection/use-selection.ts'
import { columnsOf } from './people-columns.tsx'

interface PeopleListProps {
  people: ReturnType<typeof usePeople>
  properties: readonly string[]
  selection: Selection
}

/** In rem. On a phone: the name, two moments and the properties, a line each. */
const ROW = 2.75
const CARD_LINE = 1.625
const CARD_REST = 1.0625

export function PeopleList({ people: { count, rowAt, onRange }, properties, selection }: PeopleListProps) {
  const project = useProject()
  const list = useRef<ListHandle>(null)
  const { chosen, toggle } = selection
  useKeys(keysOfRows(useRowFocus(list), toggle))
  const columns = useMemo(
    () =>
      columnsOf({
        properties,
        zone: project.timezone,
        selection: { chosen, toggle },
        pathOf: ({ uuid }: PersonRow) => projectPath(project, `/persons/${uuid}`),
      }),
    [properties, project, chosen, toggle],
  )
  return (
    <ListTable
      label="People"
      columns={columns}
      count={count}
      rowAt={rowAt}
      rowHeight={[ROW, CARD_REST + CARD_LINE * (4 + properties.length)]}
      isMarked={({ uuid }) => chosen.has(uuid)}
      onRange={onRange}
      handle={list}
    />
  )
}
