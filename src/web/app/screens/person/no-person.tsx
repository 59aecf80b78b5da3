/** There is no such person: who has their ids now, what is still known, and that an id which comes again is a new person. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { deletionsOfQuery, personRowQuery } from '../../data/people/person.ts'
import { projectPath, useProject } from '../../data/session.ts'
import { Empty } from '../../kit/state/empty.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import styles from './person.module.css'

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

interface NoPersonProps {
  id: string
  /** Null when somebody was looked for by a distinct id. */
  uuid: string | null
  /** Of the person, if they were there a moment ago. */
  name?: string | undefined
  lastId?: string | undefined
}

/** Whoever has an id now; asked for again, as it was another person's. */
function useOwner(lastId: string | undefined) {
  const { id } = useProject()
  const asked = useQuery({
    ...personRowQuery(id, lastId ?? ''),
    enabled: lastId !== undefined,
    refetchOnMount: 'always',
  })
  return asked.isFetchedAfterMount ? asked.data : undefined
}

export function NoPerson({ id, uuid, name, lastId }: NoPersonProps) {
  const project = useProject()
  const isUuid = uuid !== null && UUID.test(uuid)
  const { data: deletions = [] } = useQuery({ ...deletionsOfQuery(project.id, uuid ?? ''), enabled: isUuid })
  const owner = useOwner(lastId)
  const [last] = deletions
  const others = <Link to={projectPath(project, '/persons')}>Look for somebody else</Link>
  if (owner && owner.uuid !== uuid)
    return (
      <Told
        title={`${name ?? 'This person'} is a part of ${owner.name} now`}
        actions={<Link to={projectPath(project, `/persons/${owner.uuid}`)}>Go to {owner.name}</Link>}
      >
        Both were merged: ids, events and recordings are there.
      </Told>
    )
  if (last)
    return (
      <Told title="This person was deleted" actions={others}>
        <Deleted at={last.created_at} runsAt={last.scheduled_for} status={last.status} />
      </Told>
    )
  return (
    <Told title={name === undefined ? 'There is no such person' : `${name} is no longer there`} actions={others}>
      {wordsFor(id, uuid, name)}
    </Told>
  )
}

function wordsFor(id: string, uuid: string | null, name: string | undefined): string {
  if (uuid === null)
    return `Nobody has the id “${id}”. It may never have been seen, or its person was deleted: when it comes again, it is a new person.`
  if (name !== undefined)
    return 'The person was deleted while you were here. When one of the ids comes again, it is a new person.'
  return 'The person was deleted, or merged into another one, or was never there.'
}

interface ToldProps {
  title: string
  actions: ReactNode
  children: ReactNode
}

const Told = ({ title, actions, children }: ToldProps) => (
  <section className={styles.panel} aria-label="Person">
    <Empty title={title} actions={actions}>
      {children}
    </Empty>
  </section>
)

function Deleted({ at, runsAt, status }: { at: string; runsAt: string; status: string }) {
  const { timezone } = useProject()
  return (
    <>
      Asked for <Moment at={at} zone={timezone} />. Their events{' '}
      {status === 'completed' ? (
        'are gone.'
      ) : (
        <>
          go <Moment at={runsAt} zone={timezone} />.
        </>
      )}
    </>
  )
}
