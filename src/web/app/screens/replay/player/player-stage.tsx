/** The recording in its frame, and what stands in its way. */
import { frameAddress } from '../../../data/recordings/player.ts'
import type { Player } from '../../../data/recordings/use-player.ts'
import { useStore } from '../../../data/store.ts'
import { theme } from '../../../data/theme.ts'
import { Button } from '../../../kit/form/button.tsx'
import { RecordedFrame } from '../../../kit/layout/recorded-frame.tsx'
import { Empty } from '../../../kit/state/empty.tsx'
import styles from './player.module.css'

const MISSING = 'Parts of this recording are missing.'

/** `remote`: images and fonts of the recorded site are loaded from where they are. */
export function PlayerStage({ player, remote }: { player: Player; remote: boolean }) {
  const { isWaiting, isPlaying } = useStore(player.state)
  const shown = useStore(theme)
  if (player.problem !== null)
    return (
      <div className={styles.stage}>
        <Empty title="It cannot be played" actions={<Button onClick={player.retry}>Try again</Button>}>
          {player.problem}
        </Empty>
      </div>
    )
  return (
    <div className={styles.stage}>
      <RecordedFrame frame={player.frame} className={styles.frame} address={frameAddress(shown, remote)} />
      <button
        type="button"
        className={styles.cover}
        tabIndex={-1}
        aria-hidden="true"
        // The focus stays where it is.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => player.tell({ do: isPlaying ? 'pause' : 'play' })}
      />
      {isWaiting && (
        <p className={styles.over} role="status">
          Loading…
        </p>
      )}
      {!isWaiting && player.lost > 0 && <p className={styles.over}>{MISSING}</p>}
    </div>
  )
}
