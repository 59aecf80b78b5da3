/** Below the player: which page is shown, in which window, how large it was; and the person's other recordings. */
import { useMemo } from 'react'
import type { Player } from '../../data/recordings/use-player.ts'
import { useStore } from '../../data/store.ts'
import { Button } from '../../kit/form/button.tsx'
import styles from './replay.module.css'
import type { Beside } from './use-beside.ts'

export function ReplayFoot({ player, beside }: { player: Player; beside: Beside }) {
  const { before, after, others, go } = beside
  return (
    <div className={styles.foot}>
      <Shown player={player} />
      {others > 0 && (
        <span className={styles.others}>
          <Button small kind="quiet" disabled={before === undefined} title="p" onClick={() => go(-1)}>
            Earlier
          </Button>
          <span>{others === 1 ? '1 more of this person' : `${others} more of this person`}</span>
          <Button small kind="quiet" disabled={after === undefined} title="n" onClick={() => go(1)}>
            Later
          </Button>
        </span>
      )}
    </div>
  )
}

function Shown({ player }: { player: Player }) {
  const { time, windowId } = useStore(player.state)
  const pages = useMemo(() => player.entries.filter(({ kind }) => kind === 'page'), [player.entries])
  const windows = useMemo(() => [...new Set(pages.map((page) => page.windowId))], [pages])
  if (windowId === null) return <span />
  const page = pages.findLast((one) => one.windowId === windowId && one.timestamp <= time)
  return (
    <span className={styles.shown}>
      <span className={styles.url}>{page?.text}</span>
      {windows.length > 1 && (
        <span>
          window {windows.indexOf(windowId) + 1} of {windows.length}
        </span>
      )}
      {page?.width !== undefined && (
        <span>
          {page.width} × {page.height}
        </span>
      )}
    </span>
  )
}
