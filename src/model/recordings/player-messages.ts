/** What the web app and the frame in which it plays a recording tell each other. Times are milliseconds since the epoch. */

/** From the app. */
export type PlayerCommand =
  | {
      do: 'open'
      /** The address of the recording's snapshots. */
      source: string
      /** Of the recording. */
      start: number
      /** The parameter `t` of the app's address; empty: from the start. */
      at: string
    }
  | { do: 'play' | 'pause' }
  /** `count`: of the seeks so far. */
  | { do: 'seek'; time: number; count: number }
  | { do: 'speed'; speed: number }
  | { do: 'skip'; skips: boolean }

/** What a list beside the player shows of the recorded events. */
export interface PlayerEntry {
  kind: 'page' | 'click' | 'log' | 'warn' | 'error' | 'request'
  timestamp: number
  text: string
  /** Of a request: its method, the status of the answer and how long it took, as far as they are known. */
  method?: string
  status?: number
  milliseconds?: number
  /** Of a page: where it was seen, and how large it was. */
  windowId?: string
  width?: number
  height?: number
}

export interface PlayerState {
  time: number
  /** Or does as soon as what is waited for has come. */
  isPlaying: boolean
  isWaiting: boolean
  /** Idle time is passing faster. */
  isSkipping: boolean
  /** Which of the visitor's windows is shown; null: none yet. */
  windowId: string | null
}

/** A stretch of what was read; the visitor did something in it, or nothing. */
export interface ActivitySpan {
  from: number
  to: number
  isActive: boolean
}

/** From the frame. */
export type PlayerReport =
  /** It listens. */
  | { is: 'ready' }
  /** There is a frame to see; `start` is its time. */
  | { is: 'open'; start: number; end: number }
  /** `seeks`: how many it had been told of. */
  | { is: 'state'; state: PlayerState; lost: number; seeks: number }
  /** `anew`: instead of all that came before. */
  | { is: 'entries'; entries: PlayerEntry[]; anew: boolean }
  /** Instead of what came before: where the visitor was active, as far as it has been read. */
  | { is: 'activity'; spans: ActivitySpan[] }
  | { is: 'problem'; problem: string }
