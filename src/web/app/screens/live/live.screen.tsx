/** Does it arrive: events as they are stored, and beside them what was refused. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BootProject } from '../../data/boot.ts'
import { eventNamesQuery } from '../../data/events.ts'
import { useKeys } from '../../data/keyboard.ts'
import { projectPath, useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { FilterRow, TextFilter } from '../../kit/form/text-filter.tsx'
import { Card, Row, Stack } from '../../kit/layout/card.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import styles from './live.module.css'
import { liveSearch } from './live.search.ts'
import { LiveList } from './live-list.tsx'
import { LiveControls, LiveFigures, LiveMark } from './live-state.tsx'
import { useLive } from './use-live.ts'
import { WarningsCard } from './warnings-card.tsx'

export function LiveScreen() {
  const project = useProject()
  const [state] = useSearchState(liveSearch)
  const live = useLive(project.id, state)
  useKeys({ p: () => live.setPaused((is) => !is) })
  return (
    <div className={styles.sides}>
      <Card
        title="As they arrive"
        actions={
          <Row>
            <LiveMark way={live.way} isPaused={live.isPaused} />
            <LiveControls {...live} />
          </Row>
        }
        flush
      >
        <div className={styles.top}>
          <Stack wide>
            {live.way === 'polling' && !live.isPaused && (
              <Notice kind="warn">
                The server’s stream cannot be had: all its places are taken, or something in between holds it back. The
                list is asked for every two seconds instead, so some may be missing when many arrive.
              </Notice>
            )}
            {live.error != null && <Problem error={live.error} />}
            <LiveFigures log={live.log} />
          </Stack>
        </div>
        <LiveFilters project={project} />
        <LiveList log={live.log} isPaused={live.isPaused} project={project} />
      </Card>
      <WarningsCard project={project} />
    </div>
  )
}

function LiveFilters({ project }: { project: BootProject }) {
  const [{ event, distinct_id }, change] = useSearchState(liveSearch)
  const { data: names = [] } = useQuery(eventNamesQuery(project))
  return (
    <FilterRow>
      <TextFilter
        label="Event"
        placeholder="Any"
        value={event}
        suggestions={names}
        onCommit={(name) => change({ event: name })}
      />
      <TextFilter
        label="Distinct id"
        placeholder="Anybody"
        value={distinct_id}
        onCommit={(id) => change({ distinct_id: id })}
      />
      {(event !== '' || distinct_id !== '') && (
        <p className={styles.explore}>
          <Link
            to={projectPath(project, '/activity/explore')}
            search={liveSearch.write({ event, distinct_id }) as never}
          >
            What came before
          </Link>
        </p>
      )}
    </FilterRow>
  )
}
