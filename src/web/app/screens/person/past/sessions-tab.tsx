/** The visits of a person, newest first: from where, through which pages, and the recording if there is one. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useKeys } from '../../../data/keyboard.ts'
import type { Person } from '../../../data/people/person.ts'
import { personSessionsQuery } from '../../../data/people/person-past.ts'
import { projectPath, useProject } from '../../../data/session.ts'
import { type ListHandle, ListTable } from '../../../kit/list/list-table.tsx'
import { Portions } from '../../../kit/list/portions.tsx'
import { sessionColumns } from '../../../kit/list/session-columns.tsx'
import { keysOfRows, useRowFocus } from '../../../kit/list/use-row-focus.ts'
import { Empty } from '../../../kit/state/empty.tsx'
import styles from '../person.module.css'

const HEIGHTS = [2.75, 12] as const

export function SessionsTab({ person }: { person: Person }) {
  const project = useProject()
  const list = useRef<ListHandle>(null)
  useKeys(keysOfRows(useRowFocus(list)))
  const asked = useInfiniteQuery(personSessionsQuery(project.id, person.uuid))
  const rows = asked.data?.pages.flatMap(({ results }) => results) ?? []
  const columns = sessionColumns(project.timezone, {
    events: projectPath(project, '/activity/explore'),
    replay: (session) => projectPath(project, `/replay/${session}`),
  })
  return (
    <section className={styles.panel} aria-label="Sessions">
      <Portions
        asked={asked}
        none={<Empty title="No sessions">No event of this person belongs to a session, or they were deleted.</Empty>}
        isEmpty={rows.length === 0}
      >
        {(onRange) => (
          <ListTable
            label="Sessions"
            columns={columns}
            count={rows.length}
            rowAt={(index) => rows[index]}
            keyOf={(index) => rows[index]?.id ?? index}
            rowHeight={HEIGHTS}
            measured
            handle={list}
            onRange={(_, last) => onRange(last, rows.length)}
          />
        )}
      </Portions>
    </section>
  )
}
