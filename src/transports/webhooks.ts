/** Messages sent as one HTTP request: signed webhooks, Slack (incoming webhook, or a bot's channel) and Teams. */
import { createHmac } from 'node:crypto'
import { SECOND } from '../lib/time/time.ts'
import { version } from '../lib/version.ts'
import type { HttpAnswer, HttpPost } from './http-post.ts'
import { accepted, gone, type Outcome, refused, retry } from './outcome.ts'

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'user-agent': `Hedgerow/${version()}` }

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'the target')

const isSuccess = (status: number): boolean => status >= 200 && status < 300
/** Temporary errors: too early, too slow, too many requests, server errors. */
const isTemporary = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

/** `t=<unix>,v1=<hex>`: the HMAC-SHA256 of `<unix>.<body>`, so that neither can be changed or replayed much later. */
export function signWebhook(secret: string, body: string, now: number): string {
  const unix = Math.floor(now / SECOND)
  return `t=${unix},v1=${createHmac('sha256', secret).update(`${unix}.${body}`).digest('hex')}`
}

export interface WebhookMessage {
  url: string
  body: string
  deliveryId: string
  signature: string
}

/** 410 means that the target is gone. Any other error may be a fault of the receiver that will be fixed. */
export async function postWebhook(
  post: HttpPost,
  { url, body, deliveryId, signature }: WebhookMessage,
): Promise<Outcome> {
  const headers = { ...HEADERS, 'hedgerow-delivery': deliveryId, 'hedgerow-signature': signature }
  const answer = await post(url, { body, headers })
  if ('failure' in answer) return answer.failure
  if (isSuccess(answer.status)) return accepted
  const reason = `${hostOf(url)} answered ${answer.status}.`
  return answer.status === 410 ? gone(reason) : retry(reason)
}

/** Slack's and Microsoft's own webhooks: an unknown URL there never becomes valid again. */
function chatOutcome(host: string, answer: HttpAnswer): Outcome {
  if ('failure' in answer) return answer.failure
  const { status, text } = answer
  if (isSuccess(status)) return accepted
  const message = /^[\w ]{1,60}$/.test(text.trim()) ? ` (${text.trim()})` : ''
  const reason = `${host} answered ${status}${message}.`
  if (status === 404 || status === 410) return gone(reason)
  return isTemporary(status) ? retry(reason) : refused(reason)
}

export const postChat = async (post: HttpPost, url: string, body: string): Promise<Outcome> =>
  chatOutcome(hostOf(url), await post(url, { body, headers: HEADERS }))

/** Errors of the channel itself: no message can be posted to it. */
const CHANNEL_ERRORS = new Set(['channel_not_found', 'is_archived', 'not_in_channel', 'channel_is_archived'])
const TEMPORARY_ERRORS = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
])

export interface SlackMessage {
  token: string
  /** The part of the target before `|`. */
  channel: string
  /** Text, blocks and attachments of the message. */
  content: Record<string, unknown>
}

const SLACK_API = 'https://slack.com/api'

function readSlack(text: string): { ok: boolean; error: string } {
  try {
    const { ok, error } = JSON.parse(text) as { ok?: unknown; error?: unknown }
    return { ok: ok === true, error: typeof error === 'string' ? error : 'unknown_error' }
  } catch {
    return { ok: false, error: 'internal_error' }
  }
}

/** Slack answers 200 to nearly everything; the result is in the body. */
export async function postSlack(
  post: HttpPost,
  { token, channel, content }: SlackMessage,
  api: string = SLACK_API,
): Promise<Outcome> {
  const headers = { ...HEADERS, authorization: `Bearer ${token}` }
  const body = JSON.stringify({ ...content, channel })
  const answer = await post(`${api}/chat.postMessage`, { body, headers, redirects: 0 })
  if ('failure' in answer) return answer.failure
  if (!isSuccess(answer.status)) return retry(`Slack answered ${answer.status}.`)
  const { ok, error } = readSlack(answer.text)
  if (ok) return accepted
  const reason = `Slack answered ${error.replace(/[^\w ]/g, '').slice(0, 60)}.`
  if (CHANNEL_ERRORS.has(error)) return gone(reason)
  return TEMPORARY_ERRORS.has(error) ? retry(reason) : refused(reason)
}
