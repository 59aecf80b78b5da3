/** The only client of the API. What it gives is typed by the API's own document; what it throws is an ApiProblem. */
import createClient from 'openapi-fetch'
import { problemOf } from './requests/api-problem.ts'
import { connection, note } from './requests/connection.ts'
import { askForProof } from './requests/proof.ts'
import { remember } from './requests/request-log.ts'
import { createTransport } from './requests/transport.ts'
import type { paths } from './schema.d.ts'
import { addressOf, base, leaveFor } from './session.ts'

/** Without what stands before every path of the app. */
const screenPath = (): string => location.pathname.slice(addressOf('').length) || '/'

function wait(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

const transport = createTransport({
  fetch: (input, init) => fetch(input, init),
  now: Date.now,
  wait,
  // Also over plain HTTP, where browsers offer no randomUUID.
  newKey: () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-'),
  note,
  slow: (by) => connection.set((now) => ({ ...now, slow: now.slow + by })),
  remember,
  screen: screenPath,
  signedOut: () => leaveFor(`/login?next=${encodeURIComponent(screenPath() + location.search)}`),
  prove: askForProof,
})

export const api = createClient<paths>({ baseUrl: base.href, fetch: transport })

/** Server-sent events of a path below the root of the server. A browser opens it again by itself. */
export function openStream(path: string): EventSource {
  const url = new URL(path, base)
  const started = Date.now()
  const source = new EventSource(url)
  const opened = () => {
    const ms = Date.now() - started
    remember(
      { method: 'GET', url: url.href, body: null },
      { screen: screenPath(), status: 200, ms, bytes: null, requestId: null },
    )
  }
  source.addEventListener('open', opened, { once: true })
  return source
}

interface Answered<T> {
  data?: T
  error?: unknown
  response: Response
}

/** What the API answered, or throws its refusal. */
export async function answerOf<T>(call: Promise<Answered<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call
  if (error !== undefined) throw problemOf(response, error)
  return data as NonNullable<T>
}
