/** One event: who, when, the recording of that second, all its properties, and its JSON. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { BootProject } from '../../data/boot.ts'
import { type EventRow, eventQuery } from '../../data/events.ts'
import { projectPath } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { Button } from '../../kit/form/button.tsx'
import { Tabs } from '../../kit/layout/tabs.tsx'
import { Dialog } from '../../kit/overlay/dialog.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { CopyValue } from '../../kit/text/code.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import { EventJson } from './event-json.tsx'
import { EventProperties } from './event-properties.tsx'
import styles from './events.module.css'
import { eventsSearch } from './events.search.ts'

interface EventDialogProps {
  project: BootProject
  uuid: string
  /** As the list has it, if it does. */
  listed: EventRow | undefined
  onClose: () => void
}

type Tab = 'properties' | 'json'

const TABS: readonly (readonly [Tab, string])[] = [
  ['properties', 'Properties'],
  ['json', 'JSON'],
]

export function EventDialog({ project, uuid, listed, onClose }: EventDialogProps) {
  const event = useQuery({ ...eventQuery(project.id, uuid), ...(listed ? { placeholderData: listed } : {}) })
  const [tab, setTab] = useState<Tab>('properties')
  return (
    <Dialog title={event.data?.event ?? 'Event'} size="side" onClose={onClose}>
      {event.isPending && <Skeleton lines={10} />}
      {event.error && <Problem error={event.error} onRetry={() => event.refetch()} />}
      {event.data && (
        <>
          <Facts event={event.data} project={project} />
          <Tabs label="What to show" tabs={TABS} current={tab} onChoose={setTab}>
            {tab === 'json' ? <EventJson event={event.data} /> : <EventProperties properties={event.data.properties} />}
          </Tabs>
        </>
      )}
    </Dialog>
  )
}

function Facts({ event, project }: { event: EventRow; project: BootProject }) {
  const [, change] = useSearchState(eventsSearch)
  const { person, distinct_id, session_id, timestamp, uuid } = event
  const only = (patch: object) => () => void change({ ...patch, cursor: '', open: '' })
  return (
    <dl className={styles.facts}>
      <dt>Person</dt>
      <dd>
        <span>{person?.name ?? 'nobody’s'}</span>
        {person && (
          <Button small kind="quiet" className={styles.use} onClick={only({ person_id: person.uuid })}>
            Only theirs
          </Button>
        )}
      </dd>
      <dt>Distinct id</dt>
      <dd>
        <code>{distinct_id}</code>
        <Button small kind="quiet" className={styles.use} onClick={only({ distinct_id })}>
          Only of it
        </Button>
      </dd>
      <dt>When</dt>
      <dd>
        <Moment at={timestamp} zone={project.timezone} />
      </dd>
      {session_id !== null && (
        <>
          <dt>Session</dt>
          <dd>
            <code>{session_id}</code>
            <Button small kind="quiet" className={styles.use} onClick={only({ session_id })}>
              Only of it
            </Button>
            <ReplayLink session={session_id} at={timestamp} project={project} />
          </dd>
        </>
      )}
      <dt>UUID</dt>
      <dd>
        <CopyValue text={uuid} />
      </dd>
    </dl>
  )
}

/** The recording of the session from that moment on. */
function ReplayLink({ session, at, project }: { session: string; at: string; project: BootProject }) {
  return (
    <Link to={projectPath(project, `/replay/${session}`)} search={{ t: at } as never}>
      Watch this moment
    </Link>
  )
}
