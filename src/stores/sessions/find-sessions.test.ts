/** Which stretches are searched, on an engine that is a list in memory. */
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../lib/time/time.ts'
import type { FoundSession, SessionFilter, SessionPageRequest } from '../../model/events/session.ts'
import { isUpwards, type SessionEngine, type Stretch, searchSessions } from './find-sessions.ts'

const NOW = Date.UTC(2026, 4, 1)
const EVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
const FILTER = { ...EVER, properties: { key: '$screen_count', operator: 'is_set', value: null } } as const
const NEWEST = { by: 'start', ascending: false } as const

/** A session that began so long before now. */
const began = (before: number, seconds = 0): FoundSession => {
  const startAt = NOW - before
  return { sessionId: String(before), startAt, endAt: startAt + seconds * 1_000, by: startAt }
}

/** `searched`: every stretch that was. */
function engineOf(sessions: FoundSession[], request: SessionPageRequest) {
  const searched: Stretch[] = []
  const within = ({ from, to }: Stretch) => sessions.filter(({ startAt }) => startAt >= from && startAt < to)
  const sign = isUpwards(request) ? 1 : -1
  const place = request.from?.place
  const engine: SessionEngine = {
    extent: async () => {
      const starts = sessions.map(({ startAt }) => startAt)
      return starts.length === 0 ? null : { from: Math.min(...starts), to: Math.max(...starts) }
    },
    countWithin: async (stretch) => within(stretch).length,
    beganWithin: async (stretch, wanted) => {
      searched.push(stretch)
      return within(stretch)
        .map((session) => ({
          ...session,
          by: request.order.by === 'start' ? session.startAt : session.endAt - session.startAt,
        }))
        .filter(({ by }) => !place || sign * (by - place.by) > 0)
        .sort((a, b) => sign * (a.by - b.by))
        .slice(0, wanted)
    },
  }
  return { engine, searched }
}

async function search(sessions: FoundSession[], request: SessionPageRequest, filter: SessionFilter = EVER) {
  const { engine, searched } = engineOf(sessions, request)
  const { sessions: found, more } = await searchSessions(engine, { filter, request, now: NOW, sessionsAtOnce: 10 })
  return { found: found.map(({ sessionId }) => sessionId), more, searched }
}

describe('a search for sessions', () => {
  it('reads the newest hour only when that is enough', async () => {
    const sessions = [MINUTE, 2 * MINUTE, 3 * MINUTE, 400 * DAY].map((before) => began(before))
    const { found, more, searched } = await search(sessions, { limit: 2, order: NEWEST })
    expect([found, more]).toEqual([[String(MINUTE), String(2 * MINUTE)], true])
    expect(searched).toHaveLength(1)
    expect(searched[0]?.from).toBeGreaterThan(NOW - 2 * HOUR)
  })

  it('goes on in ever longer stretches without gaps, to the first event', async () => {
    const sessions = [MINUTE, 400 * DAY].map((before) => began(before))
    const { found, more, searched } = await search(sessions, { limit: 5, order: NEWEST })
    expect([found, more]).toEqual([[String(MINUTE), String(400 * DAY)], false])
    for (const [place, { from }] of searched.entries()) {
      const older = searched[place + 1]
      if (older) expect(older.to).toBe(from)
    }
    expect(searched.at(-1)?.from).toBe(NOW - 400 * DAY)
  })

  it('is not misled by a clock that is far ahead', async () => {
    const sessions = [-20_000 * DAY, MINUTE, 400 * DAY].map((before) => began(before))
    const { found, searched } = await search(sessions, { limit: 1, order: NEWEST })
    expect(found).toEqual([String(-20_000 * DAY)])
    expect(searched).toHaveLength(1)
    expect(searched[0]?.from).toBeGreaterThan(NOW - 2 * HOUR)
  })

  it('compares the properties of few sessions at once, and leaves none out', async () => {
    const sessions = Array.from({ length: 500 }, (_, i) => began(i * 10 * MINUTE, i % 7))
    for (const by of ['start', 'duration'] as const) {
      const { found, searched } = await search(sessions, { limit: 500, order: { by, ascending: true } }, FILTER)
      expect(new Set(found).size).toBe(500)
      for (const { from, to } of searched) {
        expect(sessions.filter(({ startAt }) => startAt >= from && startAt < to).length).toBeLessThanOrEqual(20)
      }
    }
  })

  it('ends where all are at one moment', async () => {
    const sessions = Array.from({ length: 100 }, (_, i) => ({ ...began(5 * MINUTE), sessionId: String(i) }))
    expect((await search(sessions, { limit: 200, order: NEWEST }, FILTER)).found).toHaveLength(100)
  })

  it('turns a page that leads back', async () => {
    const sessions = [1, 2, 3, 4].map((n) => began(n * DAY))
    const place = { by: NOW - 4 * DAY, sessionId: String(4 * DAY) }
    const request = { limit: 2, order: NEWEST, from: { place, direction: 'back' } } as const
    expect(await search(sessions, request)).toMatchObject({ found: [2 * DAY, 3 * DAY].map(String), more: true })
  })

  it('finds nothing without events, without ids and for no places', async () => {
    expect((await search([], { limit: 5, order: NEWEST })).found).toEqual([])
    const one = [began(MINUTE)]
    expect((await search(one, { limit: 5, order: NEWEST }, { ...EVER, distinctIds: [] })).searched).toEqual([])
    expect((await search(one, { limit: 0, order: NEWEST })).found).toEqual([])
  })
})
