/** No recording is in the list: because none is made, because none was yet, or because none matches. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { mayUse } from '../../data/boot.ts'
import { projectQuery, useChangeProject } from '../../data/projects.ts'
import { projectPath, useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { partsOf } from '../../kit/filters/filter-words.ts'
import { SwitchField } from '../../kit/form/field.tsx'
import { Empty } from '../../kit/state/empty.tsx'
import { NothingMatches, type SetFilter } from '../../kit/state/nothing-matches.tsx'
import { Problem } from '../../kit/state/problem.tsx'
import styles from './replays.module.css'
import { replaysSearch } from './replays.search.ts'
import { conditionsOf, eventInWords, readEvents, withConditions, writeEvents } from './replays-conditions.ts'
import { CONSOLE_NAMES, SINCE_NAMES } from './replays-names.ts'

/** What narrows the list, the time aside. */
function useNarrowing(): SetFilter[] {
  const [state, change] = useSearchState(replaysSearch)
  const { console_log_filters: lines } = state
  const events = readEvents(state.events)
  return [
    ...(state.hide_viewed_recordings === 'no'
      ? []
      : [{ words: 'Only those I have not seen', drop: () => void change({ hide_viewed_recordings: 'no' }) }]),
    ...events.map((item, at) => ({
      words: `With ${eventInWords(item)}`,
      drop: () => void change({ events: writeEvents(events.filter((_, other) => other !== at)) }),
    })),
    ...(lines === ''
      ? []
      : [{ words: `Console: ${CONSOLE_NAMES[lines]}`, drop: () => void change({ console_log_filters: '' }) }]),
    ...partsOf(conditionsOf(state)).map(({ words, without }) => ({
      words,
      drop: () => void change(withConditions(without)),
    })),
  ].filter(({ words }) => words !== '')
}

export function NothingRecorded() {
  const project = useProject()
  const [{ date_from }, change] = useSearchState(replaysSearch)
  const narrowing = useNarrowing()
  const { data } = useQuery({ ...projectQuery(project.id), enabled: mayUse(project.scopes, 'project:read') })
  const isTimed = date_from !== 'all'
  const time = { words: SINCE_NAMES[date_from], drop: () => void change({ date_from: 'all' }) }
  const matching = <NothingMatches what="recording" filters={isTimed ? [...narrowing, time] : narrowing} />
  if (narrowing.length > 0) return matching
  if (data?.session_recording_opt_in === false) return <NotRecording />
  if (isTimed && project.ingested_event) return matching
  return (
    <Empty title="Nothing was recorded yet" actions={<Link to={projectPath(project, '/start')}>How to send it</Link>}>
      The browser SDK records by itself while the project lets it; the first recording is here some seconds after a
      visit began.
    </Empty>
  )
}

const WRITE = 'project:write'

function NotRecording() {
  const { id, scopes } = useProject()
  const change = useChangeProject(id)
  const isAllowed = mayUse(scopes, WRITE)
  return (
    <div className={styles.empty}>
      <Empty title="Sessions are not recorded">Recording is switched off in this project.</Empty>
      <SwitchField
        label="Record sessions"
        hint={
          isAllowed
            ? 'Visitors get it with the next page they load. What is typed is masked by the SDK.'
            : `Switching it on needs the scope ${WRITE}.`
        }
        checked={false}
        disabled={!isAllowed}
        busy={change.isPending}
        onChecked={() => change.mutate({ session_recording_opt_in: true })}
      />
      {change.error && <Problem error={change.error} />}
    </div>
  )
}
