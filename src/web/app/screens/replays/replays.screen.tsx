/** Choosing what to watch: the recordings of the project, with who is in them and what happened. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import type { BootProject } from '../../data/boot.ts'
import { useKeys } from '../../data/keyboard.ts'
import { type RecordingRow, recordingsQuery } from '../../data/recordings/recording-list.ts'
import { personPath, projectPath, useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { Card } from '../../kit/layout/card.tsx'
import { type ListColumn, type ListHandle, ListTable } from '../../kit/list/list-table.tsx'
import { Portions } from '../../kit/list/portions.tsx'
import { recordingColumns } from '../../kit/list/recording-columns.tsx'
import { RowLink } from '../../kit/list/row-link.tsx'
import { keysOfRows, useRowFocus } from '../../kit/list/use-row-focus.ts'
import { checkColumn } from '../../kit/selection/check-column.tsx'
import { type Choosable, type Selection, useSelection } from '../../kit/selection/use-selection.ts'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { replaysSearch } from './replays.search.ts'
import { filterOf } from './replays-conditions.ts'
import { ReplaysFilters } from './replays-filters.tsx'

/** Loaded when they are wanted. */
const NothingRecorded = lazy(() => import('./nothing-recorded.tsx').then((file) => ({ default: file.NothingRecorded })))
const ReplayPreview = lazy(() => import('./replay-preview.tsx').then((file) => ({ default: file.ReplayPreview })))
const ReplaysChosen = lazy(() => import('./replays-chosen.tsx').then((file) => ({ default: file.ReplaysChosen })))

const HEIGHTS = [2.75, 19.5] as const

const nameOf = ({ distinct_id, person }: RecordingRow): string => person.name ?? distinct_id
const choosable = (row: RecordingRow): Choosable => ({ id: row.id, name: `the recording of ${nameOf(row)}` })

const columnsFor = (
  project: BootProject,
  selection: Pick<Selection, 'chosen' | 'toggle'>,
): ListColumn<RecordingRow>[] => [
  checkColumn(selection, choosable),
  {
    name: 'Person',
    track: 'minmax(0, 1.2fr)',
    card: 'title',
    cell: (row) => (
      <RowLink className="one-line" to={personPath(project, row.distinct_id)}>
        {nameOf(row)}
      </RowLink>
    ),
  },
  ...recordingColumns<RecordingRow>(project.timezone, (id) => projectPath(project, `/replay/${id}`)),
]

export function ReplaysScreen() {
  const project = useProject()
  const [state] = useSearchState(replaysSearch)
  const asked = useInfiniteQuery(recordingsQuery(project.id, filterOf(state)))
  const rows = asked.data?.pages.flatMap(({ results }) => results) ?? []
  const list = useRef<ListHandle>(null)
  const selection = useSelection({ rowAt: (index) => rows[index], of: choosable })
  const { chosen, toggle } = selection
  const [previewed, setPreviewed] = useState<string | null>(null)
  // What can be done with those that are chosen stands in its place.
  const preview = selection.chosen.size === 0 ? rows.find(({ id }) => id === previewed) : undefined
  const close = () => setPreviewed(null)
  const focus = useRowFocus(list, (index) => setPreviewed(rows[index]?.id ?? null))
  useKeys({ ...keysOfRows(focus, toggle), ...(preview && { Escape: close }) })
  const columns = useMemo(() => columnsFor(project, { chosen, toggle }), [project, chosen, toggle])
  return (
    <>
      <Card title="What was recorded" about="A page address plays the recording; a name leads to the person." flush>
        <ReplaysFilters />
        <Portions
          asked={asked}
          isEmpty={rows.length === 0}
          none={
            <Suspense fallback={<Skeleton />}>
              <NothingRecorded />
            </Suspense>
          }
        >
          {(onRange) => (
            <ListTable
              label="Recordings"
              columns={columns}
              count={rows.length}
              rowAt={(index) => rows[index]}
              keyOf={(index) => rows[index]?.id ?? index}
              rowHeight={HEIGHTS}
              isMarked={({ id }) => chosen.has(id)}
              handle={list}
              onRange={(_, last) => onRange(last, rows.length)}
            />
          )}
        </Portions>
      </Card>
      <Suspense>
        {chosen.size > 0 && <ReplaysChosen selection={selection} />}
        {preview && <ReplayPreview key={preview.id} recording={preview} name={nameOf(preview)} onClose={close} />}
      </Suspense>
    </>
  )
}
