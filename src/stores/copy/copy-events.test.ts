/** A source that is away for a moment in the middle of a copy. */
import { expect, it } from 'vitest'
import { StoreUnavailable } from '../../lib/errors.ts'
import { sumEvents } from './copy-events.ts'
import type { EventsWalk, MovedEvent, MovedPage, MovedRows } from './moved-rows.ts'

const EVENTS = 50
const PER_PAGE = 7

const eventOf = (n: number): MovedEvent => ({
  projectId: 1,
  seq: 1,
  place: n,
  uuid: `018f0000-0000-7000-9000-${String(n).padStart(12, '0')}`,
  event: 'opened',
  distinctId: `id-${n}`,
  timestamp: n,
  sessionId: null,
  properties: '{}',
  personId: null,
})

/** Events in pages, of which these fail as often as there are errors for them. */
function walkWith(failures: Map<number, unknown[]>): EventsWalk {
  async function* events(from: string | null): AsyncGenerator<MovedPage<MovedEvent>> {
    for (let start = Number(from ?? 0); start < EVENTS; start += PER_PAGE) {
      const error = failures.get(start / PER_PAGE)?.shift()
      if (error !== undefined) throw error
      const rows = Array.from({ length: Math.min(PER_PAGE, EVENTS - start) }, (_, n) => eventOf(start + n))
      yield { rows, next: String(start + PER_PAGE) }
    }
  }
  return {
    count: async () => EVENTS,
    pages: <K extends keyof MovedRows>(kind: K, from: string | null) =>
      (kind === 'events' ? events(from) : (async function* () {})()) as AsyncIterable<MovedPage<MovedRows[K]>>,
    close: async () => {},
  }
}

const readAll = async (failures: [page: number, errors: unknown[]][]) => {
  let rows = 0
  const sums = await sumEvents(walkWith(new Map(failures)), (done) => {
    rows += done
  })
  return { rows, sums }
}

it('reads on where a store was away, each row once', async () => {
  const away = () => new StoreUnavailable('events_away')
  const expected = await readAll([])
  expect(expected.rows).toBe(EVENTS)
  const failures: [number, unknown[]][] = [
    [0, [away()]],
    [3, [away(), away()]],
    [7, [away()]],
  ]
  expect(await readAll(failures)).toEqual(expected)
})

it('ends at once by any other error', async () => {
  await expect(readAll([[2, [new Error('refused'), new Error('asked again')]]])).rejects.toThrow('refused')
})
