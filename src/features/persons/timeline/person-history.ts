/** A person's properties over time: at its events, and at one moment. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalid, notFound } from '../../../lib/errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { formatInstant, readInstant } from '../../../lib/time/time.ts'
import type { Project } from '../../../model/accounts/project.ts'
import type { Person, StoredChange } from '../../../model/persons/person.ts'
import type { Stores } from '../../../model/stores.ts'
import { found, readPersonRef } from '../person-id.ts'
import { viewPerson } from '../person-view.ts'
import { readDateRange } from './date-range.ts'
import { buildTimeline, propertiesAfter } from './timeline.ts'
import { readTimelineRequest, type TimelineQuery } from './timeline-request.ts'

export interface HistoryParts {
  stores: Pick<Stores, 'persons' | 'events'>
  clock: Clock
}

export interface MomentQuery {
  distinct_id?: string
  person_id?: string
  timestamp?: string
  include_set_once?: boolean
}

function readMoment(text: string | undefined): number {
  if (!text) {
    throw invalid('timestamp parameter is required (ISO format: 2023-06-15T14:30:00Z)', 'timestamp', 'required')
  }
  const instant = readInstant(text)
  if (instant === null) {
    throw invalid('Invalid timestamp format. Use ISO format like 2023-06-15T14:30:00Z', 'timestamp')
  }
  return instant
}

function readWho({ distinct_id, person_id }: MomentQuery): { distinctId: string } | { personId: string } {
  if (distinct_id && person_id) throw invalid('Cannot provide both distinct_id and person_id - choose one')
  if (distinct_id) return { distinctId: distinct_id }
  if (person_id) return { personId: person_id }
  throw invalid('Must provide either distinct_id or person_id parameter', null, 'required')
}

const CHANGES_AT_ONCE = 1_000

export function createPersonHistory({ stores, clock }: HistoryParts) {
  const { persons, events } = stores
  /** Other requests are answered between two portions. */
  async function* changesUpTo({ projectId, id }: Person, until: number): AsyncGenerator<StoredChange[]> {
    for (let last: StoredChange | null = null; ; ) {
      const changes: StoredChange[] = await persons.history(projectId, id, until, last, CHANGES_AT_ONCE)
      if (changes.length === 0) return
      yield changes
      last = changes.at(-1) ?? null
      await nextTurn()
    }
  }
  const beginningOf = async ({ projectId, distinctIds, createdAt }: Person, signal: AbortSignal): Promise<number> =>
    (await events.firstEventAt(projectId, distinctIds, signal)) ?? createdAt

  return {
    async timeline(project: Project, id: string, query: TimelineQuery, signal: AbortSignal) {
      const request = readTimelineRequest(query)
      const rangeFrom = (dateFrom: string | number | undefined) =>
        readDateRange({ ...request, dateFrom, timezone: project.timezone }, clock.now())
      const ref = readPersonRef(id)
      const all = request.dateFrom === 'all'
      // Dates are checked before the person is looked up: bad ones are reported for any person.
      const given = rangeFrom(all ? 0 : request.dateFrom)
      const person = found(await persons.find(project.id, ref))
      const { from, to } = all ? rangeFrom(await beginningOf(person, signal)) : given
      const { distinctIds } = person
      const asked = { projectId: project.id, distinctIds, events: request.events, from, to }
      const moments = await events.timeline(asked, signal)
      const points = await buildTimeline(moments, changesUpTo(person, to), request.crucialKeys)
      return {
        points: points.map(({ timestamp, properties, relevantEventCount }) => ({
          timestamp: formatInstant(timestamp),
          properties,
          relevant_event_count: relevantEventCount,
        })),
        crucial_property_keys: request.crucialKeys,
        effective_date_from: formatInstant(from),
        effective_date_to: formatInstant(to),
      }
    },

    async atTime(project: Project, query: MomentQuery) {
      const who = readWho(query)
      const instant = readMoment(query.timestamp)
      const includeSetOnce = query.include_set_once ?? false
      const byDistinctId = 'distinctId' in who
      const person = byDistinctId
        ? await persons.findByDistinctId(project.id, who.distinctId)
        : await persons.find(project.id, readPersonRef(who.personId))
      if (!person) {
        throw notFound(
          byDistinctId
            ? `Person with distinct_id '${who.distinctId}' not found`
            : `Person with person_id '${who.personId}' not found`,
        )
      }
      const properties = await propertiesAfter(changesUpTo(person, instant), includeSetOnce)
      return {
        ...viewPerson(project, { ...person, properties }),
        point_in_time_metadata: {
          queried_timestamp: formatInstant(instant),
          include_set_once: includeSetOnce,
          distinct_id_used: byDistinctId ? who.distinctId : null,
          person_id_used: byDistinctId ? null : person.uuid,
          query_mode: byDistinctId ? ('distinct_id' as const) : ('person_id' as const),
          distinct_ids_queried: person.distinctIds,
          distinct_ids_count: person.distinctIds.length,
        },
      }
    },
  }
}
