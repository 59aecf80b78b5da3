/** Whether a person that is looked at is still there: others merge and delete people meanwhile. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiProblem } from '../requests/api-problem.ts'
import { ChangedMeanwhile, personQuery } from './person.ts'

const isNotFound = (error: unknown): boolean => error instanceof ApiProblem && error.status === 404
/** Something is not as it was read. */
const isBehind = (error: unknown): boolean =>
  error instanceof ChangedMeanwhile || (error instanceof ApiProblem && error.status !== null && error.status < 500)

/** `view`: what is shown of the person. With another one, and after each refusal, they are asked for again. */
export function useKeepPersonCurrent(projectId: number, uuid: string, view: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    const { queryKey } = personQuery(projectId, uuid)
    const again = () => void queries.invalidateQueries({ queryKey, exact: true })
    const isAbout = (key: readonly unknown[]) => queryKey.every((part, place) => key[place] === part)
    const stopQueries = queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return
      if (isAbout(event.query.queryKey) && isNotFound(event.action.error)) again()
    })
    const stopChanges = queries.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && isBehind(event.action.error)) again()
    })
    return () => {
      stopQueries()
      stopChanges()
    }
  }, [queries, projectId, uuid])
  const shown = useRef(view)
  useEffect(() => {
    if (shown.current === view) return
    shown.current = view
    void queries.invalidateQueries({ queryKey: personQuery(projectId, uuid).queryKey, exact: true })
  }, [queries, projectId, uuid, view])
}
