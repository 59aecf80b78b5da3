/** The order of a list of recordings: total, and the same wherever it is made. */

/** What decides where a recording stands in a list. */
export interface RecordingPosition {
  /** What the list is ordered by. */
  by: number
  startAt: number
  sessionId: string
}

/** Ties go by start time, newest first, then by session id. */
export const inListOrder = (ascending: boolean) => {
  const sign = ascending ? 1 : -1
  return (a: RecordingPosition, b: RecordingPosition): number =>
    sign * (a.by - b.by) || b.startAt - a.startAt || (a.sessionId < b.sessionId ? -1 : 1)
}
