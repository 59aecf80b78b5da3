/** What a row of the list says. All of it leads to its second; an event also leads to the recordings that have it. */
import { MagnifyingGlassIcon } from '@radix-ui/react-icons'
import { shortUrl } from '../../../../../lib/text/short-url.ts'
import type { BootProject } from '../../../data/boot.ts'
import { projectPath } from '../../../data/session.ts'
import type { ListColumn } from '../../../kit/list/list-table.tsx'
import { isPlain, RowLink } from '../../../kit/list/row-link.tsx'
import { timeOf } from './clock.ts'
import styles from './inspector.module.css'
import type { InspectorRow } from './inspector-rows.ts'

const KINDS: Record<InspectorRow['kind'], string> = {
  event: 'Event',
  page: 'Page',
  click: 'Click',
  log: 'Log',
  warn: 'Warning',
  error: 'Error',
  request: 'Request',
}

interface ColumnParts {
  project: BootProject
  start: number
  /** Null: times are from the start. */
  zone: string | null
  onGo: (time: number) => void
}

/** The address of this recording at a time, for whoever copies it or opens it beside. */
function addressAt(timestamp: number, start: number): string {
  const url = new URL(location.href)
  url.searchParams.set('t', String(Math.max(0, Math.floor((timestamp - start) / 1_000))))
  return url.href
}

export const columnsFor = ({ project, start, zone, onGo }: ColumnParts): ListColumn<InspectorRow>[] => [
  {
    name: 'Time',
    track: zone === null ? '3.25rem' : '4.25rem',
    card: 'mark',
    cell: ({ timestamp, text, about }) => (
      <a
        className={styles.at}
        href={addressAt(timestamp, start)}
        title={about === '' ? text : `${text} ${about}`}
        aria-label={`Go to ${timeOf(timestamp, start, zone)}: ${text}`}
        onClick={(event) => {
          if (!isPlain(event)) return
          event.preventDefault()
          onGo(timestamp)
        }}
      >
        {timeOf(timestamp, start, zone)}
      </a>
    ),
  },
  { name: 'Kind', track: '3.75rem', cell: ({ kind }) => <span className={styles[kind]}>{KINDS[kind]}</span> },
  {
    name: 'What',
    track: 'minmax(0, 1fr)',
    card: 'title',
    cell: ({ kind, text, about }) => (
      <div className={styles.what}>
        <span>{kind === 'page' || kind === 'request' ? shortUrl(text) : text}</span>{' '}
        <span className={styles.about}>{about}</span>
      </div>
    ),
  },
  {
    name: 'Recordings with it',
    track: '1.75rem',
    bare: true,
    cell: ({ kind, text }) =>
      kind === 'event' && (
        <RowLink
          className={styles.others}
          to={projectPath(project, '/replay/home')}
          search={{ events: JSON.stringify([{ id: text }]) }}
          aria-label={`Recordings with ${text}`}
          title={`Recordings with ${text}`}
        >
          <MagnifyingGlassIcon />
        </RowLink>
      ),
  },
]
