/** The recordings of a person, newest first: when, for how long, and what happened in them. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { mayUse } from '../../../data/boot.ts'
import { useKeys } from '../../../data/keyboard.ts'
import type { Person } from '../../../data/people/person.ts'
import { personRecordingsQuery } from '../../../data/people/person-past.ts'
import { projectPath, useProject } from '../../../data/session.ts'
import { type ListHandle, ListTable } from '../../../kit/list/list-table.tsx'
import { Portions } from '../../../kit/list/portions.tsx'
import { recordingColumns } from '../../../kit/list/recording-columns.tsx'
import { keysOfRows, useRowFocus } from '../../../kit/list/use-row-focus.ts'
import { Empty } from '../../../kit/state/empty.tsx'
import styles from '../person.module.css'

const HEIGHTS = [2.75, 16] as const
const SCOPE = 'session_recording:read'

export function RecordingsTab({ person }: { person: Person }) {
  const project = useProject()
  const { id, scopes } = project
  const isAllowed = mayUse(scopes, SCOPE)
  const list = useRef<ListHandle>(null)
  useKeys(keysOfRows(useRowFocus(list)))
  const asked = useInfiniteQuery({ ...personRecordingsQuery(id, person.uuid), enabled: isAllowed })
  const rows = asked.data?.pages.flatMap(({ results }) => results) ?? []
  if (!isAllowed) return <Empty title="You may not see recordings">It needs the scope {SCOPE}.</Empty>
  return (
    <section className={styles.panel} aria-label="Recordings">
      <Portions
        asked={asked}
        none={<Empty title="No recordings">None was made of this person, or they have expired or were deleted.</Empty>}
        isEmpty={rows.length === 0}
      >
        {(onRange) => (
          <ListTable
            label="Recordings"
            columns={recordingColumns(project.timezone, (session) => projectPath(project, `/replay/${session}`))}
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
