/** No session is listed: there is none yet, or what narrows the list leaves none. */
import { Link } from '@tanstack/react-router'
import { projectPath, useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { partsOf } from '../../kit/filters/filter-words.ts'
import { Empty } from '../../kit/state/empty.tsx'
import { NothingMatches, type SetFilter } from '../../kit/state/nothing-matches.tsx'
import { type SessionsState, sessionsSearch } from './sessions.search.ts'

const SINCE_WORDS: Record<Exclude<SessionsState['date_from'], 'all'>, string> = {
  '-1d': 'began in the last 24 hours',
  '-7d': 'began in the last 7 days',
  '-30d': 'began in the last 30 days',
}

export function NoSession() {
  const project = useProject()
  const [{ date_from, has_recording, properties }, change] = useSearchState(sessionsSearch)
  const filters: SetFilter[] = partsOf(properties).map(({ words, without }) => ({
    words,
    drop: () => change({ properties: without }),
  }))
  if (has_recording !== 'any') {
    const words = has_recording === 'true' ? 'recorded' : 'not recorded'
    filters.unshift({ words, drop: () => change({ has_recording: 'any' }) })
  }
  if (date_from !== 'all') filters.unshift({ words: SINCE_WORDS[date_from], drop: () => change({ date_from: 'all' }) })
  if (filters.length > 0 && project.ingested_event) return <NothingMatches what="session" filters={filters} />
  return (
    <Empty
      title="No sessions yet"
      actions={!project.ingested_event && <Link to={projectPath(project, '/start')}>Send the first event</Link>}
    >
      Events that carry a <code>$session_id</code>, as those of browsers do, make one.
    </Empty>
  )
}
