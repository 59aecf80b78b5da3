/**
 * POST to a URL that a user chose. The text of the URL, every address its name resolves to and every hop of
 * a redirect are checked (lib/net/safe-url.ts, request-filtering-agent); hosts on the operator's allow list skip the
 * host check. Does not use fetch, which ignores agents. Bounded: time per hop, three redirects, 64 KB of response.
 */
import { type LookupAddress, lookup as lookUpName } from 'node:dns'
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'
import { checkUrl, isAllowedHost, isPublicAddress } from '../lib/net/safe-url.ts'
import { SECOND } from '../lib/time/time.ts'
import { type Outcome, refused, retry } from './outcome.ts'

export interface HttpPostParts {
  /** Hosts that may be private. */
  allow: readonly string[]
  timeoutMs?: number
  /** Resolves names; the system's resolver by default. */
  lookup?: typeof lookUpName
}

interface HttpMessage {
  body: string
  headers: Record<string, string>
  /** 3 unless given. */
  redirects?: number
}

export type HttpAnswer = { status: number; text: string } | { failure: Outcome }

export type HttpPost = (url: string, message: HttpMessage) => Promise<HttpAnswer>

const TIMEOUT = 10 * SECOND
const MAX_REDIRECTS = 3
const MAX_ANSWER = 64 * 1_024
const REDIRECTS = new Set([301, 302, 307, 308])

class PrivateAddress extends Error {}

/** As the system's look-up, but fails for a name that resolves to an address that is not public. */
const publicLookup =
  (lookup: typeof lookUpName): NonNullable<RequestOptions['lookup']> =>
  (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, '', 0)
      const [first] = found
      if (!first || !found.every(({ address }) => isPublicAddress(address))) {
        return done(new PrivateAddress(`${name} leads to an address that is not public`), '', 0)
      }
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })

/** The start of the response; the rest is not read. */
async function readStart(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer) {
    parts.push(part as Buffer)
    length += (part as Buffer).length
    if (length >= MAX_ANSWER) break
  }
  return Buffer.concat(parts).subarray(0, MAX_ANSWER).toString('utf8')
}

interface Hop {
  status: number
  location: string | undefined
  text: string
}

function exchange(sending: ClientRequest, body: string, timeoutMs: number): Promise<Hop> {
  return new Promise<Hop>((resolve, reject) => {
    const timer = setTimeout(() => {
      sending.destroy(Object.assign(new Error(`no answer within ${timeoutMs / SECOND} s`), { code: 'ETIMEDOUT' }))
    }, timeoutMs)
    const end = <T>(settle: (value: T) => void) => {
      return (value: T) => {
        clearTimeout(timer)
        settle(value)
      }
    }
    sending.on('error', end(reject))
    sending.on('response', (answer) => {
      const { statusCode: status = 0, headers } = answer
      readStart(answer).then(
        end((text: string) => resolve({ status, location: headers.location, text })),
        end(reject),
      )
    })
    sending.end(body)
  })
}

function failureOf(error: unknown, host: string, sending: ClientRequest): Outcome {
  const { code, message } = error as NodeJS.ErrnoException
  const isPrivate = error instanceof PrivateAddress || /is not allowed\. Because,? It is/i.test(message)
  if (isPrivate) return refused(`${host} leads to an address that is not public.`)
  // Once all of it was written, the receiver may have processed it.
  const written = sending.writableFinished && sending.socket?.connecting !== true
  const reason = code === 'ETIMEDOUT' && !/connect/.test(message) ? message : (code ?? 'the connection failed')
  return retry(`${host}: ${reason}.`, written)
}

const nextAddress = (location: string, from: URL): string =>
  URL.canParse(location, from.href) ? new URL(location, from).href : location

/** The URL of the next hop, or why it is not called. */
function checkHop(text: string, from: URL | null, allow: readonly string[]): { url: URL } | { failure: Outcome } {
  const checked = checkUrl(text, allow)
  if ('reason' in checked) {
    return { failure: refused(`${from ? `The redirect of ${from.host}` : 'The URL'} is unsafe: ${checked.reason}.`) }
  }
  if (from?.protocol === 'https:' && checked.url.protocol === 'http:') {
    return { failure: refused(`${from.host} redirects from https to http.`) }
  }
  return checked
}

export function createHttpPost({ allow, timeoutMs = TIMEOUT, lookup = lookUpName }: HttpPostParts): HttpPost {
  const guards = { http: new RequestFilteringHttpAgent(), https: new RequestFilteringHttpsAgent() }
  const open = {
    http: new RequestFilteringHttpAgent({ allowPrivateIPAddress: true }),
    https: new RequestFilteringHttpsAgent({ allowPrivateIPAddress: true }),
  }

  function begin(url: URL, { body, headers }: HttpMessage): ClientRequest {
    const scheme = url.protocol === 'https:' ? 'https' : 'http'
    const isAllowed = isAllowedHost(url, allow)
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' },
      agent: (isAllowed ? open : guards)[scheme],
      lookup: isAllowed ? (lookup as NonNullable<RequestOptions['lookup']>) : publicLookup(lookup),
    }
    return scheme === 'https' ? httpsRequest(url, options) : httpRequest(url, options)
  }

  async function postOnce(url: URL, message: HttpMessage): Promise<Hop | { failure: Outcome }> {
    const sending = begin(url, message)
    try {
      return await exchange(sending, message.body, timeoutMs)
    } catch (error) {
      return { failure: failureOf(error, url.host, sending) }
    } finally {
      sending.destroy()
    }
  }

  return async (address, message) => {
    const { redirects = MAX_REDIRECTS } = message
    let next = address
    let from: URL | null = null
    for (let hop = 0; hop <= redirects; hop++) {
      const checked = checkHop(next, from, allow)
      if ('failure' in checked) return checked
      const answer = await postOnce(checked.url, message)
      if ('failure' in answer) return answer
      if (!REDIRECTS.has(answer.status) || answer.location === undefined) return answer
      next = nextAddress(answer.location, checked.url)
      from = checked.url
    }
    return { failure: refused(`${from?.host ?? 'The target'} redirects more than ${redirects} times.`) }
  }
}
