/** Saving the property that is changed. Not the form's own: while it is saved, the form may move to another place. */
import { useState } from 'react'
import { ChangedMeanwhile, type Person, useChangeProperty } from '../../../data/people/person.ts'
import { useProject } from '../../../data/session.ts'
import { useToldChange } from '../use-told-change.ts'
import { type Draft, draftValue } from './draft.ts'

export interface Saving {
  draft: Draft | null
  isBusy: boolean
  /** Why it was not saved. */
  error: Error | null
  /** Another one, or none. */
  open: (draft: Draft | null) => void
  change: (draft: Draft) => void
  /** If the property is still what `before` says; otherwise the draft says what was found. */
  write: (before: unknown) => void
}

export function useSaving(person: Person): Saving {
  const { id } = useProject()
  const [draft, setDraft] = useState<Draft | null>(null)
  const save = useChangeProperty(id, person.uuid)
  const told = useToldChange(person)
  const open = (opened: Draft | null) => {
    save.reset()
    setDraft(opened)
  }
  const write = (before: unknown) => {
    const read = draft && draftValue(draft)
    if (!read || draft.key === '') return
    const { key } = draft
    save.mutate(
      { key, value: read.value, before },
      {
        onSuccess: () => {
          void told(`“${key}” is saved`)
          setDraft(null)
        },
        onError: (error) => {
          if (error instanceof ChangedMeanwhile) setDraft({ ...draft, found: { now: error.now } })
        },
      },
    )
  }
  const error = save.error instanceof ChangedMeanwhile ? null : save.error
  return { draft, isBusy: save.isPending, error, open, change: setDraft, write }
}
