/** The visits to the project: who came, from where, through which pages, and whether there is a recording to watch. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { csvAddress } from '../../data/address/csv.ts'
import type { BootProject } from '../../data/boot.ts'
import { useExportKey, useKeys } from '../../data/keyboard.ts'
import { personPath, projectPath, useProject } from '../../data/session.ts'
import { type SessionRow, sessionsQuery } from '../../data/sessions/session-list.ts'
import { useSearchState } from '../../data/use-search.ts'
import { CsvLink } from '../../kit/form/csv-link.tsx'
import { Card } from '../../kit/layout/card.tsx'
import { type ListColumn, type ListHandle, ListTable } from '../../kit/list/list-table.tsx'
import { Portions } from '../../kit/list/portions.tsx'
import { RowLink } from '../../kit/list/row-link.tsx'
import { sessionColumns } from '../../kit/list/session-columns.tsx'
import { keysOfRows, useRowFocus } from '../../kit/list/use-row-focus.ts'
import { NoSession } from './no-session.tsx'
import { filterOf, sessionsSearch } from './sessions.search.ts'
import { SessionsFilters } from './sessions-filters.tsx'

const HEIGHTS = [2.75, 15.75] as const

const columnsFor = (project: BootProject): ListColumn<SessionRow>[] => [
  {
    name: 'Person',
    track: 'minmax(7rem, 2fr)',
    card: 'title',
    cell: ({ distinct_id, person }) => (
      <RowLink className="one-line" to={personPath(project, distinct_id)}>
        {person?.name ?? distinct_id}
      </RowLink>
    ),
  },
  ...sessionColumns<SessionRow>(project.timezone, {
    events: projectPath(project, '/activity/explore'),
    replay: (id) => projectPath(project, `/replay/${id}`),
  }),
]

export function SessionsScreen() {
  const project = useProject()
  const [state] = useSearchState(sessionsSearch)
  const list = useRef<ListHandle>(null)
  useExportKey()
  useKeys(keysOfRows(useRowFocus(list)))
  const filter = filterOf(state)
  const asked = useInfiniteQuery(sessionsQuery(project.id, filter))
  const columns = useMemo(() => columnsFor(project), [project])
  const rows = asked.data?.pages.flatMap(({ results }) => results) ?? []
  return (
    <Card
      title="Visits"
      about="The entry leads to the events of a session; a name leads to the person."
      actions={<CsvLink href={csvAddress(project.id, 'sessions/', filter)} />}
      flush
    >
      <SessionsFilters />
      <Portions asked={asked} isEmpty={rows.length === 0} none={<NoSession />}>
        {(onRange) => (
          <ListTable
            label="Sessions"
            columns={columns}
            count={rows.length}
            rowAt={(index) => rows[index]}
            keyOf={(index) => rows[index]?.id ?? index}
            rowHeight={HEIGHTS}
            handle={list}
            onRange={(_, last) => onRange(last, rows.length)}
          />
        )}
      </Portions>
    </Card>
  )
}
