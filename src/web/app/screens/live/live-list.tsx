/** The last events, newest on top; each leads to all that it holds. */
import { Link } from '@tanstack/react-router'
import type { BootProject } from '../../data/boot.ts'
import { projectPath } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { Button } from '../../kit/form/button.tsx'
import { Row } from '../../kit/layout/card.tsx'
import { Empty } from '../../kit/state/empty.tsx'
import { inZone } from '../../kit/text/moment-words.ts'
import styles from './live.module.css'
import { liveSearch } from './live.search.ts'
import type { LiveLog, LiveRow } from './live-log.ts'

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone

interface LiveListProps {
  log: LiveLog
  isPaused: boolean
  project: BootProject
}

export function LiveList({ log, isPaused, project }: LiveListProps) {
  if (log.rows.length === 0) return <Waiting isPaused={isPaused} project={project} />
  return (
    // Not read out as they come: there may be many.
    <ol className={`plain-list ${styles.list}`} aria-label="Events that arrived">
      {log.rows.map((row) => (
        <Arrived key={row.uuid} row={row} project={project} />
      ))}
    </ol>
  )
}

function Arrived({ row: { uuid, event, who, page, timestamp }, project }: { row: LiveRow; project: BootProject }) {
  const instant = Date.parse(timestamp)
  return (
    <li className={styles.row}>
      <Link
        className={styles.event}
        to={projectPath(project, '/activity/explore')}
        search={{ open: uuid } as never}
        preload={false}
      >
        {event}
      </Link>
      <span className={styles.who}>{who}</span>
      <span className={styles.page}>{page}</span>
      <time className={styles.when} dateTime={timestamp} title={`${inZone(instant, HERE)} ${HERE}, ${timestamp}`}>
        {inZone(instant, HERE).slice(-8)}
      </time>
    </li>
  )
}

function Waiting({ isPaused, project }: Omit<LiveListProps, 'log'>) {
  const [{ event, distinct_id }, change] = useSearchState(liveSearch)
  if (isPaused) return <Empty title="Paused">What arrives meanwhile is in the list of events, not here.</Empty>
  const filters = [
    { name: 'event', value: event, drop: () => change({ event: '' }) },
    { name: 'distinct id', value: distinct_id, drop: () => change({ distinct_id: '' }) },
  ].filter(({ value }) => value !== '')
  const actions = (
    <Row>
      {filters.map(({ name, value, drop }) => (
        <Button key={name} small onClick={drop}>{`Drop: ${name} ${value}`}</Button>
      ))}
    </Row>
  )
  if (filters.length > 0)
    return (
      <Empty title="Waiting for events that match…" actions={actions}>
        Names and ids are compared exactly, capital letters too.
      </Empty>
    )
  return (
    <Empty
      title="Waiting for events…"
      actions={
        project.ingested_event ? undefined : <Link to={projectPath(project, '/start')}>Send the first event</Link>
      }
    >
      Each appears here as soon as it is stored.
    </Empty>
  )
}
