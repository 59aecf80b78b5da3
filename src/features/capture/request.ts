/**
 * A decoded capture request: its token, when it was sent, and its events, whichever of the three body shapes it has:
 * one event, an array, or `{api_key, batch, sent_at}`.
 */
import { AppError, invalid, tooLarge } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { readInstant } from '../../lib/time/time.ts'

export interface CaptureRequest {
  token: string
  /** The client's clock when it sent; null when it is missing. */
  sentAt: number | null
  /** As received; not yet checked to be events. */
  items: unknown[]
  /** Its text was short enough for one event and had no escapes, so that nothing in it has to be cut or cleaned. */
  isPlain: boolean
}

export const MAX_EVENT_BYTES = 1_000_000
/** In one request. */
export const MAX_EVENTS = 50_000

/** Stands for an event that was not read because of its size. */
export const OVERSIZED: JsonObject = Object.freeze({})

/**
 * Whether the text of a request is plain in that sense. Without escapes, JSON contains no NUL and no lone surrogate.
 */
export const isPlainText = (text: Buffer): boolean => text.length <= MAX_EVENT_BYTES && !text.includes(ESCAPE)

const MAX_TOKEN = 64
const ESCAPE = Buffer.from('\\u')
/** A `_` before 2021 is not a send time. */
const EARLIEST_SENT_AT = Date.UTC(2021, 0, 1)

export const tooManyEvents = (): AppError => tooLarge(`maximum event size exceeded: more than ${MAX_EVENTS} events`)

const unauthorised = (text: string): AppError => new AppError('unauthenticated', 'invalid_token', text)

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

export function tokenOf(item: unknown): string | null {
  if (!isJsonObject(item)) return null
  const inside = isJsonObject(item.properties) ? item.properties : {}
  return textOf(item.token) ?? textOf(item.$token) ?? textOf(item.api_key) ?? textOf(inside.token)
}

export function checkToken(token: string | null): string {
  if (token === null) throw unauthorised('event submitted without an api_key')
  if (token.length > MAX_TOKEN) throw unauthorised('API key is not valid: too long')
  if (!/^[\x21-\x7e]+$/.test(token)) throw unauthorised('API key is not valid: not ASCII')
  if (token.startsWith('phx_')) throw unauthorised('API key is not valid: personal API key')
  return token
}

function findToken(envelope: JsonObject | null, items: unknown[]): string {
  const stated = envelope ? (textOf(envelope.api_key) ?? textOf(envelope.token)) : null
  if (stated !== null) return checkToken(stated)
  if (items.length === 1) return checkToken(tokenOf(items[0]))
  const tokens = new Set(items.map(tokenOf).filter((token) => token !== null))
  if (tokens.size > 1) throw unauthorised('batch submitted with inconsistent api_key values')
  return checkToken([...tokens][0] ?? null)
}

function findSentAt(stated: unknown, query: Record<string, string | undefined>): number | null {
  const written = typeof stated === 'string' ? readInstant(stated) : null
  if (written !== null) return written
  const millis = Number(query._ ?? Number.NaN)
  return Number.isFinite(millis) && millis >= EARLIEST_SENT_AT ? millis : null
}

/** `bearer`: the token of the v1 protocol, which has none in its body. */
export function readRequest(
  decoded: unknown,
  query: Record<string, string | undefined>,
  { bearer = null, isPlain = false }: { bearer?: string | null; isPlain?: boolean } = {},
): CaptureRequest {
  const envelope = isJsonObject(decoded) && Array.isArray(decoded.batch) ? decoded : null
  const items = envelope ? (envelope.batch as unknown[]) : Array.isArray(decoded) ? decoded : [decoded]
  if (items.length === 0) throw invalid('request holds no event')
  if (items.length > MAX_EVENTS) throw tooManyEvents()
  if (!envelope && !items.some(isJsonObject))
    throw invalid('failed to parse request: expected an event or a list of events')
  const [first] = items
  const stated = envelope?.sent_at ?? envelope?.created_at ?? (isJsonObject(first) ? first.sent_at : undefined)
  const token = bearer === null ? findToken(envelope, items) : checkToken(bearer)
  return { token, sentAt: findSentAt(stated, query), items, isPlain }
}
