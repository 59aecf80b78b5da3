/** Who it is: the name, the ids, when they were here, and how much there is of them. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Person, personCountsQuery, personRowQuery } from '../../data/people/person.ts'
import { useProject } from '../../data/session.ts'
import { Button } from '../../kit/form/button.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { CopyValue } from '../../kit/text/code.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import { bytesInWords, Count } from '../../kit/text/number.tsx'
import styles from './person.module.css'

interface PersonHeadProps {
  person: Person
  mayWrite: boolean
  onDo: (what: 'split' | 'merge' | 'delete') => void
}

const NEEDED = 'Needs the scope person:write'

export function PersonHead({ person, mayWrite, onDo }: PersonHeadProps) {
  const { id } = useProject()
  const { data: row } = useQuery(personRowQuery(id, person.distinct_ids[0] ?? ''))
  const reason = mayWrite ? undefined : NEEDED
  return (
    <section className={styles.head} aria-label="Who it is">
      <div className={styles.who}>
        <div className={styles.face} aria-hidden="true">
          {(person.name.match(/[\p{L}\p{N}]/u)?.[0] ?? '?').toUpperCase()}
        </div>
        <div className={styles.titles}>
          <h2 dir="auto">{person.name}</h2>
          {row && (
            <p className={row.is_identified ? styles.identified : styles.anonymous}>
              {row.is_identified ? 'Identified' : 'Not identified'}
            </p>
          )}
        </div>
        <div className={styles.actions}>
          <Button
            reason={person.distinct_ids.length < 2 ? 'There is only one id' : reason}
            onClick={() => onDo('split')}
          >
            Split
          </Button>
          <Button reason={reason} onClick={() => onDo('merge')}>
            Merge
          </Button>
          <Button kind="danger" reason={reason} onClick={() => onDo('delete')}>
            Delete
          </Button>
        </div>
      </div>
      <Facts person={person} />
      <Ids ids={person.distinct_ids} />
    </section>
  )
}

function Facts({ person }: { person: Person }) {
  const { id, timezone } = useProject()
  const { data: counts, error, refetch } = useQuery(personCountsQuery(id, person.uuid))
  if (error) return <Problem error={error} onRetry={() => refetch()} />
  return (
    <dl className={styles.facts}>
      <Fact name="First seen">
        <Moment at={counts?.first_seen ?? person.created_at} zone={timezone} />
      </Fact>
      <Fact name="Last seen">{counts && <Moment at={counts.last_seen} zone={timezone} />}</Fact>
      <Fact name="Events">{counts && <Count value={counts.events} />}</Fact>
      <Fact name="Sessions">{counts && <Count value={counts.sessions} />}</Fact>
      <Fact name="Recordings">
        {counts && <Count value={counts.recordings} />}
        {counts && counts.bytes > 0 && <small>{bytesInWords(counts.bytes)}</small>}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children ?? '…'}</dd>
    </div>
  )
}

const FEW = 2

function Ids({ ids }: { ids: readonly string[] }) {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? ids : ids.slice(0, FEW)
  return (
    <div className={styles.ids}>
      <h3>{ids.length === 1 ? 'Distinct id' : `${ids.length} distinct ids`}</h3>
      <ul className="plain-list">
        {shown.map((id) => (
          <li key={id}>
            <CopyValue text={id} />
          </li>
        ))}
      </ul>
      {ids.length > shown.length && (
        <Button small kind="quiet" onClick={() => setOpen(true)}>
          Show all {ids.length}
        </Button>
      )}
    </div>
  )
}
