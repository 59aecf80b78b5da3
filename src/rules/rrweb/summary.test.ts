import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activeMs } from './activity.ts'
import type { RrwebEvent } from './event.ts'
import { joinSummaries, joinUrls, type RrwebSummary, summarise } from './summary.ts'

interface Expected {
  session_id: string
  rrweb_events: number
  first_ms: number
  last_ms: number
  click_count: number
  keypress_count: number
  mouse_activity_count: number
  console_log_count: number
  console_warn_count: number
  console_error_count: number
  urls: string[]
  active_milliseconds: number
}

type SnapshotEvent = { properties: { $session_id: string; $snapshot_data: RrwebEvent[] } }

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../test/fixtures/${name}`, import.meta.url), 'utf8')
const expected = JSON.parse(fixture('recording-expected.json')) as Record<string, Expected[]>

/** The rrweb events of one session, message by message. */
const messagesOf = (file: string, sessionId: string): RrwebEvent[][] =>
  fixture(file)
    .trim()
    .split('\n')
    .flatMap((line) => JSON.parse(line) as SnapshotEvent[])
    .filter((event) => event.properties.$session_id === sessionId)
    .map((event) => event.properties.$snapshot_data)

const sessions = Object.entries(expected).flatMap(([file, rows]) => rows.map((row) => [file, row] as const))
const all = { withConsole: true }

const shown = (summary: RrwebSummary) => ({ ...summary, activity: activeMs(summary.activity) })
const summaryOf = (row: Expected) => ({
  startAt: row.first_ms,
  endAt: row.last_ms,
  counters: {
    clicks: row.click_count,
    keypresses: row.keypress_count,
    mouseActivity: row.mouse_activity_count,
    consoleLogs: row.console_log_count,
    consoleWarns: row.console_warn_count,
    consoleErrors: row.console_error_count,
  },
  activity: row.active_milliseconds,
  eventCount: row.rrweb_events,
})

describe.each(sessions)('a real recording of %s', (file, row) => {
  const messages = messagesOf(file, row.session_id)
  it('has the numbers that were counted by hand', () => {
    const summary = shown(summarise(messages.flat(), all))
    expect(summary).toMatchObject(summaryOf(row))
    expect(summary.urls.map(({ url }) => url)).toEqual(row.urls)
  })
  it('has them in any pieces, and in any order of these', () => {
    const events = messages.flat()
    const pieces = fc
      .array(fc.nat(5), { minLength: events.length, maxLength: events.length })
      .map((places) => Array.from({ length: 6 }, (_, p) => events.filter((_event, i) => places[i] === p)))
      .chain((dealt) => fc.shuffledSubarray(dealt, { minLength: 6 }))
      .map((dealt) => dealt.filter((piece) => piece.length > 0))
    fc.assert(
      fc.property(pieces, ([first = [], ...others]) => {
        const sum = others.reduce((so, piece) => joinSummaries(so, summarise(piece, all)), summarise(first, all))
        expect(shown(sum)).toEqual(shown(summarise(events, all)))
      }),
    )
  })
  it('counts no console where the project does not want it', () => {
    const { counters } = summarise(messages.flat(), { withConsole: false })
    expect([counters.consoleLogs, counters.consoleWarns, counters.consoleErrors]).toEqual([0, 0, 0])
    expect(counters.clicks).toBe(row.click_count)
  })
})

describe('addresses of pages', () => {
  const meta = (href: unknown, timestamp: number): RrwebEvent => ({ type: 4, data: { href } as never, timestamp })
  it('are trimmed and cut; what is no text or empty is none', () => {
    const events = [meta(' https://a/ ', 1), meta(7, 2), meta('   ', 3), meta(`https://b/${'x'.repeat(5_000)}`, 4)]
    const { urls } = summarise(events, all)
    expect(urls.map(({ url }) => [url.length, url.slice(0, 10)])).toEqual([
      [10, 'https://a/'],
      [4_096, 'https://b/'],
    ])
  })
  it('are the first 25 by time, in any order of arrival', () => {
    const seen = Array.from({ length: 60 }, (_, i) => ({ url: `u${i % 40}`, at: 100 + i }))
    const best = joinUrls(seen, [])
    expect(best.map(({ url }) => url)).toEqual(Array.from({ length: 25 }, (_, i) => `u${i}`))
    fc.assert(
      fc.property(fc.shuffledSubarray(seen, { minLength: 60 }), (shuffled) => {
        expect(shuffled.reduce((sum, url) => joinUrls(sum, [url]), [] as typeof seen)).toEqual(best)
      }),
    )
  })
})
