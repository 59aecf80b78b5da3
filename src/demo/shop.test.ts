import { describe, expect, it } from 'vitest'
import { DAY } from '../lib/time/time.ts'
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
  it('is the same on every machine and at every hour of a day', () => {
    expect(makeShop(NOW + 3_600_000)).toEqual(shop)
    expect(makeShop(NOW + DAY)).not.toEqual(shop)
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
