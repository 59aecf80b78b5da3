/** Where the parameter `t` of an address leads: seconds from the start of the recording, or a time of day (ISO 8601). */

const SECONDS = /^\d+(?:\.\d+)?$/
const DAY_FIRST = /^\d{4}-\d{2}-\d{2}/
const SECOND = 1_000

/** In milliseconds since the epoch; the start when it says nothing that can be read. */
export function startTime(t: string, { start, end }: { start: number; end: number }): number {
  const time = SECONDS.test(t) ? start + Number(t) * SECOND : DAY_FIRST.test(t) ? Date.parse(t) : start
  return Number.isNaN(time) ? start : Math.max(start, Math.min(time, end))
}
