/** Follows events while the screen is looked at and not paused; what came is drawn a few times a second at most. */
import { useEffect, useState } from 'react'
import { liveParts } from '../../data/events/event-stream.ts'
import { followLive, type LiveWay } from '../../data/events/live-events.ts'
import type { EventRow } from '../../data/events.ts'
import type { LiveState } from './live.search.ts'
import { type LiveLog, NOTHING, withEvents, withLeftOut } from './live-log.ts'

const DRAW_MS = 200

/** Whether the tab is hidden. */
function useHidden(): boolean {
  const [isHidden, setHidden] = useState(document.hidden)
  useEffect(() => {
    const changed = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  }, [])
  return isHidden
}

/** Gathers events, and hands them on together. */
function gather(draw: (events: EventRow[]) => void) {
  let waiting: EventRow[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    draw(waiting)
    waiting = []
  }
  return {
    add(events: EventRow[]) {
      waiting.push(...events)
      timer ??= setTimeout(flush, DRAW_MS)
    },
    stop: () => clearTimeout(timer),
  }
}

export function useLive(projectId: number, { event, distinct_id }: LiveState) {
  const [log, setLog] = useState<LiveLog>(NOTHING)
  const [way, setWay] = useState<LiveWay>('connecting')
  const [error, setError] = useState<unknown>(null)
  const [isPaused, setPaused] = useState(false)
  const isHidden = useHidden()
  const isRunning = !isPaused && !isHidden
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another filter one looks at something else
  useEffect(() => setLog(NOTHING), [projectId, event, distinct_id])
  useEffect(() => {
    if (!isRunning) return
    const gathered = gather((events) => setLog((now) => withEvents(now, events, Date.now())))
    const stop = followLive({
      ...liveParts(projectId, { event, distinct_id }),
      heard: {
        way: setWay,
        events: gathered.add,
        leftOut: (count, isMore) => setLog((now) => withLeftOut(now, count, isMore, Date.now())),
        failed: setError,
      },
    })
    return () => {
      stop()
      gathered.stop()
      setWay('connecting')
    }
  }, [projectId, event, distinct_id, isRunning])
  return { log, way, error, isPaused, setPaused, clear: () => setLog(NOTHING) }
}
