/** Whether it is live, how much comes, and stopping it for a while. */
import { PauseIcon, PlayIcon, TrashIcon } from '@radix-ui/react-icons'
import type { LiveWay } from '../../data/events/live-events.ts'
import { Button } from '../../kit/form/button.tsx'
import { Figure, Figures } from '../../kit/layout/key-figures.tsx'
import { Mark } from '../../kit/text/mark.tsx'
import { Count } from '../../kit/text/number.tsx'
import { useNow } from '../../kit/text/use-now.ts'
import styles from './live.module.css'
import { type LiveLog, MOST_ROWS, RATE_SECONDS, rateOf } from './live-log.ts'

export function LiveMark({ way, isPaused }: { way: LiveWay; isPaused: boolean }) {
  if (isPaused) return <Mark icon={<PauseIcon />}>Paused</Mark>
  if (way === 'connecting') return <Mark>Connecting…</Mark>
  if (way === 'polling') return <Mark kind="warn">Every 2 seconds</Mark>
  return (
    <Mark kind="good" icon={<span className={styles.pulse} aria-hidden="true" />}>
      Live
    </Mark>
  )
}

interface LiveControlsProps {
  log: LiveLog
  isPaused: boolean
  setPaused: (isPaused: boolean) => void
  clear: () => void
}

export function LiveControls({ log, isPaused, setPaused, clear }: LiveControlsProps) {
  return (
    <>
      {log.rows.length > 0 && (
        <Button kind="quiet" icon={<TrashIcon />} onClick={clear}>
          Clear
        </Button>
      )}
      <Button icon={isPaused ? <PlayIcon /> : <PauseIcon />} onClick={() => setPaused(!isPaused)}>
        {isPaused ? 'Go on' : 'Pause'}
      </Button>
    </>
  )
}

export function LiveFigures({ log }: { log: LiveLog }) {
  const now = useNow(1_000)
  return (
    <Figures>
      <Figure name="Per second" note={`over ${RATE_SECONDS} seconds`}>
        {rateOf(log, now)}
      </Figure>
      <Figure name="Arrived" note={log.taken > MOST_ROWS ? `the last ${MOST_ROWS} are listed` : 'while you look'}>
        <Count value={log.taken} />
      </Figure>
      <Figure name="Left out" note={log.isMore ? 'and others, not counted' : 'above 20 a second'}>
        <Count value={log.leftOut} />
      </Figure>
    </Figures>
  )
}
