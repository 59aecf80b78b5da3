/**
 * Events as they are stored: told by the server as a stream or, where that cannot be had, asked for every two seconds. The
 * stream is tried again meanwhile.
 */
import type { components } from '../schema.d.ts'

type EventRow = components['schemas']['Event']

export type LiveWay = 'connecting' | 'stream' | 'polling'

interface Heard {
  way: (way: LiveWay) => void
  /** Newest last. */
  events: (events: EventRow[]) => void
  /** Events that matched and were not sent. `isMore`: there were others, which were not even looked at. */
  leftOut: (count: number, isMore: boolean) => void
  /** Asking failed; null when it works again. */
  failed: (error: unknown) => void
}

/** What is used of the browser's own. */
type Stream = Pick<EventSource, 'readyState' | 'onopen' | 'onmessage' | 'onerror' | 'addEventListener' | 'close'>

export interface LiveParts {
  openStream: () => Stream
  /** The newest events that match, newest first. */
  ask: (signal: AbortSignal) => Promise<EventRow[]>
  heard: Heard
}

/** As `EventSource.CLOSED`. */
const CLOSED = 2

const POLL_MS = 2_000
const OPEN_WITHIN_MS = 8_000
const AGAIN_MS = 30_000

/** Those of `page` that were not in the one before, oldest first. */
const unseen = (page: readonly EventRow[], before: ReadonlySet<string>): EventRow[] =>
  page.filter(({ uuid }) => !before.has(uuid)).toReversed()

/** Asks until it is stopped. What is there at first is not new. */
function poll({ ask, heard }: LiveParts): () => void {
  const stopped = new AbortController()
  let seen: Set<string> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    try {
      const page = await ask(stopped.signal)
      if (stopped.signal.aborted) return
      if (seen !== null) heard.events(unseen(page, seen))
      seen = new Set(page.map(({ uuid }) => uuid))
      heard.failed(null)
    } catch (error) {
      if (stopped.signal.aborted) return
      heard.failed(error)
    }
    timer = setTimeout(look, POLL_MS)
  }
  void look()
  return () => {
    stopped.abort()
    clearTimeout(timer)
  }
}

/** One try of the stream: `over` is called once, when it cannot be had or has ended for good. */
function listen({ openStream, heard }: LiveParts, opened: () => void, over: () => void): () => void {
  const source = openStream()
  // Something in between may hold everything back, without an error.
  const late = setTimeout(() => end(over), OPEN_WITHIN_MS)
  const end = (then: () => void = () => undefined) => {
    clearTimeout(late)
    source.close()
    then()
  }
  source.onopen = () => {
    clearTimeout(late)
    opened()
  }
  source.onmessage = ({ data }) => heard.events([JSON.parse(data) as EventRow])
  source.addEventListener('left_out', ({ data }: MessageEvent<string>) => {
    const { count, more } = JSON.parse(data) as { count: number; more: boolean }
    heard.leftOut(count, more)
  })
  source.onerror = () => {
    // A browser asks again by itself, unless the answer was no stream.
    if (source.readyState === CLOSED) end(over)
    else heard.way('connecting')
  }
  return () => end()
}

/** Until it is stopped. */
export function followLive(parts: LiveParts): () => void {
  let stopListening: () => void = () => undefined
  let stopAsking: (() => void) | null = null
  let again: ReturnType<typeof setTimeout> | undefined
  const opened = () => {
    stopAsking?.()
    stopAsking = null
    parts.heard.failed(null)
    parts.heard.way('stream')
  }
  const over = () => {
    parts.heard.way('polling')
    stopAsking ??= poll(parts)
    again = setTimeout(begin, AGAIN_MS)
  }
  function begin(): void {
    stopListening = listen(parts, opened, over)
  }
  parts.heard.way('connecting')
  begin()
  return () => {
    clearTimeout(again)
    stopListening()
    stopAsking?.()
  }
}
