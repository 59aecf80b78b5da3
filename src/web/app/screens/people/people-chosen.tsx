/** What can be done with the people that are chosen. */
import { TrashIcon } from '@radix-ui/react-icons'
import { lazy, Suspense, useState } from 'react'
import { mayUse } from '../../data/boot.ts'
import { MOST_DELETED } from '../../data/people/delete-people.ts'
import { useProject } from '../../data/session.ts'
import { Button } from '../../kit/form/button.tsx'
import { SelectionBar } from '../../kit/selection/selection-bar.tsx'
import type { Selection } from '../../kit/selection/use-selection.ts'

/** Loaded when it is wanted. */
const DeletePeopleDialog = lazy(() =>
  import('./delete-people-dialog.tsx').then((file) => ({ default: file.DeletePeopleDialog })),
)

function reasonOf(scopes: readonly string[], count: number): string | undefined {
  if (!mayUse(scopes, 'person:write')) return 'Needs the scope person:write'
  return count > MOST_DELETED ? `At most ${MOST_DELETED} people at once` : undefined
}

export function PeopleChosen({ selection }: { selection: Selection }) {
  const { scopes } = useProject()
  const [isAsked, setAsked] = useState(false)
  return (
    <SelectionBar selection={selection} names={['person', 'people']}>
      <Button
        kind="danger"
        icon={<TrashIcon />}
        reason={reasonOf(scopes, selection.chosen.size)}
        onClick={() => setAsked(true)}
      >
        Delete
      </Button>
      <Suspense>{isAsked && <DeletePeopleDialog selection={selection} onClose={() => setAsked(false)} />}</Suspense>
    </SelectionBar>
  )
}
