/** However a recording is cut into pieces, and in whatever order they arrive, the result is the same recording. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeApp, type TestApp } from '../../support/app.ts'
import {
  expectedOf,
  FIXTURE_NOW,
  FIXTURE_TOKEN,
  linesOf,
  makeSnapshot,
  RECORDINGS,
  recordingPath,
  requestsOf,
  send,
  type WireEvent,
} from '../../support/replay/replay.ts'

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
  await app.stores.transaction((tx) => tx.projects.update(1, { apiToken: FIXTURE_TOKEN }))
  app.clock.set(FIXTURE_NOW)
})
afterAll(() => app.end())

let sessions = 0

interface Placed {
  window: string
  event: WireEvent
}

const [FILE] = RECORDINGS
const expected = expectedOf(FILE)[0]
const recorded: Placed[] = requestsOf(FILE)
  .flat()
  .flatMap(({ properties }) =>
    properties.$snapshot_data.map((event) => ({ window: properties.$window_id ?? '', event })),
  )

/** Every event is assigned to one of a few pieces; the pieces come in any order, some of them twice, some together. */
const anyDelivery = fc.record({
  places: fc.array(fc.nat(6), { minLength: recorded.length, maxLength: recorded.length }),
  order: fc.array(fc.nat(6), { minLength: 7, maxLength: 14 }),
  together: fc.boolean(),
})

function pieces(session: string, places: number[]) {
  return Array.from({ length: 7 }, (_, p) => {
    const mine = recorded.filter((_item, i) => places[i] === p)
    const windows = [...new Set(mine.map(({ window }) => window))]
    return windows.map((window) =>
      makeSnapshot({
        session,
        window,
        events: mine.filter((item) => item.window === window).map(({ event }) => event),
        properties: { token: FIXTURE_TOKEN },
      }),
    )
  })
}

const exported = async (session: string) =>
  (await app.call('GET', recordingPath(session, 'snapshots/export/'))).json() as WireEvent[]
const sorted = (items: unknown[]) => items.map((item) => JSON.stringify(item)).sort()

describe('a real recording in pieces', () => {
  it('has the same numbers, the same pages and the same events', async () => {
    const whole = `whole-${++sessions}`
    const snapshots = pieces(
      whole,
      recorded.map(() => 0),
    ).flat()
    await send(app, snapshots)
    const once = await linesOf(app, whole)
    const onceExported = await exported(whole)
    await fc.assert(
      fc.asyncProperty(anyDelivery, async ({ places, order, together }) => {
        const session = `pieces-${++sessions}`
        const dealt = pieces(session, places)
        const bodies = [...order, 0, 1, 2, 3, 4, 5, 6].map((p) => dealt[p] ?? []).filter((body) => body.length > 0)
        if (together) await Promise.all(bodies.map((body) => send(app, body)))
        else for (const body of bodies) expect((await send(app, body)).statusCode).toBe(200)
        const standing = await app.stores.recordings.standing(1, session)
        expect(standing?.recording).toMatchObject({
          startAt: expected?.first_ms,
          endAt: expected?.last_ms,
          activeMs: expected?.active_milliseconds,
          eventCount: expected?.rrweb_events,
          startUrl: expected?.start_url,
          counters: {
            clicks: expected?.click_count,
            keypresses: expected?.keypress_count,
            mouseActivity: expected?.mouse_activity_count,
            consoleLogs: expected?.console_log_count,
            consoleWarns: expected?.console_warn_count,
            consoleErrors: expected?.console_error_count,
          },
        })
        expect(standing?.progress?.urls.map(({ url }) => url)).toEqual(expected?.urls)
        expect(sorted(await linesOf(app, session))).toEqual(sorted(once))
        const events = await exported(session)
        expect(sorted(events)).toEqual(sorted(onceExported))
        expect(events.map((event) => event.timestamp)).toEqual(onceExported.map((event) => event.timestamp))
      }),
      { numRuns: 25 },
    )
  })
})
