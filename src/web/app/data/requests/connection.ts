/** How well the server can be reached, for the line above the screens. */
import { createStore } from '../store.ts'

export interface Connection {
  offline: boolean
  /** Requests that have taken longer than one would expect. */
  slow: number
  /** The server is busy: when it is asked again, in milliseconds since the epoch. */
  retryAt: number | null
  /** The server has another build of the app. */
  outdated: boolean
}

export const connection = createStore<Connection>({ offline: false, slow: 0, retryAt: null, outdated: false })

export const note = (change: Partial<Connection>): void => connection.set((now) => ({ ...now, ...change }))
