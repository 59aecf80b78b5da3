/** Lists of recordings, and which events of one session match. */

import { invalid } from '../../lib/errors.ts'
import { readUuid } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { Deadline, READ_LIMIT_MS } from '../../lib/time/deadline.ts'
import { DAY, formatInstant } from '../../lib/time/time.ts'
import type { Actor } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { EventSelector } from '../../model/insights/insight-question.ts'
import type { PageRequest } from '../../model/page.ts'
import type { RecordingFilter, RecordingOrder } from '../../model/recordings/recording.ts'
import type { Stores } from '../../model/stores.ts'
import { readTo } from '../../rules/filters/list-dates.ts'
import { readConsoleLevels } from './console-levels.ts'
import { asOfItem, readEventProperties, readEvents, readProperties } from './event-selectors.ts'
import { readHaving } from './having-predicates.ts'
import {
  amongSessions,
  type ListCondition,
  type ListConditions,
  ofRecordingsAlone,
  splitConditions,
} from './list-conditions.ts'
import { readList, readStart, readTexts, refuseUnanswerable } from './list-query.ts'
import { type RecordingView, viewRecordings } from './recording-view.ts'
import { listByCandidates } from './recordings-by-candidates.ts'

export interface ListParts {
  stores: Pick<Stores, 'persons' | 'recordings' | 'users' | 'events'>
  clock: Clock
}

export interface ListQuery {
  date_from?: string
  date_to?: string
  order?: RecordingOrder | 'duration'
  order_direction?: 'ASC' | 'DESC'
  session_ids?: string
  session_recording_id?: string
  distinct_ids?: string
  person_uuid?: string
  events?: string
  properties?: string
  having_predicates?: string
  console_log_filters?: string
  operand?: 'AND' | 'OR'
  hide_viewed_recordings?: 'current-user' | 'any-user'
}

/** PostHog's parameters about data that is not stored here. */
const UNANSWERABLE = {
  actions: 'there are no actions here.',
  comment_text: 'recordings have no comments here.',
}

/** A session lasts a day at most, so its events may come that much later than its start. */
const SESSION = DAY

interface ListContext extends Actor {
  /** Aborted when nobody waits any more. */
  signal: AbortSignal
}

interface Window {
  from: number
  to: number
  now: number
}

async function personFilter({ persons }: ListParts['stores'], project: Project, query: ListQuery) {
  const distinctIds = readTexts(query.distinct_ids, 'distinct_ids')
  if (distinctIds) return { distinctIds }
  if (query.person_uuid === undefined || query.person_uuid === '') return {}
  const uuid = readUuid(query.person_uuid)
  if (uuid === null) throw invalid('Must be a valid UUID.', 'person_uuid')
  const person = await persons.find(project.id, { uuid })
  // An id no person has: an unknown person has no recordings.
  return { personId: person?.id ?? -1 }
}

/** The conditions of `events` and `properties`; sessions are looked up by their events here, persons later. */
async function propertyConditions(
  { stores: { events }, clock }: ListParts,
  { project, signal }: ListContext,
  query: ListQuery,
  { from, to, now }: Window,
): Promise<ListCondition[]> {
  // Each search has a deadline; together they have the same one, except that the running search may end first.
  const deadline = new Deadline(READ_LIMIT_MS, signal, () => clock.steady())
  const find = async (selector: EventSelector) => {
    deadline.check()
    const { ids } = await events.sessionsWith(project.id, selector, from, to + SESSION, signal)
    return amongSessions(ids)
  }
  const selectors = readEvents(query.events, now)
  const conditions = await readProperties(query.properties, now, find)
  for (const [index, selector] of selectors.entries()) {
    const condition = await find(selector).catch((cause: unknown) => {
      throw asOfItem(index, cause)
    })
    conditions.push(condition)
  }
  return conditions
}

async function readFilter(parts: ListParts, context: ListContext, query: ListQuery) {
  const { stores, clock } = parts
  const { project, caller } = context
  refuseUnanswerable(query as Record<string, unknown>, UNANSWERABLE)
  const now = clock.now()
  const sessionIds = readTexts(query.session_ids, 'session_ids')
  const dates = { from: readStart(query.date_from, now), to: readTo(query.date_to, now) }
  // Named sessions are listed whatever their time and whether or not they were viewed.
  const window = sessionIds ? { from: -Infinity, to: Infinity } : dates
  const hide = sessionIds ? undefined : query.hide_viewed_recordings
  const { order = 'start_time', operand = 'AND', session_recording_id: forced } = query
  const having = readHaving(readList(query.having_predicates, 'having_predicates') ?? [])
  const filter = {
    startFrom: window.from,
    startTo: window.to,
    ...(sessionIds ? { sessionIds } : {}),
    ...(await personFilter(stores, project, query)),
    ...(hide ? { notViewedBy: hide === 'any-user' ? ('anyone' as const) : caller.user.id } : {}),
    ...(forced ? { forced } : {}),
    order: {
      by: order === 'duration' ? ('recording_duration' as const) : order,
      ascending: query.order_direction === 'ASC',
    },
  }
  const conditions: ListConditions = {
    join: operand,
    of: [
      ...having,
      ...readConsoleLevels(readList(query.console_log_filters, 'console_log_filters') ?? [], operand),
      ...(await propertyConditions(parts, context, query, { ...window, now })),
    ],
  }
  return { filter, conditions, now }
}

/** What the recordings store cannot decide alone is decided here. */
async function findPage(
  parts: ListParts,
  { project, signal }: ListContext,
  { filter, conditions, now }: Awaited<ReturnType<typeof readFilter>>,
  page: PageRequest,
) {
  const { recordings } = parts.stores
  const plain = ofRecordingsAlone(conditions)
  if (plain === null) {
    const split = splitConditions(conditions)
    const possible: RecordingFilter = { ...filter, conditions: split.possible }
    return listByCandidates(parts, { projectId: project.id, filter: possible, conditions: split, page, now }, signal)
  }
  const whole: RecordingFilter = { ...filter, conditions: plain }
  const [count, rows] = await Promise.all([
    recordings.count(project.id, whole, now, signal),
    recordings.list(project.id, whole, page, now, signal),
  ])
  return { count, rows }
}

export interface MatchingQuery {
  session_ids?: string
  events?: string
  properties?: string
}

export function createRecordingList(parts: ListParts) {
  const { stores, clock } = parts
  return {
    async list(
      { project, caller }: Actor,
      query: ListQuery,
      page: PageRequest,
      signal: AbortSignal,
    ): Promise<{ count: number; items: RecordingView[] }> {
      const context = { project, caller, signal }
      const asked = await readFilter(parts, context, query)
      const { count, rows } = await findPage(parts, context, asked, page)
      return { count, items: await viewRecordings(stores, { project, caller, now: asked.now }, rows) }
    },
    /** Events of one session that match one of the filters; none for an unknown session. */
    async matchingEvents(project: Project, query: MatchingQuery, signal: AbortSignal) {
      refuseUnanswerable(query as Record<string, unknown>, { actions: UNANSWERABLE.actions })
      const [sessionId, ...others] = readTexts(query.session_ids, 'session_ids') ?? []
      if (sessionId === undefined || others.length > 0) {
        throw invalid('Must specify exactly one session_id', 'session_ids')
      }
      const now = clock.now()
      const selectors = [...readEvents(query.events, now), ...readEventProperties(query.properties, now)]
      if (selectors.length === 0) {
        throw invalid('Must specify at least one event or action filter, or event properties filter', 'events')
      }
      const found = await stores.events.sessionEvents(project.id, sessionId.toLowerCase(), selectors, signal)
      return found.map(({ uuid, timestamp }) => ({ uuid, timestamp: formatInstant(timestamp) }))
    },
  }
}
