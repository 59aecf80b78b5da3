/** The points of a timeline, newest first: when, what changed, and for how many events it stayed so. */
import { useMemo } from 'react'
import type { TimelinePoint } from '../../../data/people/person-past.ts'
import { useProject } from '../../../data/session.ts'
import { type ListColumn, ListTable } from '../../../kit/list/list-table.tsx'
import { JsonValue } from '../../../kit/text/json-value.tsx'
import { Moment } from '../../../kit/text/moment.tsx'
import { Count } from '../../../kit/text/number.tsx'
import styles from '../person.module.css'
import { changesAt } from './last-change.ts'

interface TimelinePointsProps {
  points: readonly TimelinePoint[]
  keys: readonly string[]
  /** Of the one that is shown. */
  place: number
  onGo: (place: number) => void
}

interface PlacedPoint {
  point: TimelinePoint
  at: number
}

const HEIGHTS = [2.75, 6] as const

export function TimelinePoints({ points, keys, place, onGo }: TimelinePointsProps) {
  const { timezone } = useProject()
  const rows = useMemo(() => points.map((point, at) => ({ point, at })).toReversed(), [points])
  const columns: ListColumn<PlacedPoint>[] = [
    {
      name: 'When',
      track: '8rem',
      cell: ({ point, at }) => (
        <div className={styles.when}>
          <Moment at={point.timestamp} zone={timezone} />
          <button
            type="button"
            className={styles.goto}
            aria-pressed={at === place}
            aria-label={`${at === place ? 'shown' : 'show'}: point ${at + 1} of ${points.length}`}
            onClick={() => onGo(at)}
          >
            {at === place ? 'shown' : 'show'}
          </button>
        </div>
      ),
    },
    {
      name: 'What changed',
      track: 'minmax(0, 1fr)',
      cell: ({ at }) => <Changes points={points} at={at} keys={keys} />,
    },
    { name: 'Events', track: '4rem', cell: ({ point }) => <Count value={point.relevant_event_count} /> },
  ]
  return (
    <ListTable
      label="Points in time"
      columns={columns}
      count={rows.length}
      rowAt={(index) => rows[index]}
      rowHeight={HEIGHTS}
      measured
      isMarked={({ at }) => at === place}
    />
  )
}

function Changes({ points, at, keys }: { points: readonly TimelinePoint[]; at: number; keys: readonly string[] }) {
  const changes = changesAt(points, at, keys)
  if (changes.length === 0) return <span className={styles.anonymous}>the first event, without any of these</span>
  return (
    <ul className={`plain-list ${styles.changes}`}>
      {changes.map(({ key, before, after }) => (
        <li key={key}>
          <code>{key}</code>{' '}
          {before !== undefined && (
            <>
              <del>
                <JsonValue value={before} />
              </del>{' '}
              →{' '}
            </>
          )}
          <JsonValue value={after} />
        </li>
      ))}
    </ul>
  )
}
