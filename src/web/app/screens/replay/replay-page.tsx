/** A recording: its head, the player with its controls, and the list of what happened. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { clockTime } from '../../../../lib/time/clock-time.ts'
import { type Recording, snapshotsAddress } from '../../data/recordings/recordings.ts'
import { type Player, usePlayer } from '../../data/recordings/use-player.ts'
import { useProject } from '../../data/session.ts'
import { useSearchState } from '../../data/use-search.ts'
import { classes } from '../../kit/class-names.ts'
import { Button } from '../../kit/form/button.tsx'
import { Empty } from '../../kit/state/empty.tsx'
import { Notice } from '../../kit/state/notice.tsx'
import { Skeleton } from '../../kit/state/skeleton.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { rowBeside } from './inspector/inspector-rows.ts'
import { useInspector } from './inspector/use-inspector.ts'
import { Controls } from './player/controls.tsx'
import { PlayerStage } from './player/player-stage.tsx'
import { usePlayerKeys } from './player/use-player-keys.ts'
import styles from './replay.module.css'
import { replaySearch } from './replay.search.ts'
import { ReplayFoot } from './replay-foot.tsx'
import { ReplayHead } from './replay-head.tsx'
import { useBeside } from './use-beside.ts'
import { secondOf, useCopyLink } from './use-copy-link.ts'
import { useSeen } from './use-seen.ts'

/** Loaded when they are wanted: what is recorded comes first. */
const Inspector = lazy(() => import('./inspector/inspector.tsx').then((file) => ({ default: file.Inspector })))
const ShareDialog = lazy(() => import('./share/share-dialog.tsx').then((file) => ({ default: file.ShareDialog })))

/** How it plays is in the address. */
function useSettings(player: Player): void {
  const [{ speed, skip }] = useSearchState(replaySearch)
  const { tell, span } = player
  useEffect(() => {
    if (span === null) return
    tell({ do: 'speed', speed: Number(speed) })
    tell({ do: 'skip', skips: skip === 'on' })
  }, [tell, span, speed, skip])
}

interface ReplayPageProps {
  recording: Recording
  /** Something of it could not be read: it may be gone. */
  onLost: () => unknown
}

export function ReplayPage({ recording, onLost }: ReplayPageProps) {
  const project = useProject()
  const [state, change] = useSearchState(replaySearch)
  const start = Date.parse(recording.start_time)
  const player = usePlayer({ source: snapshotsAddress(project.id, recording.id), start, at: state.t })
  const place = useRef<HTMLDivElement>(null)
  const inspected = useInspector(player, recording.id)
  const beside = useBeside(recording)
  const seen = useSeen(recording)
  const copyLink = useCopyLink(player, start)
  const switchFullScreen = () => void toggleFullScreen(place.current)
  useSettings(player)
  const isLost = player.lost > 0 || player.problem !== null
  useEffect(() => {
    if (isLost) onLost()
  }, [isLost, onLost])
  usePlayerKeys({
    player,
    speed: state.speed,
    beside: (time, step) => rowBeside(inspected.rows, time, step)?.timestamp,
    onSpeed: (speed) => change({ speed }),
    onSkip: () => change({ skip: state.skip === 'on' ? 'off' : 'on' }),
    onList: () => change({ list: state.list === 'on' ? 'off' : 'on' }),
    onFullScreen: switchFullScreen,
    onCopy: copyLink,
    onRecording: beside.go,
  })
  const head = { recording, seen, onCopy: copyLink }
  return (
    <>
      <ReplayHead {...head} onShare={() => change({ do: 'share' })} onDelete={() => change({ do: 'delete' })} />
      <div className={classes(styles.beside, state.list === 'off' && styles.alone)}>
        <div className={styles.player} ref={place}>
          <Picture recording={recording} player={player} remote={state.remote === 'on'} />
          {player.span && <Controls player={player} span={player.span} onFullScreen={switchFullScreen} />}
          <ReplayFoot player={player} beside={beside} />
        </div>
        {state.list === 'on' && (
          <Suspense fallback={<Skeleton lines={8} />}>
            <Inspector {...inspected} player={player} sessionId={recording.id} start={player.span?.start ?? start} />
          </Suspense>
        )}
      </div>
      <Asked recording={recording} second={() => secondOf(player, start)} />
    </>
  )
}

async function toggleFullScreen(place: HTMLElement | null): Promise<void> {
  // Refused where a browser does not allow it.
  await (document.fullscreenElement ? document.exitFullscreen() : place?.requestFullscreen())?.catch(() => undefined)
}

/** The frame, or why there is none. */
function Picture({ recording, player, remote }: { recording: Recording; player: Player; remote: boolean }) {
  const [loads, setLoads] = useState(0)
  if (recording.snapshot_source === 'mobile')
    return (
      <Empty title="Recorded by a mobile app">
        Its pictures are of a kind that the browser cannot play. What happened stands beside; the export has all of it.
      </Empty>
    )
  return (
    <>
      <Grown recording={recording} player={player} onLoad={() => setLoads(loads + 1)} />
      <PlayerStage key={loads} player={player} remote={remote} />
    </>
  )
}

/** The dialog that the address names. */
function Asked({ recording, second }: { recording: Recording; second: () => number }) {
  const [state, change] = useSearchState(replaySearch)
  const close = () => void change({ do: 'watch' })
  if (state.do === 'delete') return <DeleteDialog recording={recording} onClose={close} />
  if (state.do !== 'share') return null
  return (
    <Suspense>
      <ShareDialog recording={recording} second={second()} onClose={close} />
    </Suspense>
  )
}

/** By less it differs while the last block is on its way. */
const LEAST_MS = 2_000

interface GrownProps {
  recording: Recording
  player: Player
  onLoad: () => void
}

/** Says that a recording goes further than what is loaded of it. */
function Grown({ recording, player: { span }, onLoad }: GrownProps) {
  const more = span === null ? 0 : Date.parse(recording.end_time) - span.end
  if (more < LEAST_MS) return null
  return (
    <Notice>
      <span>{clockTime(more)} more was recorded meanwhile.</span>{' '}
      <Button small onClick={onLoad}>
        Load it
      </Button>
    </Notice>
  )
}
