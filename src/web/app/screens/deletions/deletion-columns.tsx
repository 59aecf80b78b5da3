/** What a row says of a request. */
import { CheckIcon, ClockIcon, ExclamationTriangleIcon } from '@radix-ui/react-icons'
import type { Deletion } from '../../data/deletions.ts'
import type { Column } from '../../kit/layout/table.tsx'
import { Mark } from '../../kit/text/mark.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import { Count } from '../../kit/text/number.tsx'
import { isLate } from './deletion-words.ts'
import styles from './deletions.module.css'

function Status({ request, now }: { request: Deletion; now: number }) {
  if (request.status === 'completed')
    return (
      <Mark kind="good" icon={<CheckIcon />}>
        Done
      </Mark>
    )
  return isLate(request, now) ? (
    <Mark kind="warn" icon={<ExclamationTriangleIcon />}>
      Late
    </Mark>
  ) : (
    <Mark icon={<ClockIcon />}>Waiting</Mark>
  )
}

/** Nothing is known of it before the run. */
const counted = (count: number | null) => (count === null ? '–' : <Count value={count} />)

interface Parts {
  zone: string
  now: number
  onPerson: (uuid: string) => void
}

export const deletionColumns = ({ zone, now, onPerson }: Parts): Column<Deletion>[] => [
  { name: 'State', cell: (request) => <Status request={request} now={now} /> },
  {
    name: 'Person',
    cell: ({ person_uuid }) => (
      <button
        type="button"
        data-row
        className={styles.uuid}
        title="Only requests for this person"
        onClick={() => onPerson(person_uuid)}
      >
        {person_uuid}
      </button>
    ),
  },
  { name: 'Asked', cell: ({ created_at }) => <Moment at={created_at} zone={zone} now={now} /> },
  {
    name: 'Due or done',
    cell: ({ scheduled_for, delete_verified_at }) => (
      <Moment at={delete_verified_at ?? scheduled_for} zone={zone} now={now} />
    ),
  },
  { name: 'Events', end: true, cell: ({ events_deleted }) => counted(events_deleted) },
  { name: 'Sessions', end: true, cell: ({ sessions_deleted }) => counted(sessions_deleted) },
  { name: 'Recordings', end: true, cell: ({ recordings_deleted }) => counted(recordings_deleted) },
]

export const keyOfDeletion = ({ person_id, created_at }: Deletion): string => `${person_id} ${created_at}`
