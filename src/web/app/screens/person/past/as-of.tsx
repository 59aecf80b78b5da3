/** What a person was like at a point of the timeline; what is otherwise now is marked. A slider goes from point to point. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Person } from '../../../data/people/person.ts'
import { propertiesAtQuery, type TimelinePoint } from '../../../data/people/person-past.ts'
import { useProject } from '../../../data/session.ts'
import { type ListColumn, ListTable } from '../../../kit/list/list-table.tsx'
import { Problem } from '../../../kit/state/problem.tsx'
import { Skeleton } from '../../../kit/state/skeleton.tsx'
import { JsonValue } from '../../../kit/text/json-value.tsx'
import { Moment } from '../../../kit/text/moment.tsx'
import styles from '../person.module.css'
import { inOrder } from '../properties/property-order.ts'

interface AsOfProps {
  person: Person
  points: readonly TimelinePoint[]
  place: number
  onGo: (place: number) => void
}

export function AsOf({ person, points, place, onGo }: AsOfProps) {
  const { id, timezone } = useProject()
  const at = points[place]?.timestamp ?? ''
  const { data, error } = useQuery({ ...propertiesAtQuery(id, person.uuid, at), placeholderData: keepPreviousData })
  const slider = useId()
  return (
    <div className={styles.asOf}>
      <div className={styles.sliderBox}>
        <label htmlFor={slider}>
          As of <Moment at={at} zone={timezone} />
        </label>
        <input
          id={slider}
          type="range"
          min={0}
          max={points.length - 1}
          value={place}
          disabled={points.length < 2}
          aria-valuetext={`Point ${place + 1} of ${points.length}, ${at}`}
          onChange={(event) => onGo(Number(event.currentTarget.value))}
        />
      </div>
      {error && <Problem error={error} />}
      {!data && !error && <Skeleton lines={4} />}
      {data && <PropertiesThen person={person} earlier={data} />}
    </div>
  )
}

interface Earlier {
  key: string
  was: unknown
  now: unknown
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const columns: ListColumn<Earlier>[] = [
  { name: 'Property', track: 'minmax(6rem, 1fr)', cell: ({ key }) => <code className={styles.key}>{key}</code> },
  {
    name: 'Then',
    track: 'minmax(0, 2fr)',
    cell: ({ was, now }) => (
      <div className={styles.value}>
        <JsonValue value={was} />
        {!isSame(was, now) && (
          <small className={styles.now}>
            now: <JsonValue value={now} />
          </small>
        )}
      </div>
    ),
  },
]

const HEIGHTS = [2.75, 5] as const

function PropertiesThen({ person, earlier }: { person: Person; earlier: Record<string, unknown> }) {
  const keys = inOrder([...new Set([...Object.keys(earlier), ...Object.keys(person.properties)])])
  const rows = keys.map((key): Earlier => ({ key, was: earlier[key], now: person.properties[key] }))
  return (
    <ListTable
      label="Properties then"
      columns={columns}
      count={rows.length}
      rowAt={(index) => rows[index]}
      keyOf={(index) => rows[index]?.key ?? index}
      rowHeight={HEIGHTS}
      measured
    />
  )
}
