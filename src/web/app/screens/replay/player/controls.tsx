/** Below the recording: where it is, and how it plays. */
import { EnterFullScreenIcon, PauseIcon, PlayIcon, TrackNextIcon, TrackPreviousIcon } from '@radix-ui/react-icons'
import { clockTime } from '../../../../../lib/time/clock-time.ts'
import type { Player, Span } from '../../../data/recordings/use-player.ts'
import { useStore } from '../../../data/store.ts'
import { useSearchState } from '../../../data/use-search.ts'
import { IconButton } from '../../../kit/form/button.tsx'
import { replaySearch, SPEEDS, type Speed } from '../replay.search.ts'
import styles from './player.module.css'
import { Position } from './position.tsx'
import { STEP_MS } from './use-player-keys.ts'

interface ControlsProps {
  player: Player
  span: Span
  onFullScreen: () => void
}

export function Controls({ player, span, onFullScreen }: ControlsProps) {
  const { time, isPlaying, isSkipping } = useStore(player.state)
  const [{ speed, skip, remote }, change] = useSearchState(replaySearch)
  return (
    <div className={styles.controls}>
      <Position player={player} span={span} />
      <div className={styles.buttons}>
        <IconButton label="10 seconds back" icon={<TrackPreviousIcon />} onClick={() => player.seek(time - STEP_MS)} />
        <IconButton
          label={isPlaying ? 'Pause' : 'Play'}
          icon={isPlaying ? <PauseIcon /> : <PlayIcon />}
          onClick={() => player.tell({ do: isPlaying ? 'pause' : 'play' })}
        />
        <IconButton label="10 seconds on" icon={<TrackNextIcon />} onClick={() => player.seek(time + STEP_MS)} />
        <span className={styles.time}>
          <span>{clockTime(time - span.start)}</span> / <span>{clockTime(span.end - span.start)}</span>
        </span>
        <span className={styles.skipping} role="status">
          {isSkipping ? 'Skipping idle time' : ''}
        </span>
        <label className={styles.option}>
          <span className="visually-hidden">Speed</span>
          <select value={speed} onChange={(event) => change({ speed: event.currentTarget.value as Speed })}>
            {SPEEDS.map((one) => (
              <option key={one} value={one}>
                {one}×
              </option>
            ))}
          </select>
        </label>
        <label className={styles.option}>
          <input
            type="checkbox"
            checked={skip === 'on'}
            onChange={(event) => change({ skip: event.currentTarget.checked ? 'on' : 'off' })}
          />
          <span>Skip idle time</span>
        </label>
        <label className={styles.option} title="From the recorded site, which learns that somebody watches">
          <input
            type="checkbox"
            checked={remote === 'on'}
            onChange={(event) => change({ remote: event.currentTarget.checked ? 'on' : 'off' })}
          />
          <span>Remote images</span>
        </label>
        {document.fullscreenEnabled && (
          <IconButton label="Full screen" icon={<EnterFullScreenIcon />} onClick={onFullScreen} />
        )}
      </div>
    </div>
  )
}
