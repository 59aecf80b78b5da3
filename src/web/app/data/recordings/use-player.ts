/** The player in its frame: what it is told, and what it has told. The time changes with each frame and is kept apart. */
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { createStore, type Store } from '../store.ts'
import type { ActivitySpan, PlayerCommand, PlayerEntry, PlayerReport, PlayerState } from './player.ts'

const SECOND = 1_000

export interface Span {
  /** Times of the first frame and of the last event. */
  start: number
  end: number
}

export interface Player {
  frame: RefObject<HTMLIFrameElement | null>
  state: Store<PlayerState>
  /** Null until there is a frame to see. */
  span: Span | null
  entries: readonly PlayerEntry[]
  /** Where the visitor was active, as far as it has been read. */
  activity: readonly ActivitySpan[]
  /** Blocks that could not be read. */
  lost: number
  problem: string | null
  tell: (command: PlayerCommand) => void
  /** What is shown of the time is that one at once: a slider that waits for the frame jumps back under the finger. */
  seek: (time: number) => void
  /** After a problem; whoever draws the frame draws it anew. */
  retry: () => void
}

interface Opened {
  source: string
  /** Of the recording. */
  start: number
  at: string
}

export function usePlayer({ source, start, at }: Opened): Player {
  const frame = useRef<HTMLIFrameElement>(null)
  const state = useMemo(
    () =>
      createStore<PlayerState>({ time: start, isPlaying: false, isWaiting: true, isSkipping: false, windowId: null }),
    [start],
  )
  const [span, setSpan] = useState<Span | null>(null)
  const [entries, setEntries] = useState<readonly PlayerEntry[]>([])
  const [activity, setActivity] = useState<readonly ActivitySpan[]>([])
  const [lost, setLost] = useState(0)
  const [problem, setProblem] = useState<string | null>(null)
  // Where it began; the address changes while it plays.
  const first = useRef(at)
  const rests = useRef(false)
  const seeks = useRef(0)
  const tell = useCallback((command: PlayerCommand) => {
    frame.current?.contentWindow?.postMessage(command, location.origin)
  }, [])
  const seek = useCallback(
    (time: number) => {
      const within = span === null ? time : Math.max(span.start, Math.min(time, span.end))
      state.set((now) => ({ ...now, time: within }))
      seeks.current += 1
      tell({ do: 'seek', time: within, count: seeks.current })
    },
    [state, span, tell],
  )
  const retry = useCallback(() => setProblem(null), [])
  const reopen = useCallback(() => {
    // The frame was loaded again, for another theme, other images or what was recorded since: it goes on as it was.
    const { time, isPlaying } = state.get()
    rests.current = time > start && !isPlaying
    seeks.current = 0
    setEntries([])
    tell({ do: 'open', source, start, at: time > start ? String((time - start) / SECOND) : first.current })
  }, [source, start, state, tell])
  useEffect(() => {
    const hear = (report: PlayerReport) => {
      switch (report.is) {
        case 'ready':
          return reopen()
        case 'open':
          if (rests.current) tell({ do: 'pause' })
          return setSpan({ start: report.start, end: report.end })
        case 'problem':
          return setProblem(report.problem)
        case 'entries':
          return setEntries((now) => (report.anew ? report.entries : [...now, ...report.entries]))
        case 'activity':
          return setActivity(report.spans)
        case 'state':
          // Of a time before the last seek, it would take the next key to a wrong one; another follows.
          if (report.seeks < seeks.current) return
          state.set(() => report.state)
          return setLost(report.lost)
      }
    }
    const received = ({ source: from, origin, data }: MessageEvent) => {
      if (from !== null && from === frame.current?.contentWindow && origin === location.origin)
        hear(data as PlayerReport)
    }
    window.addEventListener('message', received)
    return () => window.removeEventListener('message', received)
  }, [state, reopen, tell])
  return { frame, state, span, entries, activity, lost, problem, tell, seek, retry }
}
