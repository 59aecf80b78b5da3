/** The rows in sight of the list; the one that the time has come to is marked, and kept in sight until somebody scrolls. */
import { memo, type Ref, useEffect, useMemo, useRef, useState } from 'react'
import type { Player } from '../../../data/recordings/use-player.ts'
import { useProject } from '../../../data/session.ts'
import { useStore } from '../../../data/store.ts'
import { useSearchState } from '../../../data/use-search.ts'
import { Button } from '../../../kit/form/button.tsx'
import { type ListHandle, ListTable } from '../../../kit/list/list-table.tsx'
import { Empty } from '../../../kit/state/empty.tsx'
import { replaySearch } from '../replay.search.ts'
import { zoneOf } from './clock.ts'
import styles from './inspector.module.css'
import { columnsFor } from './inspector-columns.tsx'
import { type InspectorRow, rowAtTime } from './inspector-rows.ts'

const HEIGHTS = [2.5, 4.5] as const

interface InspectorListProps {
  rows: readonly InspectorRow[]
  player: Player
  start: number
}

export function InspectorList({ rows, player, start }: InspectorListProps) {
  const { time } = useStore(player.state)
  const now = rowAtTime(rows, time)
  const [isFollowing, setFollowing] = useState(true)
  const handle = useRef<ListHandle>(null)
  useEffect(() => {
    if (isFollowing && now >= 0) handle.current?.scrollTo(now)
  }, [isFollowing, now])
  const stop = () => setFollowing(false)
  if (rows.length === 0) return <Empty title="Nothing of this kind">Nothing in what was read so far.</Empty>
  return (
    <>
      <div
        className={styles.scroller}
        onWheel={stop}
        onTouchMove={stop}
        // Only its scroll bar is its own.
        onPointerDown={({ target, currentTarget }) => target === currentTarget && stop()}
      >
        <Rows rows={rows} now={now} onGo={player.seek} start={start} handle={handle} />
      </div>
      {!isFollowing && (
        <div className={styles.back}>
          <Button small onClick={() => setFollowing(true)}>
            Back to now
          </Button>
        </div>
      )}
    </>
  )
}

interface RowsProps extends Pick<InspectorListProps, 'rows' | 'start'> {
  now: number
  onGo: Player['seek']
  handle: Ref<ListHandle>
}

/** Drawn again when the time comes to another row, not with each frame. */
const Rows = memo(function Rows({ rows, now, onGo, start, handle }: RowsProps) {
  const project = useProject()
  const [{ clock }] = useSearchState(replaySearch)
  const columns = useMemo(
    () => columnsFor({ project, start, zone: zoneOf(clock, project.timezone), onGo }),
    [project, start, clock, onGo],
  )
  return (
    <ListTable
      label="What happened"
      columns={columns}
      count={rows.length}
      rowAt={(index) => rows[index]}
      keyOf={(index) => rows[index]?.id ?? index}
      rowHeight={HEIGHTS}
      isMarked={(row) => row === rows[now]}
      handle={handle}
    />
  )
})
