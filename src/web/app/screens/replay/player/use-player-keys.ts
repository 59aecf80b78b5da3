/** The keys of the player, as shortcuts.ts lists them. */
import { useKeys } from '../../../data/keyboard.ts'
import type { Player } from '../../../data/recordings/use-player.ts'
import { SPEEDS, type Speed } from '../replay.search.ts'

export const STEP_MS = 10_000
/** As films have them; a recording has no frames of its own. */
const FRAME_MS = 1_000 / 24
/** While it plays, the row that was just gone to is not yet the one before. */
const GRACE_MS = 1_000

interface Options {
  player: Player
  speed: Speed
  /** The time of the row before a time, or of the one after it. */
  beside: (time: number, step: 1 | -1) => number | undefined
  onSpeed: (speed: Speed) => void
  onSkip: () => void
  onList: () => void
  onFullScreen: () => void
  onCopy: () => void
  /** To the recording of the same person after this one, or before it. */
  onRecording: (step: 1 | -1) => void
}

export function usePlayerKeys(options: Options): void {
  const { player, speed, beside, onSpeed, onSkip, onList, onFullScreen, onCopy, onRecording } = options
  const seekBy = (ms: number) => player.seek(player.state.get().time + ms)
  const faster = (steps: number) => {
    const next = SPEEDS[SPEEDS.indexOf(speed) + steps]
    if (next !== undefined) onSpeed(next)
  }
  const toFrame = (step: 1 | -1) => {
    player.tell({ do: 'pause' })
    seekBy(step * FRAME_MS)
  }
  const toRow = (step: 1 | -1) => {
    const { time, isPlaying } = player.state.get()
    const found = beside(step === -1 && isPlaying ? time - GRACE_MS : time, step)
    if (found !== undefined) player.seek(found)
  }
  useKeys({
    ' ': () => player.tell({ do: player.state.get().isPlaying ? 'pause' : 'play' }),
    ArrowLeft: () => seekBy(-STEP_MS),
    ArrowRight: () => seekBy(STEP_MS),
    'Alt+ArrowLeft': () => toFrame(-1),
    'Alt+ArrowRight': () => toFrame(1),
    'Shift+ArrowLeft': () => toRow(-1),
    'Shift+ArrowRight': () => toRow(1),
    ',': () => faster(-1),
    '.': () => faster(1),
    s: onSkip,
    i: onList,
    f: onFullScreen,
    c: onCopy,
    n: () => onRecording(1),
    p: () => onRecording(-1),
    ...Object.fromEntries(SPEEDS.map((one, at) => [String(at + 1), () => onSpeed(one)])),
  })
}
