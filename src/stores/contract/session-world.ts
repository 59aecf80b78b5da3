/**
 * Thousands of made-up events of sessions for tests of an event store, and the sessions computed plainly, from lists in
 * memory. The same seed makes the same events, but for their ids.
 */
import { randomUUID } from 'node:crypto'
import { uuidV7 } from '../../lib/ids.ts'
import { DAY, HOUR, SECOND } from '../../lib/time/time.ts'
import type { OutboxEvent } from '../../model/events/outbox.ts'
import type { FoundSession, Session, SessionFilter, SessionOrder } from '../../model/events/session.ts'
import { applyEvents, NOON, type Opened } from './batch-builders.ts'
import { fits, type Random, randomOf } from './people-world.ts'

/** In few months, as ClickHouse has a part of its tables for each; the last is before the epoch. */
const MONTHS_BEFORE = [0, 1, 14, 900]

const PAGES = ['https://shop.example/', 'https://www.shop.example:8080/bill/2?x=1#top', 'app://home/Größe', 'a screen']
const HOSTS = ['shop.example', 'www.shop.example', 'home', undefined]
const PATHS = ['/', '/bill/2', '/Größe', undefined]
const EVENTS = ['$pageview', '$pageview', '$autocapture', '$screen', 'bought', '$web_vitals']

/** What the first event says of where somebody came from, and the channel of that. */
const CAMPAIGNS: [Record<string, unknown>, string][] = [
  [{ $referring_domain: '$direct' }, 'Direct'],
  [{ utm_source: 'Google', utm_medium: 'cpc', utm_term: '7' }, 'Paid Search'],
  [{ utm_source: 'straße', $referring_domain: 'blog.acme.example', utm_term: ' 12.5 ' }, 'Referral'],
  [{ utm_source: 5, utm_term: 'x9', $referring_domain: 't.co' }, 'Organic Social'],
  [{}, 'Unknown'],
]

interface Placed extends OutboxEvent {
  seq: number
  place: number
  channel: string
}

const inOrder = (a: Placed, b: Placed): number => a.timestamp - b.timestamp || a.seq - b.seq || a.place - b.place

const microsBetween = (from: number, to: number): number => Math.round((to - from) * 1_000)

/** Without what is not there. */
const present = (given: Record<string, unknown>): Session['properties'] =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
  ) as Session['properties']

function bounceOf(events: Placed[], micros: number): boolean | undefined {
  const pages = new Set(
    events.filter(({ event }) => ['$pageview', '$autocapture', '$screen'].includes(event)).map(({ uuid }) => uuid),
  )
  return pages.size === 0 ? undefined : pages.size === 1 && micros < 10_000_000
}

function sessionOf(sessionId: string, given: Placed[]): Session {
  const events = given.toSorted(inOrder)
  const [first, last] = [events[0] as Placed, events.at(-1) as Placed]
  const urlOf = ({ properties }: Placed) => properties.$current_url as string | undefined
  const pageOf = (event: Placed, side: string) => {
    const page = PAGES.indexOf(urlOf(event) ?? '')
    return {
      [`$${side}_current_url`]: urlOf(event),
      [`$${side}_pathname`]: PATHS[page],
      [`$${side}_hostname`]: HOSTS[page],
    }
  }
  const count = (name: string) => new Set(events.filter(({ event }) => event === name).map(({ uuid }) => uuid)).size
  const firstOf = (some: Placed[], key: string) => some.map(({ properties }) => properties[key]).find((value) => value)
  const entry = ['utm_source', 'utm_medium', 'utm_term'].map((key) => [
    `$entry_${key}`,
    first.properties[key] === undefined ? undefined : String(first.properties[key]),
  ])
  const micros = microsBetween(first.timestamp, last.timestamp)
  const properties = present({
    ...pageOf(first, 'entry'),
    ...pageOf(last, 'end'),
    ...Object.fromEntries(entry),
    $entry_referring_domain: first.properties.$referring_domain,
    $pageview_count: count('$pageview'),
    $autocapture_count: count('$autocapture'),
    $screen_count: count('$screen'),
    $channel_type: first.channel,
    $session_duration: Math.floor(micros / 1_000_000),
    $is_bounce: bounceOf(events, micros),
    $last_external_click_url: firstOf(events.toReversed(), '$external_click_url'),
    $vitals_lcp: firstOf(
      events.filter(({ event }) => event === '$web_vitals'),
      '$web_vitals_LCP_value',
    ),
  })
  return { sessionId, startAt: first.timestamp, endAt: last.timestamp, distinctId: first.distinctId, properties }
}

const pick = <T>(random: Random, from: T[]): T => from[random(from.length)] as T

/** Few start at an instant of their own. Most ids are of the time, some say nothing of it; few sessions take days. */
function madeSession(random: Random, number: number) {
  const month = random(10) < 8 ? 0 : pick(random, MONTHS_BEFORE)
  const start = NOON - month * 30 * DAY - random(12) * DAY - random(30) * HOUR
  const lasts = number % 50 === 0 ? 9 * DAY : pick(random, [0, 9.999 * SECOND, 20 * SECOND, HOUR])
  return { id: number % 9 === 0 ? randomUUID() : uuidV7(Math.max(0, start)), start, lasts, owner: random(60) }
}

/** An event of the session, or one without a session, and the channel that it says. */
function madeEvent(random: Random, { id, start, lasts, owner }: ReturnType<typeof madeSession>) {
  const [campaign, channel] = pick(random, CAMPAIGNS)
  const name = pick(random, EVENTS)
  const properties = {
    ...campaign,
    ...(random(4) > 0 ? { $current_url: pick(random, PAGES) } : {}),
    ...(random(9) === 0 ? { $external_click_url: `https://to.example/${random(5)}` } : {}),
    ...(name === '$web_vitals' && random(3) > 0 ? { $web_vitals_LCP_value: 500 + random(4_000) / 4 } : {}),
  }
  const timestamp = start + (lasts * random(5)) / 4 + random(2) * 0.123
  // Now and then somebody else is part of a session.
  const distinctId = `id-${(owner + (random(8) === 0 ? 1 : 0)) % 60}`
  return { event: { event: name, distinctId, timestamp, sessionId: random(20) > 0 ? id : null, properties }, channel }
}

export class SessionWorld {
  readonly #events: Placed[] = []
  /** All sessions, until more events come: each is put together once, not for every question. */
  #sessions: Session[] | null = null

  /** Applies so many events of as many sessions as a fifth of them, in batches of any order. */
  async fill(opened: Opened, seed: number, events: number, batches: number): Promise<void> {
    const random = randomOf(seed)
    const sessions = Array.from({ length: events / 5 }, (_, i) => madeSession(random, i))
    for (let seq = batches; seq > 0; seq--) {
      const made = Array.from({ length: events / batches }, () => madeEvent(random, pick(random, sessions)))
      const stored = await applyEvents(
        opened,
        made.map(({ event }) => event),
        seq,
      )
      const channelOf = (place: number) => made[place]?.channel as string
      this.#events.push(...stored.map((event, place) => ({ ...event, seq, place, channel: channelOf(place) })))
      this.#sessions = null
    }
  }

  /** All of them, by id. */
  sessions(): readonly Session[] {
    this.#sessions ??= this.#computed()
    return this.#sessions
  }

  #computed(): Session[] {
    const bySession = new Map<string, Placed[]>()
    for (const event of this.#events) {
      if (event.sessionId === null) continue
      const events = bySession.get(event.sessionId)
      if (events) events.push(event)
      else bySession.set(event.sessionId, [event])
    }
    return [...bySession]
      .map(([id, events]) => sessionOf(id, events))
      .sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1))
  }

  /** What the filter finds, in this order. Dates are not compared here. */
  find({ from, to, distinctIds, properties }: SessionFilter, { by, ascending }: SessionOrder): FoundSession[] {
    const owned = distinctIds
      ? new Set(
          this.#events.filter((event) => distinctIds.includes(event.distinctId)).map(({ sessionId }) => sessionId),
        )
      : null
    const sign = ascending ? 1 : -1
    return this.sessions()
      .filter((session) => session.startAt >= from && session.startAt <= to)
      .filter((session) => !owned || owned.has(session.sessionId))
      .filter((session) => !properties || fits(properties, session.properties))
      .map(({ sessionId, startAt, endAt, properties: { $session_duration } }) => ({
        sessionId,
        startAt,
        endAt,
        by: by === 'start' ? startAt : ($session_duration as number),
      }))
      .sort((a, b) => sign * (a.by - b.by || (a.sessionId < b.sessionId ? -1 : 1)))
  }
}
