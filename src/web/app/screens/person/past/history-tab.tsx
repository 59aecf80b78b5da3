/** Who changed what of a person, newest first, with the values before and after. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useUndo } from '../../../data/activity.ts'
import { mayUse } from '../../../data/boot.ts'
import { useKeys } from '../../../data/keyboard.ts'
import { HISTORY_PAGE, type Person, personActivityQuery } from '../../../data/people/person.ts'
import { useProject } from '../../../data/session.ts'
import { useSearchState } from '../../../data/use-search.ts'
import { ActivityEntry, ActivityList } from '../../../kit/activity/activity-entry.tsx'
import { Button } from '../../../kit/form/button.tsx'
import { Row } from '../../../kit/layout/card.tsx'
import type { ListHandle } from '../../../kit/list/list-table.tsx'
import { keysOfRows, useRowFocus } from '../../../kit/list/use-row-focus.ts'
import { useTell } from '../../../kit/overlay/toasts.tsx'
import { Empty } from '../../../kit/state/empty.tsx'
import { Problem } from '../../../kit/state/problem.tsx'
import { Skeleton } from '../../../kit/state/skeleton.tsx'
import styles from '../person.module.css'
import { personSearch } from '../person.search.ts'

const SCOPE = 'activity_log:read'

export function HistoryTab({ person }: { person: Person }) {
  const project = useProject()
  const { id, scopes } = project
  const tell = useTell()
  const undo = useUndo(project, () => tell('It is undone'))
  const [{ page }, change] = useSearchState(personSearch)
  const list = useRef<ListHandle>(null)
  useKeys(keysOfRows(useRowFocus(list)))
  const isAllowed = mayUse(scopes, SCOPE)
  const asked = useQuery({
    ...personActivityQuery(id, person.uuid, page),
    enabled: isAllowed,
    placeholderData: keepPreviousData,
  })
  if (!isAllowed) return <Empty title="You may not see the history">It needs the scope {SCOPE}.</Empty>
  if (asked.error) return <Problem error={asked.error} onRetry={() => asked.refetch()} />
  const pages = Math.ceil((asked.data?.count ?? 0) / HISTORY_PAGE)
  return (
    <section className={styles.panel} aria-label="History">
      {!asked.data && (
        <div className={styles.inside}>
          <Skeleton lines={5} />
        </div>
      )}
      {asked.data?.results.length === 0 && (
        <Empty title="Nobody has changed anything">
          Edits, splits and merges are noted here; what events set stands in the timeline.
        </Empty>
      )}
      <ActivityList handle={list}>
        {asked.data?.results.map((entry) => (
          <ActivityEntry key={entry.id} entry={entry} zone={project.timezone} undo={undo(entry)} />
        ))}
      </ActivityList>
      {pages > 1 && (
        <div className={styles.inside}>
          <Row>
            <Button disabled={page <= 1} onClick={() => change({ page: page - 1 })}>
              Newer
            </Button>
            <span>
              Page {page} of {pages}
            </span>
            <Button disabled={page >= pages} onClick={() => change({ page: page + 1 })}>
              Older
            </Button>
          </Row>
        </div>
      )}
    </section>
  )
}
