/**
 * A list whose conditions ask for properties of persons. The recordings store gives, portion by portion, the recordings
 * that may be in it, with their persons; the event store says which of these persons fit. One pass counts what is found
 * and keeps the first of the order, up to the end of the page.
 */
import { Slices } from '../../lib/concurrency/time-slices.ts'
import { FirstInOrder } from '../../lib/lists/first-in-order.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { Deadline, READ_LIMIT_MS } from '../../lib/time/deadline.ts'
import type { PageRequest } from '../../model/page.ts'
import { NOBODY } from '../../model/persons/person-search.ts'
import type { Recording, RecordingCandidates, RecordingFilter } from '../../model/recordings/recording.ts'
import { inListOrder, type RecordingPosition } from '../../model/recordings/recording-order.ts'
import type { Stores } from '../../model/stores.ts'
import type { PersonConditions } from './person-conditions.ts'

interface Parts {
  stores: Pick<Stores, 'recordings' | 'events'>
  clock: Clock
}

interface Search {
  projectId: number
  /** Without the conditions on persons. */
  filter: RecordingFilter
  conditions: PersonConditions
  page: PageRequest
  now: number
}

interface Page {
  count: number
  rows: Recording[]
}

/** While one portion is looked at, the next one is being read. */
async function* readAhead(
  read: (from: RecordingCandidates['next']) => Promise<RecordingCandidates>,
): AsyncGenerator<RecordingCandidates> {
  let portion = await read(null)
  while (portion.next !== null) {
    const coming = read(portion.next)
    // It is awaited below, unless whoever looks at this portion fails before.
    coming.catch(() => {})
    yield portion
    portion = await coming
  }
  yield portion
}

async function findFirst(
  { recordings, events }: Parts['stores'],
  search: Search,
  count: number,
  signal: AbortSignal,
): Promise<{ total: number; first: RecordingPosition[] }> {
  const { projectId, filter, now } = search
  const { tests, filters, decide } = search.conditions
  // Named sessions keep the order in which they were named.
  const isAscending = filter.sessionIds !== undefined || filter.order.ascending
  const first = new FirstInOrder<RecordingPosition>(count, inListOrder(isAscending))
  const slices = new Slices()
  let total = 0
  const read = (from: RecordingCandidates['next']) => recordings.candidates(projectId, filter, tests, from, now, signal)
  for await (const { sessionIds, startAt, by, owners, holds } of readAhead(read)) {
    const found = await events.personsThatFit(projectId, [...new Set(owners)], filters, signal)
    const fitting = found.map((ids) => new Set(ids))
    for (const [row, sessionId] of sessionIds.entries()) {
      if (slices.isOver) await slices.rest()
      const owner = owners[row] ?? NOBODY
      const isListed = decide(
        (test) => holds[row * tests.length + test] === 1,
        (person) => fitting[person]?.has(owner) === true,
      )
      if (!isListed) continue
      total += 1
      first.add({ sessionId, startAt: startAt[row] as number, by: by[row] as number })
    }
  }
  return { total, first: first.items }
}

async function findPage({ recordings, events }: Parts['stores'], search: Search, signal: AbortSignal): Promise<Page> {
  const { projectId, filter, now, page } = search
  const { limit, offset } = page
  const forced = filter.forced === undefined ? null : await recordings.find(projectId, filter.forced, now)
  const before = forced ? [forced.sessionId] : []
  const count = Math.max(0, Math.min(offset + limit, Number.MAX_SAFE_INTEGER) - before.length)
  const { total, first } = await findFirst({ recordings, events }, search, count, signal)
  const ids = [...before, ...first.map(({ sessionId }) => sessionId)].slice(offset, offset + limit)
  const found = await recordings.findMany(projectId, ids, now)
  const byId = new Map(found.map((recording) => [recording.sessionId, recording]))
  const rows = ids.map((id) => byId.get(id)).filter((recording) => recording !== undefined)
  return { count: total + before.length, rows }
}

/** The same limit as for every other list, over both stores together. */
export async function listByPerson({ stores, clock }: Parts, search: Search, signal: AbortSignal): Promise<Page> {
  const deadline = new Deadline(READ_LIMIT_MS, signal, () => clock.steady())
  const ended = new AbortController()
  const forget = deadline.whenOver(() => ended.abort())
  try {
    deadline.check()
    return await findPage(stores, search, ended.signal)
  } catch (cause) {
    throw deadline.isOver ? deadline.error : cause
  } finally {
    forget()
    ended.abort()
  }
}
