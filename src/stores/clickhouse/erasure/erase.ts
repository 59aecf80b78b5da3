/**
 * Removes the events of persons permanently. Those of many requests go together, by the numbers of their ids, as the engine
 * writes all data anew for each removal.
 */
import type { Erased, ErasureRequest } from '../../../model/events/erasure.ts'
import { type Span, spansOf } from '../../erasure-spans.ts'
import { idHash } from '../../id-hash.ts'
import { renewVersions } from '../data-versions.ts'
import type { Parts } from '../parts.ts'
import { NO_SESSION } from '../rows/event-rows.ts'
import type { Servers } from '../server/client.ts'
import { int, isOneOf, mapped, uuid } from '../values/literal.ts'
import { erasePeople } from './erase-people.ts'
import { beginRun, countsOf, type ErasedPart, endRun, openRuns } from './erasure-runs.ts'
import { removeRows } from './remove-rows.ts'

/** A removal is kept by ZooKeeper, which takes a megabyte. */
const IDS_AT_ONCE = 20_000

type SpansOfId = [hash: bigint, spans: Span[]]

/** By id, the spans of each in their order. */
function spansById(requests: ErasureRequest[]): SpansOfId[] {
  const byId = new Map<bigint, Span[]>()
  for (const span of spansOf(requests)) {
    const hash = idHash(span.projectId, span.distinctId)
    const spans = byId.get(hash)
    if (spans) spans.push(span)
    else byId.set(hash, [span])
  }
  return [...byId]
}

const projectsOf = (ids: SpansOfId[]): number[] => ids.map(([, [span]]) => (span as Span).projectId)

const ofProjects = (projects: Iterable<number>): string => isOneOf('project_id', [...new Set(projects)], int)

/** SQL of the events that go. */
const isErased = (projects: Iterable<number>, upTo: [bigint, bigint][]): string => {
  const ends = upTo.map(([hash, seq]): [bigint, bigint] => [hash, seq + 1n])
  return `${ofProjects(projects)} AND seq < ${mapped('id_hash', ends)}`
}

/** SQL of the request that an event counts for, 0 for none. Few ids have more than one span. */
function requestSql(ids: SpansOfId[]): string {
  const most = Math.max(...ids.map(([, spans]) => spans.length))
  const branches: string[] = []
  for (let place = 0; place < most; place++) {
    const ends: [bigint, bigint][] = []
    const requests: [bigint, bigint][] = []
    for (const [hash, { [place]: span }] of ids) {
      if (!span) continue
      ends.push([hash, BigInt(span.upTo) + 1n])
      requests.push([hash, BigInt(span.request)])
    }
    branches.push(`seq < ${mapped('id_hash', ends)}, ${mapped('id_hash', requests)}`)
  }
  return `multiIf(${branches.join(', ')}, 0)`
}

/** Without counts. */
function partsOf(ids: SpansOfId[]): ErasedPart[] {
  const parts = new Map<string, ErasedPart>()
  for (const [hash, spans] of ids) {
    for (const { request: id, projectId, upTo } of spans) {
      const part = parts.get(`${id}/${projectId}`) ?? { id, projectId, events: 0, sessions: 0, upTo: new Map() }
      part.upTo.set(hash, BigInt(upTo))
      parts.set(`${id}/${projectId}`, part)
    }
  }
  return [...parts.values()]
}

/** The last number of each row, by the two before: the request and the project. */
const byRequest = (rows: unknown[][]): Map<string, number> =>
  new Map(rows.map(([request, projectId, number]) => [`${request}/${projectId}`, Number(number)]))

/** What is to be removed for each request; those that have nothing are left out. `erased`: SQL of the events that go. */
async function count(servers: Servers, ids: SpansOfId[], erased: string): Promise<ErasedPart[]> {
  const request = requestSql(ids)
  const events = byRequest(
    await servers.rows(`SELECT ${request} AS request, project_id, count() FROM events
      WHERE ${erased} GROUP BY request, project_id`),
  )
  if (events.size === 0) return []
  const hasSession = `session_id != ${uuid(NO_SESSION)}`
  // The lowest request is 0 where one of the session's events stays.
  const sessions = byRequest(
    await servers.rows(`SELECT lowest, project_id, count() FROM (
        SELECT min(${request}) AS lowest, project_id, session_id FROM events
        WHERE ${ofProjects(projectsOf(ids))} AND ${hasSession}
          AND session_id GLOBAL IN (SELECT session_id FROM events WHERE ${erased} AND ${hasSession})
        GROUP BY project_id, session_id HAVING lowest > 0)
      GROUP BY lowest, project_id`),
  )
  return partsOf(ids).flatMap((part) => {
    const key = `${part.id}/${part.projectId}`
    const found = events.get(key)
    return found === undefined ? [] : [{ ...part, events: found, sessions: sessions.get(key) ?? 0 }]
  })
}

const removeEvents = (servers: Servers, where: string): Promise<number[]> =>
  removeRows(servers, [
    { table: 'events', where },
    { table: 'moments', where },
  ])

const projectsOfParts = (parts: ErasedPart[]): number[] => parts.map(({ projectId }) => projectId)

/** Finishes what was cut off; its counts are stored. */
async function finishRuns(servers: Servers): Promise<void> {
  for (const run of await openRuns(servers)) {
    const ends = new Map<bigint, bigint>()
    for (const { upTo } of run.parts) {
      for (const [hash, seq] of upTo) if (seq > (ends.get(hash) ?? -1n)) ends.set(hash, seq)
    }
    const projects = projectsOfParts(run.parts)
    await removeEvents(servers, isErased(projects, [...ends]))
    await renewVersions(servers, projects)
    await endRun(servers, run)
  }
}

async function eraseEvents(servers: Servers, ids: SpansOfId[]): Promise<void> {
  const ends = ids.map(([hash, spans]): [bigint, bigint] => [hash, BigInt((spans.at(-1) as Span).upTo)])
  const erased = isErased(projectsOf(ids), ends)
  const parts = await count(servers, ids, erased)
  const run = parts.length === 0 ? null : await beginRun(servers, parts)
  await removeEvents(servers, erased)
  await renewVersions(servers, projectsOfParts(parts))
  if (run) await endRun(servers, run)
}

export async function erase(
  { servers }: Parts,
  requests: ErasureRequest[],
  idsAtOnce = IDS_AT_ONCE,
): Promise<Erased[]> {
  if (requests.length === 0) return []
  // What only a replica has that is away could not be counted.
  await servers.replicas.allHaveSame(['events'])
  await finishRuns(servers)
  const ids = spansById(requests)
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    await eraseEvents(servers, ids.slice(start, start + idsAtOnce))
  }
  await erasePeople(servers, requests)
  const asked = requests.map(({ id }) => id)
  const counts = await countsOf(servers, asked)
  return asked.map((id) => {
    const [events, sessions] = counts.get(id) ?? [0, 0]
    return { id, events, sessions }
  })
}

export async function forgetErased({ servers }: Parts, except: number[]): Promise<void> {
  const where = except.length === 0 ? '1' : `NOT (${isOneOf('id', except, int)})`
  await removeRows(servers, [{ table: 'erasures', where }])
}
