/** One recording, by the id of its session, as posthog-js links to it (`get_session_replay_url`). */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { mayUse } from '../../data/boot.ts'
import { projectQuery } from '../../data/projects.ts'
import { wasDeletedQuery } from '../../data/recordings/deleted.ts'
import { recordingQuery } from '../../data/recordings/recordings.ts'
import { ApiProblem } from '../../data/requests/api-problem.ts'
import { useProject } from '../../data/session.ts'
import { useShownThing } from '../../data/shown-thing.ts'
import { Empty } from '../../kit/state/empty.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { DAYS_KEPT, goneWords } from './gone-words.ts'
import { ReplayPage } from './replay-page.tsx'

/** So often it is asked how far a recording goes that is still being made. */
const ONGOING_MS = 10_000
const NOT_FOUND = 404

export function ReplayScreen() {
  const { id } = useProject()
  const { session = '' } = useParams({ strict: false }) as { session?: string }
  const {
    data: recording,
    error,
    refetch,
  } = useQuery({
    ...recordingQuery(id, session),
    refetchInterval: ({ state }) => state.data?.ongoing === true && state.error === null && ONGOING_MS,
  })
  useShownThing(recording && (recording.person.name ?? recording.distinct_id))
  // Also of one that was there a moment ago.
  if (error instanceof ApiProblem && error.status === NOT_FOUND) return <Gone session={session} />
  if (recording) return <ReplayPage key={recording.id} recording={recording} onLost={refetch} />
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  return <Skeleton lines={10} />
}

function Gone({ session }: { session: string }) {
  const { id, scopes } = useProject()
  const { data: project } = useQuery({ ...projectQuery(id), enabled: mayUse(scopes, 'project:read') })
  const { data: isDeleted } = useQuery(wasDeletedQuery(id, session))
  if (isDeleted === undefined) return <Skeleton lines={3} />
  const days = project && DAYS_KEPT[project.session_recording_retention_period]
  const { title, words } = goneWords({ isDeleted, session, days, now: Date.now() })
  return <Empty title={title}>{words}</Empty>
}
