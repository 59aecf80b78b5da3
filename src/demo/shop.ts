/**
 * The example data: the visitors of a small online shop over the 60 days before an instant, as the events a browser
 * would have sent. Deterministic: the same instant gives exactly the same events, and every instant as many. People,
 * merges and sessions are not written here: they follow from the events.
 */
import { createHash } from 'node:crypto'
import { DAY, MINUTE, SECOND } from '../lib/time/time.ts'
import { createRandom, type Random } from './seeded-random.ts'

/** One event as an SDK sends it. */
export interface ShopEvent {
  event: string
  uuid: string
  distinct_id: string
  timestamp: string
  properties: Record<string, unknown>
}

export interface ShopVisit {
  sessionId: string
  distinctId: string
  startAt: number
  endAt: number
  /** By time. */
  events: ShopEvent[]
}

export interface Shop {
  /** By time. */
  events: ShopEvent[]
  visits: ShopVisit[]
}

interface Visitor {
  anonymousId: string
  /** Some return once on a phone, as a separate person until they sign in there too. */
  phoneId: string | null
  email: string
  name: string
  plan: string
  browser: string
  /** On which visit the visitor signs in; after the last one: never. */
  signsInAt: number
  visits: number
}

const SITE = 'https://shop.example.com'
const VISITORS = 400
const DAYS = 60
/** Who came last, one after the other. */
const LATEST_VISITORS = 8
const LATEST_EVERY = 25 * MINUTE
/** Longer than any visit: all have ended when the demo begins, and none of them just now. */
const LONGEST_VISIT = 30 * MINUTE
const FIRST_NAMES = ['Ada', 'Ben', 'Cleo', 'Dario', 'Elif', 'Finn', 'Greta', 'Hugo', 'Ines', 'Jonas'] as const
const LAST_NAMES = ['Alder', 'Birch', 'Cedar', 'Elder', 'Hazel', 'Holly', 'Maple', 'Rowan', 'Sloe', 'Yew'] as const
const PLANS = ['free', 'free', 'basic', 'pro'] as const
const PLANTS = ['hawthorn', 'hazel', 'blackthorn', 'dog-rose', 'field-maple', 'spindle'] as const
const BROWSERS = ['Chrome', 'Chrome', 'Firefox', 'Safari'] as const
const SOURCES = [
  { $referring_domain: '$direct' },
  { $referring_domain: '$direct' },
  { $referring_domain: 'www.google.com', $referrer: 'https://www.google.com/' },
  { $referring_domain: 'news.example.org', $referrer: 'https://news.example.org/gardens' },
  { $referring_domain: 'www.google.com', utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'spring' },
  { $referring_domain: '$direct', utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'weekly' },
] as const

/** A uuid derived from a name; version 7, as SDKs generate them, if an instant is given. */
function uuidFrom(name: string, instant?: number): string {
  const hash = createHash('sha256').update(name).digest('hex')
  const head = instant === undefined ? hash.slice(0, 12) : Math.trunc(instant).toString(16).padStart(12, '0')
  const version = instant === undefined ? '4' : '7'
  return `${head.slice(0, 8)}-${head.slice(8)}-${version}${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

function makeVisitor(index: number, random: Random): Visitor {
  const first = FIRST_NAMES[index % FIRST_NAMES.length] as string
  const last = LAST_NAMES[Math.floor(index / FIRST_NAMES.length) % LAST_NAMES.length] as string
  const number = index >= 100 ? String(index) : ''
  return {
    anonymousId: uuidFrom(`visitor ${index}`),
    phoneId: index % 6 === 0 ? uuidFrom(`phone of ${index}`) : null,
    email: `${first}.${last}${number}@example.com`.toLowerCase(),
    name: `${first} ${last}`,
    plan: random.pick(PLANS),
    browser: random.pick(BROWSERS),
    signsInAt: random.between(0, 6),
    visits: random.between(1, 7),
  }
}

/** The events of a visit: name, page, and further properties. */
function steps(random: Random): [event: string, page: string, details?: Record<string, unknown>][] {
  const plant = random.pick(PLANTS)
  const page = `/plants/${plant}`
  const landing = random.pick(['/', '/', '/plants', page])
  const seen: ReturnType<typeof steps> = [['$pageview', landing, random.pick(SOURCES)]]
  if (random.next() < 0.25) return seen
  seen.push(['$pageview', '/plants'], ['$autocapture', '/plants', { $event_type: 'click', $el_text: plant }])
  seen.push(['$pageview', page], ['product viewed', page, { plant }])
  if (random.next() < 0.5) return [...seen, ['$pageleave', page]]
  const amount = random.between(5, 60)
  seen.push(['added to cart', page, { plant, amount }], ['$pageview', '/cart'])
  if (random.next() < 0.45) return [...seen, ['$pageleave', '/cart']]
  return [...seen, ['$pageview', '/checkout'], ['order placed', '/checkout', { plant, amount, currency: 'EUR' }]]
}

/** The visitor signs in: the device's id and the e-mail address become one person. */
const signIn = ({ email, name, plan }: Visitor, deviceId: string) => ({
  $anon_distinct_id: deviceId,
  $set: { email, name, plan },
  $set_once: { first_plan: plan },
})

interface Visit {
  visitor: Visitor
  number: number
  startAt: number
}

function visitEvents({ visitor, number, startAt }: Visit, random: Random): ShopEvent[] {
  const key = `${visitor.anonymousId} ${number}`
  const onPhone = visitor.phoneId !== null && number === visitor.signsInAt + 1
  const deviceId = onPhone ? (visitor.phoneId as string) : visitor.anonymousId
  const signsIn = number === visitor.signsInAt || onPhone
  const known = number > visitor.signsInAt && !onPhone
  const distinctId = () => (known || signedIn ? visitor.email : deviceId)
  const common = { $session_id: uuidFrom(`session ${key}`, startAt), $lib: 'web', $browser: visitor.browser }
  let signedIn = false
  let at = startAt
  const events: ShopEvent[] = []
  const add = (event: string, page: string, details: Record<string, unknown> = {}) => {
    const place = { $current_url: SITE + page, $pathname: page, $host: 'shop.example.com' }
    const profile = { $process_person_profile: known || signedIn || onPhone, $is_identified: known || signedIn }
    events.push({
      event,
      uuid: uuidFrom(`${key} ${events.length}`, at),
      distinct_id: distinctId(),
      timestamp: new Date(at).toISOString(),
      properties: { ...common, ...place, ...profile, ...details },
    })
    at += random.between(2 * SECOND, 90 * SECOND)
  }
  for (const [event, page, details] of steps(random)) {
    add(event, page, details)
    if (signsIn && !signedIn) {
      signedIn = true
      add('$identify', page, signIn(visitor, deviceId))
    }
  }
  return events
}

/** Fewer visits begin in the night. */
const isLikely = (at: number, random: Random): boolean => {
  const hour = new Date(at).getUTCHours()
  return (hour >= 7 && hour < 21) || random.next() < 0.25
}

/** When a visit of a day begins. Days are counted back from `now`, so that the last one ends with it. */
function startOn(day: number, now: number, random: Random): number {
  const dayStart = now - (DAYS - day) * DAY
  for (;;) {
    const at = dayStart + random.between(0, DAY - LONGEST_VISIT)
    if (isLikely(at, random)) return at
  }
}

function makeVisit(visit: Visit, random: Random): ShopVisit {
  const events = visitEvents(visit, random)
  const last = events.at(-1) as ShopEvent
  const sessionId = String(last.properties.$session_id)
  const endAt = Date.parse(last.timestamp)
  return { sessionId, distinctId: last.distinct_id, startAt: visit.startAt, endAt, events }
}

export function makeShop(instant: number): Shop {
  const now = Math.floor(instant)
  const random = createRandom(20_260_304)
  // Apart, so that what visitors do does not depend on when they come.
  const times = createRandom(60)
  const visits: ShopVisit[] = []
  for (let index = 0; index < VISITORS; index++) {
    const visitor = makeVisitor(index, random)
    // The shop grows: more first visits on later days.
    let day = Math.floor(Math.sqrt(random.next()) * DAYS)
    for (let number = 0; number < visitor.visits && day < DAYS; number++) {
      visits.push(makeVisit({ visitor, number, startAt: startOn(day, now, times) }, random))
      day += random.between(1, 9)
    }
  }
  for (let place = 0; place < LATEST_VISITORS; place++) {
    const visitor = makeVisitor(VISITORS + place, random)
    visits.push(makeVisit({ visitor, number: 0, startAt: now - LONGEST_VISIT - place * LATEST_EVERY }, random))
  }
  const events = visits.flatMap((visit) => visit.events)
  events.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0))
  return { events, visits }
}
