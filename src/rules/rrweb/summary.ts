/**
 * The summary of a recording's events, updated piece by piece: adding the pieces in any order
 * gives the same summary as all events at once. Everything in it is bounded.
 */
import type { RecordingCounters, SeenUrl } from '../../model/recordings/recording.ts'
import { type Activity, activityOf, joinActivity } from './activity.ts'
import { addCounters, countEvent, NO_COUNTERS, pageUrl, type RrwebEvent } from './event.ts'

const MAX_URLS = 25

export interface RrwebSummary {
  /** Times of the first and of the last event. */
  startAt: number
  endAt: number
  counters: RecordingCounters
  activity: Activity
  /** The first pages that were visited, by time. */
  urls: SeenUrl[]
  eventCount: number
}

const byTime = (a: SeenUrl, b: SeenUrl): number => a.at - b.at || (a.url < b.url ? -1 : 1)

/** Each URL once, with its first time; the earliest MAX_URLS. What is dropped has MAX_URLS earlier ones before it, so no later join needs it. */
export function joinUrls(a: SeenUrl[], b: SeenUrl[]): SeenUrl[] {
  const seen = new Map<string, SeenUrl>()
  for (const { url, at } of [...a, ...b].sort(byTime)) if (!seen.has(url)) seen.set(url, { url, at })
  return [...seen.values()].slice(0, MAX_URLS)
}

/** `events` must not be empty. */
export function summarise(events: RrwebEvent[], { withConsole }: { withConsole: boolean }): RrwebSummary {
  const counters = { ...NO_COUNTERS }
  const urls: SeenUrl[] = []
  let startAt = Number.POSITIVE_INFINITY
  let endAt = Number.NEGATIVE_INFINITY
  for (const event of events) {
    startAt = Math.min(startAt, event.timestamp)
    endAt = Math.max(endAt, event.timestamp)
    countEvent(counters, event, withConsole)
    const url = pageUrl(event)
    if (url !== null) urls.push({ url, at: event.timestamp })
  }
  return { startAt, endAt, counters, activity: activityOf(events), urls: joinUrls(urls, []), eventCount: events.length }
}

/** `more` must not be the result of a join. */
export const joinSummaries = (a: RrwebSummary, more: RrwebSummary): RrwebSummary => ({
  startAt: Math.min(a.startAt, more.startAt),
  endAt: Math.max(a.endAt, more.endAt),
  counters: addCounters(a.counters, more.counters),
  activity: joinActivity(a.activity, more.activity),
  urls: joinUrls(a.urls, more.urls),
  eventCount: a.eventCount + more.eventCount,
})
