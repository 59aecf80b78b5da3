/** Is it gone: what waits to be deleted and until when, what the run does, what the last one did, and every request. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { deletionSummaryQuery, deletionsQuery, everyWhile } from '../../data/deletions.ts'
import { useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { Problem } from '../../kit/state/problem.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { deletionsSearch } from './deletions.search.ts'
import { LateCard } from './late-card.tsx'
import { RequestsCard } from './requests-card.tsx'
import { Summary } from './summary.tsx'

export function DeletionsScreen() {
  const project = useProject()
  const [state] = useSearchState(deletionsSearch)
  const summary = useQuery(deletionSummaryQuery(project.id))
  const requests = useQuery({ ...deletionsQuery(project.id, state), refetchInterval: everyWhile(summary.data) })
  useFollowRun(summary.data?.since, requests.refetch)
  return (
    <>
      {summary.error && <Problem error={summary.error} onRetry={() => summary.refetch()} />}
      {summary.isPending && <Skeleton lines={6} />}
      {summary.data && (
        <>
          <LateCard project={project} summary={summary.data} />
          <Summary summary={summary.data} zone={project.timezone} />
        </>
      )}
      <RequestsCard project={project} requests={requests} />
    </>
  )
}

/** When the run goes on to another phase, or ends, what became of the requests is asked for at once. */
function useFollowRun(since: string | null | undefined, refetch: () => unknown): void {
  const seen = useRef(since)
  useEffect(() => {
    if (since !== seen.current && seen.current !== undefined) refetch()
    seen.current = since
  }, [since, refetch])
}
