/** The recordings of the same person before this one and after it. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { recordingsQuery } from '../../data/recordings/recording-list.ts'
import type { Recording } from '../../data/recordings/recordings.ts'
import { projectPath, useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { replaySearch } from './replay.search.ts'

export interface Beside {
  before: string | undefined
  after: string | undefined
  /** Of the same person, without this one; more than these may be older. */
  others: number
  go: (step: 1 | -1) => void
}

/** Somebody without a stored person is found by their id alone. */
const whose = ({ person, distinct_id }: Recording) =>
  person.id === null ? { distinct_ids: JSON.stringify([distinct_id]) } : { person_uuid: person.uuid }

export function useBeside(recording: Recording): Beside {
  const { id } = recording
  const project = useProject()
  const navigate = useNavigate()
  const [state] = useSearchState(replaySearch)
  const { data } = useInfiniteQuery(recordingsQuery(project.id, { ...whose(recording), date_from: 'all' }))
  const ids = data?.pages.flatMap(({ results }) => results.map((row) => row.id)) ?? []
  const here = ids.indexOf(id)
  // Newest first.
  const [after, before] = here === -1 ? [] : [ids[here - 1], ids[here + 1]]
  const go = (step: 1 | -1) => {
    const to = step === 1 ? after : before
    if (to === undefined) return
    // How it plays stays; where in it one was does not.
    const search = replaySearch.write({ ...state, t: '', f: '', do: 'watch' })
    void navigate({ to: projectPath(project, `/replay/${to}`), search: search as never })
  }
  return { before, after, others: here === -1 ? 0 : ids.length - 1, go }
}
