/** Deletions in words: what the run does, how long until the next one, and why a request is late. */
import { DAY, HOUR, MINUTE, SECOND } from '../../../../lib/time/time.ts'

interface Waiting {
  status: 'pending' | 'completed'
  scheduled_for: string
}

interface Summary {
  phase: Phase | 'idle'
  last_run: { finished_at: string } | null
}

export type Phase = 'draining' | 'deleting' | 'compacting'

/** In the order in which a run goes through them. */
export const PHASES: readonly (readonly [Phase, name: string, about: string])[] = [
  ['draining', 'Drain', 'Waits until everything that was captured is in the event store.'],
  ['deleting', 'Delete', 'Removes the events and the history of properties, in one transaction.'],
  ['compacting', 'Compact', 'Rewrites files, so that nothing of it is left on the disk.'],
]

export const isLate = ({ status, scheduled_for }: Waiting, now: number): boolean =>
  status === 'pending' && Date.parse(scheduled_for) <= now

/** `3 d 17 h`, `4 h 05 min`, `2 min 09 s`. */
export function countdown(ms: number): string {
  const left = Math.max(0, ms)
  const [days, hours] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR)]
  const [minutes, seconds] = [Math.floor((left % HOUR) / MINUTE), Math.floor((left % MINUTE) / SECOND)]
  const two = (count: number) => String(count).padStart(2, '0')
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${two(minutes)} min`
  return `${minutes} min ${two(seconds)} s`
}

/** Why requests that were due at `since` are not carried out. */
export function reasonOf(since: number, { phase, last_run }: Summary): string {
  if (phase !== 'idle') return 'A run is under way and carries them out now.'
  const hasRun = last_run !== null && Date.parse(last_run.finished_at) >= since
  return hasRun
    ? 'A run has ended since, without them: they were asked for again, or extended, while it went on. The next run takes them.'
    : 'No run has come to its end since: the server was not running then, or could not reach its event store. It tries again by itself, and its log says what stands in the way.'
}
