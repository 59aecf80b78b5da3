/**
 * The example data itself: the people of a small online shop and what they did over 30 days. Pure: the same day
 * gives the same shop, to the last event.
 */
import { createHash } from 'node:crypto'
import { DAY, HOUR, MINUTE, SECOND } from '../lib/time.ts'
import type { StoredEvent } from '../model/event.ts'
import type { Properties } from '../model/person.ts'
import { createDice, type Dice } from './random.ts'

export interface DemoPerson {
  distinctIds: string[]
  properties: Properties
  isIdentified: boolean
  createdAt: number
}

export type DemoEvent = Omit<StoredEvent, 'projectId' | 'seq'>

export interface DemoSession {
  sessionId: string
  distinctId: string
  startAt: number
  endAt: number
  startUrl: string
}

export interface DemoShop {
  people: DemoPerson[]
  events: DemoEvent[]
  sessions: DemoSession[]
}

const PEOPLE = 40
const EVENTS = 2_000
const DAYS = 30
const FIRST_NAMES = ['Ada', 'Ben', 'Cleo', 'Dario', 'Elif', 'Finn', 'Greta', 'Hugo', 'Ines', 'Jonas'] as const
const LAST_NAMES = ['Alder', 'Birch', 'Cedar', 'Elder'] as const
const PLANS = ['free', 'basic', 'pro'] as const
const PAGES = ['/', '/plants', '/plants/hawthorn', '/plants/hazel', '/cart', '/checkout', '/about'] as const
const SOURCES = [
  { $referring_domain: '$direct' },
  { $referring_domain: 'www.google.com' },
  { $referring_domain: 'news.example.org' },
  { $referring_domain: 'www.google.com', utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'spring' },
  { $referring_domain: '$direct', utm_source: 'newsletter', utm_medium: 'email' },
] as const
const BROWSERS = ['Chrome', 'Firefox', 'Safari'] as const
const SITE = 'https://shop.example.com'

/** A uuid that follows from its name; of version 7, as SDKs make session ids, when an instant is given. */
function uuidFrom(name: string, instant?: number): string {
  const hash = createHash('sha256').update(name).digest('hex')
  const head = instant === undefined ? hash.slice(0, 12) : Math.trunc(instant).toString(16).padStart(12, '0')
  const version = instant === undefined ? '4' : '7'
  return `${head.slice(0, 8)}-${head.slice(8)}-${version}${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

function makePerson(index: number, dice: Dice, firstDay: number): DemoPerson {
  const first = FIRST_NAMES[index % FIRST_NAMES.length] as string
  const last = LAST_NAMES[Math.floor(index / FIRST_NAMES.length) % LAST_NAMES.length] as string
  const anonymous = uuidFrom(`anonymous ${index}`)
  const createdAt = firstDay + dice.between(0, 5 * DAY)
  if (index % 5 === 4) return { distinctIds: [anonymous], properties: {}, isIdentified: false, createdAt }
  const email = `${first}.${last}@example.com`.toLowerCase()
  const distinctIds = [anonymous, email, ...(index % 3 === 0 ? [uuidFrom(`phone ${index}`)] : [])]
  const properties = { email, name: `${first} ${last}`, plan: dice.pick(PLANS), orders: dice.between(0, 9) }
  return { distinctIds, properties, isIdentified: true, createdAt }
}

interface Visit {
  person: DemoPerson
  number: number
  startAt: number
  length: number
}

/** What happens at one step of a visit: it starts at the front page and may end with an order. */
function stepOf(step: number, last: boolean, dice: Dice): { event: string; page: string; details: Properties } {
  if (last && dice.next() < 0.15) {
    const details = { amount: dice.between(5, 120), currency: 'EUR' }
    return { event: 'order placed', page: '/checkout', details }
  }
  if (step === 0) return { event: '$pageview', page: '/', details: dice.pick(SOURCES) }
  return { event: step % 3 === 2 ? '$autocapture' : '$pageview', page: dice.pick(PAGES), details: {} }
}

function visitEvents({ person, number, startAt, length }: Visit, dice: Dice): DemoEvent[] {
  const sessionId = uuidFrom(`session ${number}`, startAt)
  const distinctId = dice.pick(person.distinctIds)
  const $browser = dice.pick(BROWSERS)
  let timestamp = startAt
  return Array.from({ length }, (_, step): DemoEvent => {
    if (step > 0) timestamp += dice.between(5 * SECOND, 3 * MINUTE)
    const { event, page, details } = stepOf(step, step === length - 1, dice)
    const properties = { $current_url: SITE + page, $browser, $lib: 'web', $session_id: sessionId, ...details }
    return { uuid: uuidFrom(`event ${number} ${step}`), event, distinctId, timestamp, sessionId, properties }
  })
}

/** `now` decides the last day; within one day it is always the same shop. */
export function makeShop(now: number): DemoShop {
  const lastDay = Math.floor(now / DAY) * DAY
  const firstDay = lastDay - DAYS * DAY
  const dice = createDice(20_260_304)
  const people = Array.from({ length: PEOPLE }, (_, index) => makePerson(index, dice, firstDay))
  const events: DemoEvent[] = []
  const sessions: DemoSession[] = []
  for (let number = 0; events.length < EVENTS; number++) {
    const person = people[number % PEOPLE] as DemoPerson
    const day = dice.between(6, DAYS - 1)
    const startAt = firstDay + day * DAY + dice.between(7 * HOUR, 20 * HOUR)
    const length = Math.min(dice.between(1, 12), EVENTS - events.length)
    const visit = visitEvents({ person, number, startAt, length }, dice)
    events.push(...visit)
    const [first] = visit
    const last = visit.at(-1)
    if (!first?.sessionId || !last) continue
    const { sessionId, distinctId } = first
    sessions.push({ sessionId, distinctId, startAt, endAt: last.timestamp, startUrl: `${SITE}/` })
  }
  return { people, events, sessions }
}
