/** What a project has taken and keeps: whether anything arrives, and what it amounts to. */
import type { Clock } from '../../lib/time/clock.ts'
import { DAY, formatOptional, HOUR } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { RecordingFilter } from '../../model/recordings/recording.ts'
import type { Stores } from '../../model/stores.ts'

export interface UsageParts {
  stores: Pick<Stores, 'events' | 'persons' | 'recordings' | 'intake'>
  clock: Clock
}

const ALL_RECORDINGS: RecordingFilter = {
  startFrom: Number.NEGATIVE_INFINITY,
  startTo: Number.POSITIVE_INFINITY,
  conditions: { join: 'AND', of: [] },
  order: { by: 'start_time', ascending: false },
}

export function createUsageFeature({ stores, clock }: UsageParts) {
  return {
    async read({ id }: Project, signal: AbortSignal) {
      const now = clock.now()
      const [events, persons, recordings, bytes, warnings] = await Promise.all([
        stores.events.eventTotals(id, now - HOUR, signal),
        stores.persons.count(id, {}, signal),
        stores.recordings.count(id, ALL_RECORDINGS, now, signal),
        stores.recordings.storedBytes(id),
        stores.intake.countWarnings(id, now - DAY),
      ])
      return {
        events: {
          count: events.count,
          last_hour: events.recent,
          first_at: formatOptional(events.firstAt),
          last_at: formatOptional(events.lastAt),
        },
        persons: { count: persons },
        recordings: { count: recordings, stored_bytes: bytes },
        warnings: { last_day: warnings },
      }
    },
  }
}

export type UsageFeature = ReturnType<typeof createUsageFeature>
