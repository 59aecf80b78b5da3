/** What the person did: their events, newest first, each of which opens with all it carried. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { pageOf } from '../../../data/events/event-page.ts'
import { type EventRow, mayReadEvents } from '../../../data/events.ts'
import { useKeys } from '../../../data/keyboard.ts'
import type { Person } from '../../../data/people/person.ts'
import { personEventsQuery } from '../../../data/people/person-past.ts'
import { projectPath, useProject } from '../../../data/session.ts'
import { type ListColumn, type ListHandle, ListTable } from '../../../kit/list/list-table.tsx'
import { Portions } from '../../../kit/list/portions.tsx'
import { keysOfRows, useRowFocus } from '../../../kit/list/use-row-focus.ts'
import { Empty } from '../../../kit/state/empty.tsx'
import { JsonBlock } from '../../../kit/text/json-block.tsx'
import { Moment } from '../../../kit/text/moment.tsx'
import styles from '../person.module.css'

const HEIGHTS = [2.75, 6] as const

export function EventsTab({ person }: { person: Person }) {
  const project = useProject()
  const list = useRef<ListHandle>(null)
  useKeys(keysOfRows(useRowFocus(list)))
  const asked = useInfiniteQuery({ ...personEventsQuery(project.id, person.uuid), enabled: mayReadEvents(project) })
  const [open, setOpen] = useState<string | null>(null)
  const rows = asked.data?.pages.flatMap(({ results }) => results) ?? []
  const columns = columnsFor(project.timezone, open, (uuid) => setOpen(uuid === open ? null : uuid))
  return (
    <section className={styles.panel} aria-label="Events">
      {rows.length > 0 && (
        <p className={styles.elsewhere}>
          <Link to={projectPath(project, '/activity/explore')} search={{ person_id: person.uuid } as never}>
            Filter and export them
          </Link>
        </p>
      )}
      <Portions
        asked={asked}
        none={<Empty title="No events">There are none of this person, or they were deleted.</Empty>}
        isEmpty={rows.length === 0}
      >
        {(onRange) => (
          <ListTable
            label="Events"
            columns={columns}
            count={rows.length}
            rowAt={(index) => rows[index]}
            keyOf={(index) => rows[index]?.uuid ?? index}
            rowHeight={HEIGHTS}
            measured
            handle={list}
            onRange={(_, last) => onRange(last, rows.length)}
            below={({ uuid, event, properties }) =>
              uuid === open && <JsonBlock value={properties} label={`Properties of ${event}`} />
            }
          />
        )}
      </Portions>
    </section>
  )
}

const columnsFor = (zone: string, open: string | null, toggle: (uuid: string) => void): ListColumn<EventRow>[] => [
  {
    name: 'Event',
    track: 'minmax(8rem, 1fr)',
    card: 'title',
    cell: ({ uuid, event }) => (
      <button
        type="button"
        data-row
        className={styles.opener}
        aria-expanded={uuid === open}
        onClick={() => toggle(uuid)}
      >
        <span aria-hidden="true">{uuid === open ? '▾' : '▸'}</span> {event}
      </button>
    ),
  },
  { name: 'Page', track: 'minmax(0, 2fr)', cell: (row) => <div className="one-line">{pageOf(row.properties)}</div> },
  { name: 'Id', track: 'minmax(0, 1fr)', cell: ({ distinct_id }) => <div className="one-line">{distinct_id}</div> },
  { name: 'When', track: '8rem', cell: ({ timestamp }) => <Moment at={timestamp} zone={zone} /> },
]
