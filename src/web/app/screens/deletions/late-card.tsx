/** Requests whose Sunday has passed: which, why, and what an operator can do at once. Nothing where all is well. */
import { useQuery } from '@tanstack/react-query'
import type { BootProject } from '../../data/boot.ts'
import { type DeletionSummary, oldestDeletionsQuery } from '../../data/deletions.ts'
import { useSearchState } from '../../data/use-search.ts'
import { Card, Stack } from '../../kit/layout/card.tsx'
import { Table } from '../../kit/layout/table.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import { Code } from '../../kit/text/code.tsx'
import { useNow } from '../../kit/text/use-now.ts'
import { deletionColumns, keyOfDeletion } from './deletion-columns.tsx'
import { isLate, reasonOf } from './deletion-words.ts'
import { deletionsSearch } from './deletions.search.ts'

interface LateCardProps {
  project: BootProject
  summary: DeletionSummary
}

const LOOK_MS = 10_000

export function LateCard({ project, summary }: LateCardProps) {
  const now = useNow(LOOK_MS)
  const due = Date.parse(summary.scheduled_for)
  const [, change] = useSearchState(deletionsSearch)
  const enabled = summary.pending > 0 && due <= now
  const oldest = useQuery({ ...oldestDeletionsQuery(project.id, summary.pending), enabled })
  if (!enabled) return null
  const late = (oldest.data ?? []).filter((request) => isLate(request, now))
  const onPerson = (person_uuid: string) => change({ person_uuid, offset: 0 })
  return (
    <Card title="Late" about="The Sunday of these requests has passed, and the events are still there.">
      <Stack wide>
        <Notice kind="warn">{reasonOf(due, summary)}</Notice>
        {summary.phase === 'idle' && (
          <>
            <p>To carry out all that waits in this project at once, on the machine of the server:</p>
            <Code text={`hedgerow deletions run --project ${project.id}`} label="Command" />
          </>
        )}
        {oldest.error && <Problem error={oldest.error} onRetry={() => oldest.refetch()} />}
        {late.length > 0 && (
          <Table
            caption="Late requests"
            columns={deletionColumns({ zone: project.timezone, now, onPerson })}
            rows={late}
            keyOf={keyOfDeletion}
          />
        )}
      </Stack>
    </Card>
  )
}
