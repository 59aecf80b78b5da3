import { describe, expect, it } from 'vitest'
import { DAY } from '../lib/time.ts'
import { makeShop } from './shop.ts'

const NOW = Date.UTC(2026, 2, 4, 12)

describe('the demo shop', () => {
  const shop = makeShop(NOW)
  it('has 40 people with several ids, and 2,000 events over 30 days', () => {
    expect(shop.people.length).toBe(40)
    expect(shop.people.filter((person) => person.distinctIds.length > 1).length).toBeGreaterThan(25)
    expect(shop.events.length).toBe(2_000)
    const times = shop.events.map((event) => event.timestamp)
    expect(Math.min(...times)).toBeGreaterThan(NOW - 31 * DAY)
    expect(Math.max(...times)).toBeLessThan(NOW)
  })
  it('is the same on every machine and at every hour of a day', () => {
    expect(makeShop(NOW + 3_600_000)).toEqual(shop)
    expect(makeShop(NOW + DAY)).not.toEqual(shop)
  })
  it('uses every id once and only ids of its people', () => {
    const ids = shop.people.flatMap((person) => person.distinctIds)
    expect(new Set(ids).size).toBe(ids.length)
    expect(shop.events.every((event) => ids.includes(event.distinctId))).toBe(true)
    expect(new Set(shop.events.map((event) => event.uuid)).size).toBe(2_000)
  })
  it('names sessions as the SDKs do', () => {
    for (const { sessionId } of shop.sessions) {
      expect(sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  })
})
