/** What there is of one person: its events and sessions of all its ids, and its recordings. */
import type { Clock } from '../../lib/time/clock.ts'
import { formatOptional } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Stores } from '../../model/stores.ts'
import { found, readPersonRef } from './person-id.ts'

export interface CountsParts {
  stores: Pick<Stores, 'persons' | 'events' | 'recordings'>
  clock: Clock
}

export const createPersonCounts = ({ stores, clock }: CountsParts) => ({
  async counts(project: Project, id: string, signal: AbortSignal) {
    const person = found(await stores.persons.find(project.id, readPersonRef(id)))
    const [{ events, sessions, firstAt, lastAt }, recordings] = await Promise.all([
      stores.events.personTotals(project.id, person.distinctIds, signal),
      stores.recordings.totalsOf(project.id, person.id, clock.now(), signal),
    ])
    return {
      events,
      sessions,
      recordings: recordings.count,
      bytes: recordings.bytes,
      first_seen: formatOptional(firstAt),
      last_seen: formatOptional(lastAt),
    }
  },
})
