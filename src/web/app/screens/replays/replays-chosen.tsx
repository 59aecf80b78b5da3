/** What can be done with the recordings that are chosen. */
import { EyeOpenIcon, TrashIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { mayUse } from '../../data/boot.ts'
import { MOST_AT_ONCE, useDeleteSeveral, useMarkSeveral } from '../../data/recordings/change-recordings.ts'
import { useProject } from '../../data/session.ts'
import { Button } from '../../kit/form/button.tsx'
import { Confirm } from '../../kit/overlay/confirm.tsx'
import { useTell } from '../../kit/overlay/toasts.tsx'
import { SelectionBar } from '../../kit/selection/selection-bar.tsx'
import type { Selection } from '../../kit/selection/use-selection.ts'
import { Problem } from '../../kit/state/problem.tsx'

const SCOPE = 'session_recording:write'

function reasonOf(scopes: readonly string[], count: number): string | undefined {
  if (!mayUse(scopes, SCOPE)) return `Needs the scope ${SCOPE}`
  return count > MOST_AT_ONCE ? `At most ${MOST_AT_ONCE} recordings at once` : undefined
}

const several = (count: number): string => (count === 1 ? '1 recording' : `${count} recordings`)

export function ReplaysChosen({ selection }: { selection: Selection }) {
  const { id, scopes } = useProject()
  const [isAsked, setAsked] = useState(false)
  const see = useMarkSeveral(id)
  const remove = useDeleteSeveral(id)
  const tell = useTell()
  const ids = [...selection.chosen.keys()]
  const reason = reasonOf(scopes, ids.length)
  const done = (text: string) => {
    setAsked(false)
    selection.clear()
    tell(text)
  }
  return (
    <SelectionBar selection={selection} names={['recording', 'recordings']}>
      <Button
        icon={<EyeOpenIcon />}
        reason={reason}
        busy={see.isPending}
        onClick={() => see.mutate(ids, { onSuccess: () => done(`${several(ids.length)} marked as seen`) })}
      >
        Mark as seen
      </Button>
      <Button kind="danger" icon={<TrashIcon />} reason={reason} onClick={() => setAsked(true)}>
        Delete
      </Button>
      {see.error && <Problem error={see.error} />}
      {isAsked && (
        <Confirm
          title={`Delete ${several(ids.length)}?`}
          action={`Delete ${several(ids.length)}`}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setAsked(false)}
          onConfirm={() =>
            remove.mutate(ids, { onSuccess: ({ deleted_count }) => done(`${several(deleted_count)} deleted`) })
          }
        >
          <p>What they show is gone at once, and their shared links lead nowhere. The events of the sessions stay.</p>
        </Confirm>
      )}
    </SelectionBar>
  )
}
