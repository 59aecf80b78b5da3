/**
 * The people and events of the growth bench, each made from its number alone: 90 days, 50 event names, about 600 bytes
 * of properties per event, a tenth of the people with three ids, one event in twenty of nobody. Times are relative to
 * the instant at which a folder was seeded, so that a kept folder gives the same answers on every day.
 */
import { DAY } from '../../src/lib/time/time.ts'

export interface Size {
  name: string
  people: number
  events: number
}

export const SIZES: Size[] = [
  { name: 'S', people: 10_000, events: 100_000 },
  { name: 'M', people: 100_000, events: 1_000_000 },
  { name: 'L', people: 1_000_000, events: 10_000_000 },
]

export const DAYS = 90

/** Well mixed, 32 bits, the same for the same numbers. */
function mix(n: number, salt: number): number {
  let h = Math.imul(n + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(salt + 1, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  return (h ^ (h >>> 16)) >>> 0
}

const of = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

const PLANS = ['free', 'starter', 'team', 'enterprise'] as const
const FIRST_NAMES = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Ken', 'Radia', 'Tony'] as const
/** One person in five is a Garcia. */
const LAST_NAMES = ['Garcia', 'Okafor', 'Nguyen', 'Schmidt', 'Rossi'] as const
/** In the name of one person in 5,000. */
export const RARE_NAME = 'Lindqvist'
const SYSTEMS = ['Mac OS X', 'Windows', 'Linux', 'iOS', 'Android'] as const
const COUNTRIES = Array.from({ length: 40 }, (_, i) => `Country ${i}`)

export interface SeedPerson {
  distinctIds: string[]
  createdAt: number
  properties: Record<string, unknown>
}

export function personOf(n: number, { people }: Size, now: number): SeedPerson {
  const h = mix(n, 1)
  const isRare = n % 5_000 === 7
  return {
    distinctIds: n % 10 === 0 ? [`user-${n}`, `phone-${n}`, `tablet-${n}`] : [`user-${n}`],
    createdAt: now - DAYS * DAY + Math.floor((n * DAYS * DAY) / people),
    properties: {
      email: `person-${n}@example.com`,
      name: `${of(FIRST_NAMES, h)} ${of(LAST_NAMES, n)}${isRare ? ` ${RARE_NAME}` : ''}`,
      plan: of(PLANS, h >>> 4),
      visits: h % 1_000,
      $os: of(SYSTEMS, h >>> 8),
      $geoip_country_name: of(COUNTRIES, h >>> 12),
      $initial_referring_domain: `site-${(h >>> 6) % 500}.example.org`,
      ...(n % 3 === 0 ? { company: `Company ${n % 2_000}` } : {}),
    },
  }
}

const OTHER_NAMES = Array.from({ length: 44 }, (_, i) => `action ${i}`)
export const STEPS = ['$pageview', 'signed up', 'opened a project', 'invited somebody', 'paid'] as const
/** What one event in ten thousand has. */
export const RARE_COUPON = 'GOLDEN'

function nameOf(h: number): string {
  const share = h % 100
  if (share < 40) return STEPS[0]
  if (share < 60) return '$autocapture'
  if (share < 68) return STEPS[1]
  if (share < 74) return STEPS[2]
  if (share < 78) return STEPS[3]
  if (share < 80) return STEPS[4]
  return of(OTHER_NAMES, h >>> 8)
}

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0').slice(-digits)

/** A UUIDv7 of the instant, the same for the same numbers. */
const uuidOf = (at: number, a: number, b: number): string =>
  `${hex(Math.floor(at / 65_536), 8)}-${hex(at % 65_536, 4)}-7${hex(a, 3)}-8${hex(a >>> 12, 3)}-${hex(b, 8)}${hex(a >>> 16, 4)}`

export interface SeedEvent {
  uuid: string
  event: string
  distinctId: string
  timestamp: number
  sessionId: string
  properties: Record<string, unknown>
}

export function eventOf(n: number, { people, events }: Size, now: number): SeedEvent {
  const [h, who] = [mix(n, 2), mix(n, 3)]
  const since = now - DAYS * DAY
  const timestamp = since + Math.floor((n * DAYS * DAY) / events)
  // Only people who exist at that time.
  const person = who % Math.max(1, Math.floor((people * (n + 1)) / events))
  const device = person % 10 === 0 ? of(['user', 'phone', 'tablet'], h >>> 20) : 'user'
  const distinctId = h % 20 === 19 ? `visitor-${who % Math.ceil(people / 10)}` : `${device}-${person}`
  const event = nameOf(mix(n, 4))
  // One session per person and day.
  const day = Math.floor((timestamp - since) / DAY)
  const sessionId = uuidOf(since + day * DAY, mix(day, 5), mix(person, 6))
  return {
    uuid: uuidOf(timestamp, h, n),
    event,
    distinctId,
    timestamp,
    sessionId,
    properties: {
      $current_url: `https://app.example.com/projects/${who % 5_000}/overview`,
      $pathname: `/projects/${who % 5_000}/overview`,
      $host: 'app.example.com',
      $browser: of(['Chrome', 'Safari', 'Firefox', 'Edge'], h >>> 3),
      $browser_version: 100 + ((h >>> 5) % 40),
      $os: of(SYSTEMS, h >>> 7),
      $device_type: h % 3 === 0 ? 'Mobile' : 'Desktop',
      $screen_width: 1_280 + ((h >>> 9) % 8) * 80,
      $screen_height: 720 + ((h >>> 11) % 8) * 40,
      $referrer: `https://site-${(h >>> 13) % 500}.example.org/some/longer/path/to/an/article`,
      $referring_domain: `site-${(h >>> 13) % 500}.example.org`,
      $lib: 'web',
      $lib_version: '1.434.18',
      $session_id: sessionId,
      $window_id: uuidOf(timestamp, who, h),
      $device_id: uuidOf(since, mix(person, 7), person),
      amount: (h >>> 2) % 1_000,
      ...(mix(n, 8) % 10_000 === 0 ? { coupon: RARE_COUPON } : {}),
    },
  }
}
