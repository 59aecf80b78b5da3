/** Whose recording it is, from when, how long; and what can be done with it. */
import { DownloadIcon, EyeOpenIcon, Link2Icon, Share1Icon, TrashIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import { clockTime } from '../../../../lib/time/clock-time.ts'
import { mayUse } from '../../data/boot.ts'
import { exportAddress, type Recording } from '../../data/recordings/recordings.ts'
import { personPath, useProject } from '../../data/session.ts'
import { Button, LinkButton } from '../../kit/form/button.tsx'
import { Moment } from '../../kit/text/moment.tsx'
import styles from './replay.module.css'
import type { Seen } from './use-seen.ts'

const SECOND = 1_000
const WRITE = 'session_recording:write'

interface ReplayHeadProps {
  recording: Recording
  seen: Seen
  onCopy: () => void
  onShare: () => void
  onDelete: () => void
}

export function ReplayHead({ recording, seen, onCopy, onShare, onDelete }: ReplayHeadProps) {
  const project = useProject()
  const { person, distinct_id, start_time, recording_duration, active_seconds, ongoing, recording_ttl } = recording
  const email = typeof person.properties.email === 'string' ? person.properties.email : null
  return (
    <div className={styles.head}>
      <p className={styles.facts}>
        <Link to={personPath(project, distinct_id)}>{person.name ?? distinct_id}</Link>
        {email !== null && email !== person.name && <span>{email}</span>}
        <Moment at={start_time} zone={project.timezone} />
        <span>
          {clockTime(recording_duration * SECOND)} long, {clockTime(active_seconds * SECOND)} of it active
        </span>
        {ongoing && <span>still being recorded</span>}
        <span>{`kept for ${recording_ttl} more ${recording_ttl === 1 ? 'day' : 'days'}`}</span>
      </p>
      <div className={styles.actions}>
        <Button icon={<Link2Icon />} onClick={onCopy}>
          Copy link to this second
        </Button>
        <Button icon={<Share1Icon />} onClick={onShare}>
          Share
        </Button>
        <Button icon={<EyeOpenIcon />} onClick={() => seen.onSeen(!seen.isSeen)}>
          {seen.isSeen ? 'Mark as not seen' : 'Mark as seen'}
        </Button>
        <LinkButton href={exportAddress(project.id, recording.id)} icon={<DownloadIcon />} download>
          Export
        </LinkButton>
        <Button
          kind="danger"
          icon={<TrashIcon />}
          reason={mayUse(project.scopes, WRITE) ? undefined : `It needs the scope ${WRITE}.`}
          onClick={onDelete}
        >
          Delete
        </Button>
      </div>
    </div>
  )
}
