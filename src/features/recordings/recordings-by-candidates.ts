/**
 * A list with conditions that only the event store can decide: on properties of persons, on events of sessions. The
 * recordings store gives, portion by portion, the recordings that may be in it. Which sessions have the events was asked
 * before; which of the persons fit, the event store is asked about some portions together. One pass counts what is found
 * and keeps the first of the order, up to the end of the page.
 */
import { eachInSlices, Slices } from '../../lib/concurrency/time-slices.ts'
import { FirstInOrder } from '../../lib/lists/first-in-order.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { Deadline, READ_LIMIT_MS } from '../../lib/time/deadline.ts'
import type { PageRequest } from '../../model/page.ts'
import { FITTED_AT_ONCE, NOBODY } from '../../model/persons/person-search.ts'
import {
  CANDIDATES_AT_ONCE,
  type Recording,
  type RecordingCandidates,
  type RecordingFilter,
} from '../../model/recordings/recording.ts'
import { inListOrder, type RecordingPosition } from '../../model/recordings/recording-order.ts'
import type { Stores } from '../../model/stores.ts'
import type { SplitConditions } from './list-conditions.ts'

interface Parts {
  stores: Pick<Stores, 'recordings' | 'events'>
  clock: Clock
}

interface Search {
  projectId: number
  /** With what is possible of the conditions. */
  filter: RecordingFilter
  conditions: SplitConditions
  page: PageRequest
  now: number
}

interface Page {
  count: number
  rows: Recording[]
}

/** After so many candidates there may be no room for another portion among the persons that are asked about at once. */
const ENOUGH = FITTED_AT_ONCE - CANDIDATES_AT_ONCE

/** Candidates that are decided on together, and their persons, where these matter. */
interface Group {
  portions: RecordingCandidates[]
  owners: Set<number>
}

async function* groupsOf(
  { recordings }: Parts['stores'],
  { projectId, filter, conditions, now }: Search,
  signal: AbortSignal,
): AsyncGenerator<Group> {
  const { tests, filters } = conditions
  const questions = { tests, withOwners: filters.length > 0 }
  let group: Group = { portions: [], owners: new Set() }
  let size = 0
  let from: RecordingCandidates['next'] = null
  do {
    const portion: RecordingCandidates = await recordings.candidates(projectId, filter, questions, from, now, signal)
    group.portions.push(portion)
    for (const owner of portion.owners) group.owners.add(owner)
    size += portion.sessionIds.length
    from = portion.next
    if (from !== null && questions.withOwners && size < ENOUGH) continue
    yield group
    group = { portions: [], owners: new Set() }
    size = 0
  } while (from !== null)
}

/** While one is looked at, the next one is being made. */
async function* ahead<T>(items: AsyncGenerator<T, void>): AsyncGenerator<T> {
  let coming = items.next()
  for (;;) {
    const { value, done } = await coming
    if (done) return
    coming = items.next()
    // It is awaited in the next round, unless whoever looks at this one fails before.
    coming.catch(() => {})
    yield value
  }
}

/** Which persons match, for each filter. */
async function fittingPersons(
  { events }: Parts['stores'],
  { projectId, conditions: { filters } }: Search,
  owners: Set<number>,
  signal: AbortSignal,
): Promise<Set<number>[]> {
  if (filters.length === 0) return []
  const fitting: Set<number>[] = []
  for (const ids of await events.personsThatFit(projectId, [...owners], filters, signal)) {
    const persons = new Set<number>()
    await eachInSlices(ids, (id) => persons.add(id))
    fitting.push(persons)
  }
  return fitting
}

/** Adds those of a portion that are listed; returns their number. */
async function addListed(
  first: FirstInOrder<RecordingPosition>,
  { sessionIds, startAt, by, owners, holds }: RecordingCandidates,
  { tests, decide }: SplitConditions,
  fitting: Set<number>[],
  slices: Slices,
): Promise<number> {
  let listed = 0
  for (const [row, sessionId] of sessionIds.entries()) {
    if (slices.isOver) await slices.rest()
    const isListed = decide({
      sessionId,
      holds: (test) => holds[row * tests.length + test] === 1,
      fits: (person) => fitting[person]?.has(owners[row] ?? NOBODY) === true,
    })
    if (!isListed) continue
    listed += 1
    const sorting = first.addInSlices({ sessionId, startAt: startAt[row] as number, by: by[row] as number })
    if (sorting) await sorting
  }
  return listed
}

async function findFirst(
  stores: Parts['stores'],
  search: Search,
  count: number,
  signal: AbortSignal,
): Promise<{ total: number; first: RecordingPosition[] }> {
  const { filter, conditions } = search
  // Named sessions keep the order in which they were named.
  const isAscending = filter.sessionIds !== undefined || filter.order.ascending
  const first = new FirstInOrder<RecordingPosition>(count, inListOrder(isAscending))
  // One for all portions: several may follow each other within a turn of the event loop.
  const slices = new Slices()
  let total = 0
  for await (const { portions, owners } of ahead(groupsOf(stores, search, signal))) {
    const fitting = await fittingPersons(stores, search, owners, signal)
    for (const portion of portions) total += await addListed(first, portion, conditions, fitting, slices)
  }
  return { total, first: await first.itemsInSlices() }
}

async function findPage({ recordings, events }: Parts['stores'], search: Search, signal: AbortSignal): Promise<Page> {
  const { projectId, filter, now, page } = search
  const { limit, offset } = page
  const forced = filter.forced === undefined ? null : await recordings.find(projectId, filter.forced, now)
  const before = forced ? [forced.sessionId] : []
  const count = Math.max(0, Math.min(offset + limit, Number.MAX_SAFE_INTEGER) - before.length)
  const { total, first } = await findFirst({ recordings, events }, search, count, signal)
  const others = first.slice(Math.max(0, offset - before.length)).map(({ sessionId }) => sessionId)
  const ids = [...before.slice(offset), ...others].slice(0, limit)
  const found = await recordings.findMany(projectId, ids, now)
  const byId = new Map(found.map((recording) => [recording.sessionId, recording]))
  const rows = ids.map((id) => byId.get(id)).filter((recording) => recording !== undefined)
  return { count: total + before.length, rows }
}

/** The same limit as for every other list, over both stores together. */
export async function listByCandidates({ stores, clock }: Parts, search: Search, signal: AbortSignal): Promise<Page> {
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
