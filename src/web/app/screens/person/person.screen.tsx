/** One person, by their uuid or by any of their distinct ids, as links of PostHog's SDKs have it. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type Person, personQuery, personRowQuery } from '../../data/people/person.ts'
import { useProject } from '../../data/session.ts'
import { useShownThing } from '../../data/shown-thing.ts'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { PersonPage } from './person-page.tsx'

/** Loaded when it is wanted. */
const NoPerson = lazy(() => import('./no-person.tsx').then((file) => ({ default: file.NoPerson })))

interface Asked<T> {
  data: T | null | undefined
  error: unknown
  refetch: () => unknown
}

/** What was found, or that it is on its way, or why it is not there. */
function Found<T>({ asked, children }: { asked: Asked<T>; children: (found: T | null) => ReactNode }) {
  if (asked.data !== undefined) return <Suspense fallback={<Skeleton lines={8} />}>{children(asked.data)}</Suspense>
  if (asked.error) return <Problem error={asked.error} onRetry={() => void asked.refetch()} />
  return <Skeleton lines={8} />
}

export function PersonScreen() {
  const { uuid = '' } = useParams({ strict: false }) as { uuid?: string }
  return <PersonOf key={uuid} uuid={uuid} via={null} />
}

export function PersonByIdScreen() {
  const { id } = useProject()
  const { distinct_id: distinctId = '' } = useParams({ strict: false }) as { distinct_id?: string }
  const asked = useQuery(personRowQuery(id, distinctId))
  return (
    <Found asked={asked}>
      {(row) =>
        row ? <PersonOf key={row.uuid} uuid={row.uuid} via={distinctId} /> : <NoPerson id={distinctId} uuid={null} />
      }
    </Found>
  )
}

/** Who was shown last, of the person with that uuid or of none: somebody may be merged or deleted while one looks. */
function useLastKnown(person: Person | null | undefined): Person | null {
  const [known, setKnown] = useState(person ?? null)
  if (person && person !== known) setKnown(person)
  return known
}

/** `via`: the distinct id by which one came. */
function PersonOf({ uuid, via }: { uuid: string; via: string | null }) {
  const { id } = useProject()
  const asked = useQuery(personQuery(id, uuid))
  const known = useLastKnown(asked.data)
  useShownThing(asked.data?.name)
  return (
    <Found asked={asked}>
      {(person) =>
        person ? (
          <PersonPage person={person} via={via} />
        ) : (
          <NoPerson id={uuid} uuid={uuid} name={known?.name} lastId={via ?? known?.distinct_ids[0]} />
        )
      }
    </Found>
  )
}
