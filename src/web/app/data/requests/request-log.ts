/** The last requests of each screen, without secrets, for "Show request". Answers are not kept. */

import { createStore } from '../store.ts'
import type { Sent } from './curl-line.ts'
import { hideInBody, hideInUrl } from './hide-secrets.ts'

export interface Remembered extends Sent {
  id: number
  /** The path of the app at which it was sent. */
  screen: string
  /** Null: there was no answer. */
  status: number | null
  ms: number
  bytes: number | null
  requestId: string | null
}

const MOST = 60
/** Requests that are nothing but secrets. */
const NEVER = /\/(?:api\/(?:login|signup|reset)|logout)\/?$/

export const requestLog = createStore<readonly Remembered[]>([])

let count = 0

export function remember(sent: Sent, rest: Omit<Remembered, keyof Sent | 'id'>): void {
  if (NEVER.test(new URL(sent.url).pathname)) return
  count += 1
  const { method, url, body } = sent
  const entry = { ...rest, id: count, method, url: hideInUrl(url), body: body === null ? null : hideInBody(body) }
  // What is asked for again and again is there once.
  const isAgain = (one: Remembered): boolean =>
    [one, entry].every((either) => either.method === 'GET') && one.url === entry.url && one.screen === entry.screen
  requestLog.set((all) => [entry, ...all.filter((one) => !isAgain(one))].slice(0, MOST))
}
