/** Since when a property has its value, and what gave it: an event, or somebody who edited it. */
import { useQuery } from '@tanstack/react-query'
import { mayUse } from '../../../data/boot.ts'
import { type Person, personActivityQuery } from '../../../data/people/person.ts'
import { eventsAtQuery, timelineQuery } from '../../../data/people/person-past.ts'
import { useProject } from '../../../data/session.ts'
import { Problem } from '../../../kit/state/problem.tsx'
import { Moment } from '../../../kit/text/moment.tsx'
import { crucial } from '../past/crucial.ts'
import { sinceOf } from '../past/last-change.ts'
import styles from '../person.module.css'

export function PropertySince({ person, name }: { person: Person; name: string }) {
  const { id, timezone, scopes } = useProject()
  const filter = { properties: crucial([name]), date_from: 'all', date_to: '' }
  const { data: timeline, error } = useQuery(timelineQuery(id, person.uuid, filter))
  const maySeeHistory = mayUse(scopes, 'activity_log:read')
  const { data: history } = useQuery({ ...personActivityQuery(id, person.uuid, 1), enabled: maySeeHistory })
  const isKnown = timeline !== undefined && (history !== undefined || !maySeeHistory)
  const value = person.properties[name]
  const { edit, at = '' } = isKnown ? sinceOf(timeline.points, history?.results ?? [], { key: name, value }) : {}
  const { data: events = [] } = useQuery(eventsAtQuery(id, person.uuid, at))
  if (error) return <Problem error={error} />
  if (!isKnown) return <p className={styles.since}>Looking through the history…</p>
  if (edit)
    return (
      <p className={styles.since}>
        Since <Moment at={edit.created_at} zone={timezone} />, edited by {edit.user.first_name || edit.user.email}.
      </p>
    )
  if (at === '') return <p className={styles.since}>No event of this person tells since when it has this value.</p>
  const names = [...new Set(events.map(({ event }) => event))]
  return (
    <p className={styles.since}>
      Since <Moment at={at} zone={timezone} />
      {names.length > 0 && (
        <>
          , by {names.length === 1 ? 'the event' : 'one of the events'} <code>{names.join(', ')}</code>
        </>
      )}
      .
    </p>
  )
}
