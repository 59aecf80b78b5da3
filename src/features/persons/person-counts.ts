/** What there is of one person: its events and sessions of all its ids together, its events of each, and its recordings. */
import type { Clock } from '../../lib/time/clock.ts'
import { formatOptional } from '../../lib/time/time.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Person } from '../../model/persons/person.ts'
import type { Stores } from '../../model/stores.ts'
import { sortDistinctIds } from '../../rules/persons/person-name.ts'
import { found, readPersonRef } from './person-id.ts'

export interface CountsParts {
  stores: Pick<Stores, 'persons' | 'events' | 'recordings'>
  clock: Clock
}

interface CountsWanted {
  byDistinctId?: boolean | undefined
}

/** Each of the ids, in the order in which the person has them. */
async function eventsOfEach(events: Stores['events'], { projectId, distinctIds }: Person, signal: AbortSignal) {
  const found = await events.eventsByDistinctId(projectId, distinctIds, signal)
  const counts = new Map(found.map((one) => [one.distinctId, one.events]))
  return sortDistinctIds(distinctIds).map((id) => ({ distinct_id: id, events: counts.get(id) ?? 0 }))
}

export const createPersonCounts = ({ stores, clock }: CountsParts) => ({
  async counts(project: Project, id: string, { byDistinctId = false }: CountsWanted, signal: AbortSignal) {
    const person = found(await stores.persons.find(project.id, readPersonRef(id)))
    const [{ events, sessions, firstAt, lastAt }, recordings, ofEach] = await Promise.all([
      stores.events.personTotals(project.id, person.distinctIds, signal),
      stores.recordings.totalsOf(project.id, person.id, clock.now(), signal),
      byDistinctId ? eventsOfEach(stores.events, person, signal) : null,
    ])
    return {
      events,
      sessions,
      recordings: recordings.count,
      bytes: recordings.bytes,
      first_seen: formatOptional(firstAt),
      last_seen: formatOptional(lastAt),
      ...(ofEach && { distinct_ids: ofEach }),
    }
  },
})
