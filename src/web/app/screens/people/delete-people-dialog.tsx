/** Deleting the people that are chosen: what goes now, what goes with the next run, and what comes after. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deletionSummaryQuery } from '../../data/deletions.ts'
import { useDeletePeople } from '../../data/people/delete-people.ts'
import { useProject } from '../../data/session.ts'
import { SwitchField } from '../../kit/form/field.tsx'
import { Confirm } from '../../kit/overlay/confirm.tsx'
import { useTell } from '../../kit/overlay/toasts.tsx'
import type { Chosen, Selection } from '../../kit/selection/use-selection.ts'
import { countdown, dayInZone, timeInZone } from '../../kit/text/moment-words.ts'

const FEW = 3

function namesOf(chosen: Chosen): string {
  const names = [...chosen.values()]
  const rest = names.length - FEW
  return rest > 0 ? `${names.slice(0, FEW).join(', ')} and ${rest} more` : names.join(', ')
}

export function DeletePeopleDialog({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const { id } = useProject()
  const { chosen } = selection
  const [recordings, setRecordings] = useState(true)
  const [events, setEvents] = useState(true)
  const remove = useDeletePeople(id)
  const tell = useTell()
  const what = chosen.size === 1 ? '1 person' : `${chosen.size} people`
  const confirm = () =>
    remove.mutate(
      { ids: [...chosen.keys()], delete_events: events, delete_recordings: recordings },
      {
        onSuccess: ({ persons_deleted: count }) => {
          selection.clear()
          onClose()
          tell(`${count} ${count === 1 ? 'person is' : 'people are'} deleted${events ? '; their events wait' : ''}`)
        },
      },
    )
  return (
    <Confirm
      title={`Delete ${what}?`}
      action={`Delete ${what}`}
      typed={`delete ${what}`}
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p dir="auto">{namesOf(chosen)}</p>
      <p>
        The people themselves, their properties and their history go now, and nothing brings them back. An id that is
        seen again is a new person.
      </p>
      <SwitchField
        label="Their recordings too"
        hint="They go now as well."
        checked={recordings}
        onChecked={setRecordings}
      />
      <SwitchField label="Their events too" hint={<When />} checked={events} onChecked={setEvents} />
    </Confirm>
  )
}

/** When the next run of deletions is. */
function When() {
  const { id } = useProject()
  const { data } = useQuery(deletionSummaryQuery(id))
  if (!data) return <span>They go on Sunday at 05:00 UTC.</span>
  const at = Date.parse(data.scheduled_for)
  return (
    <span>
      They go on Sunday, {dayInZone(at, 'UTC')}, at {timeInZone(at, 'UTC')} UTC: {countdown(at, Date.now())}.
    </span>
  )
}
