/** A page of events, with the chosen properties, and ways to the pages beside it. */
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { BootProject } from '../../data/boot.ts'
import { pageOf } from '../../data/events/event-page.ts'
import type { EventRow, ListedEvents } from '../../data/events.ts'
import { useKeys } from '../../data/keyboard.ts'
import type { Params } from '../../data/search.ts'
import { personPath, projectPath } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { Pager } from '../../kit/layout/pager.tsx'
import { type Column, Table } from '../../kit/layout/table.tsx'
import type { ListHandle } from '../../kit/list/list-table.tsx'
import { keysOfRows, useRowFocus } from '../../kit/list/use-row-focus.ts'
import { Empty } from '../../kit/state/empty.tsx'
import { NothingMatches } from '../../kit/state/nothing-matches.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import styles from './events.module.css'
import { eventsSearch } from './events.search.ts'
import { useSetFilters } from './use-set-filters.ts'
import { shortValue } from './value-words.ts'

interface EventListProps {
  project: BootProject
  page: ListedEvents
}

export function EventList({ project, page }: EventListProps) {
  const [{ columns, cursor }, change] = useSearchState(eventsSearch)
  const filters = useSetFilters()
  const list = useRef<ListHandle>(null)
  useKeys(keysOfRows(useRowFocus(list)))
  if (page.events.length === 0 && cursor === '') {
    if (filters.length > 0) return <NothingMatches what="event" filters={filters} />
    return (
      <Empty title="No events yet" actions={<Link to={projectPath(project, '/start')}>Send the first event</Link>}>
        SDKs send them to this server with the project’s token, <code>{project.api_token}</code>
      </Empty>
    )
  }
  const go = (to: string) => (to === '' ? undefined : () => change({ cursor: to }))
  return (
    <>
      <Table
        caption="Events"
        columns={columnsFor(project, columns)}
        rows={page.events}
        keyOf={({ uuid }) => uuid}
        handle={list}
      />
      <Pager
        words={page.events.length === 1 ? '1 event' : `${page.events.length} events`}
        onNewer={go(page.newer)}
        onOlder={go(page.older)}
      />
    </>
  )
}

function OpenLink({ event: { event, uuid } }: { event: EventRow }) {
  const search = (now: Params) => eventsSearch.write({ ...eventsSearch.read(now).state, open: uuid })
  return (
    <Link data-row className={styles.event} to="." search={search as never} preload={false}>
      {event}
    </Link>
  )
}

/** An empty cell has nothing in it, so that a phone leaves it out. */
const cut = (text: string) => text !== '' && <span className={styles.cut}>{text}</span>

const PLAIN = ['Event', 'Person', 'Page', 'When']

function columnsFor(project: BootProject, chosen: readonly string[]): Column<EventRow>[] {
  return [
    { name: 'Event', cell: (event) => <OpenLink event={event} /> },
    {
      name: 'Person',
      cell: ({ person, distinct_id }) => {
        const name = person?.name ?? distinct_id
        if (!person) return <span className={styles.cut}>{name}</span>
        return (
          <Link className={styles.cut} to={personPath(project, distinct_id)}>
            {name}
          </Link>
        )
      },
    },
    ...chosen.map((property) => ({
      // A property may have the name of one of the others.
      name: PLAIN.includes(property) ? `property ${property}` : property,
      cell: ({ properties }: EventRow) => cut(shortValue(properties[property])),
    })),
    { name: 'Page', cell: ({ properties }) => cut(pageOf(properties)) },
    { name: 'When', cell: ({ timestamp }) => <Moment at={timestamp} zone={project.timezone} /> },
  ]
}
