/** A recording beside the list: it plays while one goes through the rows, and is not marked as seen. */
import { Cross2Icon } from '@radix-ui/react-icons'
import { clockTime } from '../../../../lib/time/clock-time.ts'
import { frameAddress } from '../../data/recordings/player.ts'
import type { RecordingRow } from '../../data/recordings/recording-list.ts'
import { snapshotsAddress } from '../../data/recordings/recordings.ts'
import { usePlayer } from '../../data/recordings/use-player.ts'
import { useProject } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import { theme } from '../../data/theme.ts'
import { IconButton } from '../../kit/form/button.tsx'
import { RecordedFrame } from '../../kit/layout/recorded-frame.tsx'
import styles from './replays.module.css'

interface ReplayPreviewProps {
  recording: RecordingRow
  name: string
  onClose: () => void
}

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`

const MOBILE = 'Recorded by a mobile app: it cannot be played in the browser.'

export function ReplayPreview({ recording, name, onClose }: ReplayPreviewProps) {
  const { id, start_time, start_url, recording_duration, click_count, console_error_count } = recording
  const project = useProject()
  const player = usePlayer({ source: snapshotsAddress(project.id, id), start: Date.parse(start_time), at: '' })
  const shown = useStore(theme)
  const problem = recording.snapshot_source === 'mobile' ? MOBILE : player.problem
  return (
    <section className={styles.preview} aria-label={`Preview of the recording of ${name}`}>
      {problem === null ? (
        <RecordedFrame frame={player.frame} className={styles.frame} address={frameAddress(shown, false)} />
      ) : (
        <p className={styles.about}>{problem}</p>
      )}
      <div className={styles.about}>
        <div className={styles.words}>
          <strong className="one-line">{name}</strong>
          <span className="one-line">{start_url}</span>
          <span>
            {clockTime(recording_duration * 1_000)} · {counted(click_count, 'click')} ·{' '}
            {counted(console_error_count, 'error')} · Enter plays it
          </span>
        </div>
        <IconButton label="Close the preview" icon={<Cross2Icon />} onClick={onClose} />
      </div>
    </section>
  )
}
