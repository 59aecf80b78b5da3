/**
 * How a request goes to the server, whichever it is: creates carry a key that makes repeating them safe; a busy server is
 * asked again when it says so; whoever is no longer signed in is led to the sign-in page, and who has to prove it once
 * more is asked and the request repeated. Everything it needs of its surroundings is handed in.
 */
import { unreachable } from './api-problem.ts'
import type { Connection } from './connection.ts'
import type { Sent } from './curl-line.ts'
import type { Remembered } from './request-log.ts'

export interface TransportParts {
  fetch: typeof fetch
  now: () => number
  /** Rejects when the signal is aborted. */
  wait: (ms: number, signal: AbortSignal | null) => Promise<void>
  newKey: () => string
  note: (change: Partial<Connection>) => void
  /** A request has begun to be slow (1), or has ended (-1). */
  slow: (by: 1 | -1) => void
  remember: (sent: Sent, rest: Omit<Remembered, keyof Sent | 'id'>) => void
  /** The path of the app that is shown. */
  screen: () => string
  /** Nobody is signed in any more. */
  signedOut: () => void
  /** Has the user prove who they are; false when they do not. */
  prove: () => Promise<boolean>
}

const SLOW_MS = 3_000
/** When a busy server does not say for how long. */
const PAUSE_MS = 2_000
const MOST_TRIES = 5
/** Where a wrong credential is no end of a session. */
const SIGNING_IN = /\/(?:api\/(?:login|signup|reset)|_preflight)\/?$/

const isCreate = (method: string, url: string): boolean => method === 'POST' && !SIGNING_IN.test(new URL(url).pathname)

function pauseOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? Math.max(seconds, 0.5) * 1_000 : PAUSE_MS
}

async function asksForProof(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  try {
    return ((await response.clone().json()) as { code?: string }).code === 'recent_sign_in_required'
  } catch {
    return false
  }
}

const never = <T>(): Promise<T> => new Promise(() => undefined)

export function createTransport(parts: TransportParts): typeof fetch {
  /** One try, measured and remembered. */
  const attempt = async (sent: Sent, init: RequestInit): Promise<Response> => {
    const [screen, started] = [parts.screen(), parts.now()]
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      parts.slow(1)
    }, SLOW_MS)
    const tell = (response: Response | null) =>
      parts.remember(sent, {
        screen,
        status: response?.status ?? null,
        ms: Math.round(parts.now() - started),
        bytes: response?.headers.has('content-length') ? Number(response.headers.get('content-length')) : null,
        requestId: response?.headers.get('x-request-id') ?? null,
      })
    try {
      const response = await parts.fetch(sent.url, init)
      parts.note({ offline: false })
      tell(response)
      return response
    } catch (error) {
      if (init.signal?.aborted) throw error
      parts.note({ offline: true })
      tell(null)
      throw unreachable()
    } finally {
      clearTimeout(timer)
      if (isSlow) parts.slow(-1)
    }
  }

  /** Asks a busy server again, where that changes nothing twice. */
  const persist = async (sent: Sent, init: RequestInit): Promise<Response> => {
    const isSafe = sent.method === 'GET' || new Headers(init.headers).has('idempotency-key')
    for (let tries = 1; ; tries++) {
      const response = await attempt(sent, init)
      if (response.status !== 503 || !isSafe || tries === MOST_TRIES) return response
      const pause = pauseOf(response)
      parts.note({ retryAt: parts.now() + pause })
      try {
        await parts.wait(pause, init.signal ?? null)
      } finally {
        parts.note({ retryAt: null })
      }
    }
  }

  const prepare = (input: string | URL | Request, init: RequestInit) => {
    const url = String(input instanceof Request ? input.url : input)
    const method = init.method ?? 'GET'
    const headers = new Headers(init.headers)
    if (isCreate(method, url) && !headers.has('idempotency-key')) headers.set('idempotency-key', parts.newKey())
    const sent = { method, url, body: typeof init.body === 'string' ? init.body : null }
    return { sent, whole: { ...init, headers, credentials: 'same-origin' } satisfies RequestInit }
  }

  return async (input, init = {}) => {
    const { sent, whole } = prepare(input, init)
    const response = await persist(sent, whole)
    if (SIGNING_IN.test(new URL(sent.url).pathname)) return response
    if (response.status === 401) {
      parts.signedOut()
      return never()
    }
    if (!(await asksForProof(response)) || !(await parts.prove())) return response
    // The refusal is remembered under the key that the first try carried.
    if (whole.headers.has('idempotency-key')) whole.headers.set('idempotency-key', parts.newKey())
    return persist(sent, whole)
  }
}
