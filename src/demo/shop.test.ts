import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../lib/time/time.ts'
import { makeShop } from './shop.ts'

const NOW = Date.UTC(2026, 2, 4, 12)

describe('the demo shop', () => {
  const shop = makeShop(NOW)
  it('has thousands of events over 60 days, in the order of time', () => {
    expect(shop.events.length).toBeGreaterThan(5_000)
    const times = shop.events.map((event) => Date.parse(event.timestamp))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times[0]).toBeGreaterThan(NOW - 61 * DAY)
    expect(times.at(-1)).toBeLessThan(NOW)
  })
  it.each([0, 4, 12, 23.99])('ends now, also at %s o’clock: no day of the last two weeks is empty', (hours) => {
    const now = Date.UTC(2026, 2, 4) + hours * HOUR
    const { events, visits } = makeShop(now)
    expect(Math.max(...visits.map(({ endAt }) => endAt))).toBeGreaterThan(now - 31 * MINUTE)
    expect(Math.max(...visits.map(({ endAt }) => endAt))).toBeLessThan(now - 5 * MINUTE)
    const perDay = Array.from({ length: 14 }, (_, ago) => {
      const to = now - ago * DAY
      return events.filter(({ timestamp: at }) => Date.parse(at) > to - DAY && Date.parse(at) <= to).length
    })
    expect(Math.min(...perDay)).toBeGreaterThan(Math.max(...perDay) / 3)
    expect(perDay[0]).toBeGreaterThan(perDay.reduce((sum, count) => sum + count, 0) / 14 / 2)
  })
  it('is the same on every machine, and has as many events at every instant', () => {
    expect(makeShop(NOW + 0.25)).toEqual(shop)
    for (const later of [1, HOUR, DAY, 40 * DAY + 5 * HOUR]) {
      expect(makeShop(NOW + later)).not.toEqual(shop)
      expect(makeShop(NOW + later).events.length).toBe(shop.events.length)
    }
  })
  it('names events and sessions as the SDKs do, each event once', () => {
    expect(new Set(shop.events.map((event) => event.uuid)).size).toBe(shop.events.length)
    for (const { sessionId } of shop.visits) {
      expect(sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  })
  it('has visitors who sign in and visitors who never do', () => {
    const identified = shop.events.filter((event) => event.event === '$identify')
    expect(identified.length).toBeGreaterThan(50)
    const anonymous = new Set(shop.events.map((event) => event.distinct_id).filter((id) => !id.includes('@')))
    expect(anonymous.size).toBeGreaterThan(identified.length)
  })
})
