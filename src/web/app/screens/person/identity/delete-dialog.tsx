/** Forgetting somebody: what goes now, what goes on Sunday, how much that is, and that nothing brings it back. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mayUse } from '../../../data/boot.ts'
import { deletionSummaryQuery } from '../../../data/deletions.ts'
import { type Person, type PersonCounts, personCountsQuery, useDeletePerson } from '../../../data/people/person.ts'
import { projectPath, useProject } from '../../../data/session.ts'
import { SwitchField } from '../../../kit/form/field.tsx'
import { Confirm } from '../../../kit/overlay/confirm.tsx'
import { useTell } from '../../../kit/overlay/toasts.tsx'
import { Notice } from '../../../kit/state/notice.tsx'
import { countdown, dayInZone, timeInZone } from '../../../kit/text/moment-words.ts'
import { bytesInWords, Count } from '../../../kit/text/number.tsx'
import styles from './identity.module.css'

interface DeleteDialogProps {
  person: Person
  onClose: () => void
}

interface Choice {
  delete_events: boolean
  delete_recordings: boolean
  keep_person: boolean
}

const ALL: Choice = { delete_events: true, delete_recordings: true, keep_person: false }

const isNothing = ({ delete_events, delete_recordings, keep_person }: Choice): boolean =>
  keep_person && !delete_events && !delete_recordings

/** What the toast says afterwards. */
function doneWords(name: string, { keep_person, delete_events }: Choice): string {
  const first = keep_person ? `The data of ${name} is deleted` : `${name} is deleted`
  return delete_events ? `${first}; the events wait for Sunday` : first
}

export function DeleteDialog({ person, onClose }: DeleteDialogProps) {
  const project = useProject()
  const { data: counts } = useQuery(personCountsQuery(project.id, person.uuid))
  const [choice, setChoice] = useState(ALL)
  const remove = useDeletePerson(project.id, person.uuid)
  const tell = useTell()
  const navigate = useNavigate()
  const confirm = () =>
    remove.mutate(choice, {
      onSuccess: () => {
        tell(doneWords(person.name, choice))
        if (choice.keep_person) onClose()
        else navigate({ to: projectPath(project, '/persons') })
      },
    })
  const mayWrite = mayUse(project.scopes, 'person:write')
  return (
    <Confirm
      title={`Delete ${person.name}?`}
      action={choice.keep_person ? 'Delete the data' : 'Delete the person'}
      typed={person.name}
      reason={mayWrite ? (isNothing(choice) ? 'Nothing is chosen' : undefined) : 'Needs the scope person:write'}
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={confirm}
    >
      <Choices counts={counts} choice={choice} onChoice={(patch) => setChoice({ ...choice, ...patch })} />
      <Notice kind="warn">
        Nothing brings this back but a backup.
        {!choice.keep_person && ' When one of the ids is seen again, it is a new person.'}
      </Notice>
    </Confirm>
  )
}

interface ChoicesProps {
  counts: PersonCounts | undefined
  choice: Choice
  onChoice: (patch: Partial<Choice>) => void
}

function Choices({ counts, choice, onChoice }: ChoicesProps) {
  return (
    <>
      <h3 className={styles.phase}>Now</h3>
      <SwitchField
        label="The person"
        hint="The name, the ids, all properties and their history."
        checked={!choice.keep_person}
        onChecked={(isGoing) => onChoice({ keep_person: !isGoing })}
      />
      <SwitchField
        label="Recordings"
        hint={
          counts &&
          (counts.recordings === 0 ? (
            'There are none.'
          ) : (
            <>
              <Count value={counts.recordings} /> of them, {bytesInWords(counts.bytes)}.
            </>
          ))
        }
        checked={choice.delete_recordings}
        onChecked={(isGoing) => onChoice({ delete_recordings: isGoing })}
      />
      <h3 className={styles.phase}>
        <Sunday />
      </h3>
      <SwitchField
        label="Events"
        hint={
          counts && (
            <>
              <Count value={counts.events} /> of them, in <Count value={counts.sessions} /> sessions. What comes after
              this moment stays.
            </>
          )
        }
        checked={choice.delete_events}
        onChecked={(isGoing) => onChoice({ delete_events: isGoing })}
      />
    </>
  )
}

/** The next run of deletions, in words and as a countdown. */
function Sunday() {
  const { id } = useProject()
  const { data } = useQuery(deletionSummaryQuery(id))
  if (!data) return <>On Sunday, 05:00 UTC</>
  const at = Date.parse(data.scheduled_for)
  return (
    <>
      On Sunday, {dayInZone(at, 'UTC')}, {timeInZone(at, 'UTC')} UTC · {countdown(at, Date.now())}
    </>
  )
}
