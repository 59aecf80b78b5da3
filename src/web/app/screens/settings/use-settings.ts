/** The settings of the project that is shown, what is being changed of them, and saving it. */
import { useSuspenseQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { mayUse } from '../../data/boot.ts'
import { type Project, type ProjectPatch, projectQuery, useChangeProject } from '../../data/projects.ts'
import { problemAt, problemBeside } from '../../data/requests/api-problem.ts'
import { useProject } from '../../data/session.ts'
import { useDraft } from '../../kit/form/use-draft.ts'
import { useTell } from '../../kit/overlay/toasts.tsx'

/** `fields`: those that the form shows, beside which their problems stand. */
export function useSettings(fields: readonly (keyof ProjectPatch)[]) {
  const { id, scopes } = useProject()
  const { data: project } = useSuspenseQuery(projectQuery(id))
  const draft = useDraft<Project>(project)
  const change = useChangeProject(id)
  const tell = useTell()
  const mayWrite = mayUse(scopes, 'project:write')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(draft.changes as ProjectPatch, {
      onSuccess: () => {
        draft.reset()
        tell('Saved')
      },
    })
  }
  return {
    project,
    draft,
    submit,
    disabled: !mayWrite,
    saving: { isChanged: draft.isChanged, busy: change.isPending, onReset: draft.reset, reason: reasonOf(mayWrite) },
    problemOf: (field: keyof ProjectPatch) => problemAt(change.error, field),
    otherProblem: problemBeside(change.error, fields),
  }
}

export const reasonOf = (mayWrite: boolean): string | undefined =>
  mayWrite ? undefined : 'Needs the scope project:write, which owners and admins have'
