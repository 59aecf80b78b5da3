/** Says what was done to a person, and offers the way back where there is one. */
import { useQueryClient } from '@tanstack/react-query'
import { useUndo } from '../../data/activity.ts'
import { mayUse } from '../../data/boot.ts'
import { type Person, personActivityQuery } from '../../data/people/person.ts'
import { ApiProblem } from '../../data/requests/api-problem.ts'
import { useProject } from '../../data/session.ts'
import { useTell } from '../../kit/overlay/toasts.tsx'

const detailOf = (error: unknown): string => (error instanceof ApiProblem ? error.message : 'It could not be undone')

export function useToldChange({ uuid }: Person): (text: string) => Promise<void> {
  const project = useProject()
  const queries = useQueryClient()
  const tell = useTell()
  const undo = useUndo(
    project,
    () => tell('It is undone'),
    (error) => tell(detailOf(error)),
  )
  return async (text) => {
    if (!mayUse(project.scopes, 'activity_log:read')) return tell(text)
    // What was just done is the newest entry.
    const log = await queries
      .fetchQuery({ ...personActivityQuery(project.id, uuid, 1), staleTime: 0 })
      .catch(() => undefined)
    const entry = log?.results[0]
    const back = entry && undo(entry)
    tell(text, back?.run)
  }
}
