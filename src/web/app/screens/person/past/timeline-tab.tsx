/** How a person became what they are: a point for each change, and what they were like at any of them. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useKeys, usePeriodKeys } from '../../../data/keyboard.ts'
import type { Person } from '../../../data/people/person.ts'
import { timelineQuery } from '../../../data/people/person-past.ts'
import { useProject } from '../../../data/session.ts'
import { useSearchState } from '../../../data/use-search.ts'
import { SelectField } from '../../../kit/form/field.tsx'
import { SuggestField } from '../../../kit/form/suggest-field.tsx'
import { Empty } from '../../../kit/state/empty.tsx'
import { Problem } from '../../../kit/state/problem.tsx'
import { Skeleton } from '../../../kit/state/skeleton.tsx'
import { Chips } from '../../../kit/text/chips.tsx'
import styles from '../person.module.css'
import { type PersonState, personSearch } from '../person.search.ts'
import { AsOf } from './as-of.tsx'
import { conditionsOn, crucial, keysOf, usualKeys } from './crucial.ts'
import { pointAt } from './last-change.ts'
import { TimelinePoints } from './timeline-points.tsx'

type Change = (patch: Partial<PersonState>) => void

const RANGES = [
  ['all', 'All time'],
  ['-7d', 'Last 7 days'],
  ['-30d', 'Last 30 days'],
  ['-90d', 'Last 90 days'],
  ['-1y', 'Last year'],
] as const

export function TimelineTab({ person }: { person: Person }) {
  const [state, change] = useSearchState(personSearch)
  const chosen = keysOf(state.properties)
  const keys = chosen.length > 0 ? chosen : usualKeys(person.properties)
  return (
    <section className={styles.panel} aria-label="Timeline">
      <Choices state={state} keys={keys} all={Object.keys(person.properties)} onChange={change} />
      <Points person={person} state={state} keys={keys} onChange={change} />
    </section>
  )
}

interface ChoicesProps {
  state: PersonState
  keys: string[]
  all: string[]
  onChange: Change
}

function Choices({ state, keys, all, onChange }: ChoicesProps) {
  const [text, setText] = useState('')
  const choose = (chosen: string[]) => onChange({ properties: conditionsOn(chosen), at: '' })
  usePeriodKeys((days) => onChange({ date_from: `-${days}d`, at: '' }))
  const known = RANGES.some(([range]) => range === state.date_from)
  const ranges = known ? RANGES : [...RANGES, [state.date_from, `From ${state.date_from}`] as const]
  return (
    <div className={styles.choices}>
      <SelectField
        label="Dates"
        choices={ranges}
        value={state.date_from}
        onText={(range) => onChange({ date_from: range, at: '' })}
      />
      <SuggestField
        label="Changes of"
        placeholder="Add a property"
        value={text}
        suggestions={all.filter((key) => !keys.includes(key)).map((value) => ({ value }))}
        onText={setText}
        onTake={(key) => {
          if (key !== '' && !keys.includes(key)) choose([...keys, key])
          setText('')
        }}
      />
      <div className={styles.crucial}>
        <Chips label="Properties" items={keys} onRemove={(gone) => choose(keys.filter((key) => key !== gone))} />
      </div>
    </div>
  )
}

interface PointsProps {
  person: Person
  state: PersonState
  keys: string[]
  onChange: Change
}

function Points({ person, state, keys, onChange }: PointsProps) {
  const { id } = useProject()
  const { date_from, date_to, at } = state
  const asked = useQuery(timelineQuery(id, person.uuid, { properties: crucial(keys), date_from, date_to }))
  const points = asked.data?.points ?? []
  const place = pointAt(points, at)
  const go = (to: number) => {
    const point = points[Math.min(Math.max(to, 0), points.length - 1)]
    if (point) onChange({ at: point.timestamp })
  }
  useKeys({ ArrowLeft: () => go(place - 1), ArrowRight: () => go(place + 1) })
  if (asked.error)
    return (
      <div className={styles.inside}>
        <Problem error={asked.error} onRetry={() => asked.refetch()} />
      </div>
    )
  if (!asked.data)
    return (
      <div className={styles.inside}>
        <Skeleton lines={5} />
      </div>
    )
  if (points.length === 0)
    return (
      <Empty title="No event in these dates">
        Properties are known at events: choose dates in which there are some.
      </Empty>
    )
  return (
    <div className={styles.timeline}>
      <TimelinePoints points={points} keys={keys} place={place} onGo={go} />
      <AsOf person={person} points={points} place={place} onGo={go} />
    </div>
  )
}
