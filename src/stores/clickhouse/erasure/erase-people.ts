/**
 * Removes what the people projection has of requests to erase: earlier rows of the persons and of their ids, which the
 * engine has not merged away yet, and all rows of persons that were deleted by the cut-off; their deletion mark is not
 * needed once no event is left to join it.
 *
 * Earlier rows go first, so that at no moment one of them is the latest.
 */
import type { ErasureRequest } from '../../../model/events/erasure.ts'
import { idHash } from '../../id-hash.ts'
import { renewVersions } from '../data-versions.ts'
import type { Servers } from '../server/client.ts'
import { int, isOneOf, mapped } from '../values/literal.ts'
import { type Removal, removeRows } from './remove-rows.ts'

const AT_ONCE = 50_000
/** Of deleted persons that nobody asked about. */
const MAX_OTHERS = 50_000

/** What the projection knows of one person or one id. */
interface Known {
  projectId: number
  key: bigint
  /** The `seq` of its latest row. */
  latest: bigint
  hasEarlier: boolean
  isDeleted: boolean
}

interface Target {
  projectId: number
  personId: number
  upTo: bigint
}

interface TargetId extends Target {
  hash: bigint
}

type PeopleTable = 'persons' | 'distinct_ids'

const KEYS = { persons: 'person_id', distinct_ids: 'id_hash' } as const
const HIGHEST = { persons: 'argMax(deleted, seq)', distinct_ids: '0' } as const

const unique = <T>(values: T[]): T[] => [...new Set(values)]

function* portions<T>(values: T[]): Generator<T[]> {
  for (let start = 0; start < values.length; start += AT_ONCE) yield values.slice(start, start + AT_ONCE)
}

const known = (rows: unknown[][]): Known[] =>
  rows.map(([projectId, key, latest, earliest, deleted]) => ({
    projectId: Number(projectId),
    key: BigInt(key as string),
    latest: BigInt(latest as string),
    hasEarlier: earliest !== latest,
    isDeleted: Number(deleted) === 1,
  }))

/** SQL of a SELECT of what is known of each, up to its WHERE. */
const knownSql = (table: PeopleTable): string =>
  `SELECT project_id, ${KEYS[table]}, max(seq), min(seq), ${HIGHEST[table]} FROM ${table}`

const groupSql = (table: PeopleTable): string => `GROUP BY project_id, ${KEYS[table]}`

async function read(servers: Servers, table: PeopleTable, projects: number[], keys: bigint[]): Promise<Known[]> {
  const found: Known[] = []
  for (const some of portions(unique(keys))) {
    const where = `${isOneOf('project_id', projects, int)} AND ${isOneOf(KEYS[table], some, int)}`
    found.push(...known(await servers.rows(`${knownSql(table)} WHERE ${where} ${groupSql(table)}`)))
  }
  return found
}

/** Persons that were deleted or merged, with earlier rows: what they had is in those. */
async function deletedWithEarlier(servers: Servers, projects: number[]): Promise<Known[]> {
  const where = isOneOf('project_id', projects, int)
  const rows = await servers.rows(`${knownSql('persons')}
    WHERE ${where} AND person_id GLOBAL IN (SELECT person_id FROM persons WHERE ${where} AND deleted = 1)
    ${groupSql('persons')} HAVING max(seq) > min(seq) AND argMax(deleted, seq) = 1 LIMIT ${int(MAX_OTHERS)}`)
  return known(rows)
}

/** The removal of all rows of these, or of all but the latest. */
function removalsOf(table: PeopleTable, of: Known[], what: 'earlier' | 'all'): Removal[] {
  const removals: Removal[] = []
  for (const some of portions(of)) {
    const sides = unique(some.map(({ projectId }) => projectId)).map((project) => {
      const ends = some
        .filter(({ projectId }) => projectId === project)
        .map(({ key, latest }): [bigint, bigint] => [key, what === 'all' ? latest + 1n : latest])
      return `(project_id = ${int(project)} AND seq < ${mapped(KEYS[table], ends)})`
    })
    const where = sides.join(' OR ')
    removals.push({ table, where })
    if (table === 'distinct_ids') removals.push({ table: 'overrides', where })
  }
  return removals
}

/** Of these ids those without events; the others must stay nobody's. */
async function withoutEvents(servers: Servers, ids: Known[]): Promise<Known[]> {
  const used = new Set<string>()
  for (const some of portions(ids)) {
    const projects = unique(some.map(({ projectId }) => projectId))
    const hashes = some.map(({ key }) => key)
    const rows = await servers.rows(`SELECT id_hash FROM moments
      WHERE ${isOneOf('project_id', projects, int)} AND ${isOneOf('id_hash', hashes, int)} GROUP BY id_hash`)
    for (const [hash] of rows) used.add(hash as string)
  }
  return ids.filter(({ key }) => !used.has(String(key)))
}

const personKey = ({ projectId, personId }: Target): string => `${projectId}/${personId}`

/** The last cut-off of each person. */
function targetsOf(requests: ErasureRequest[]): Map<string, Target> {
  const targets = new Map<string, Target>()
  for (const { projectId, personId, cutoffSeq } of requests) {
    const target = { projectId, personId, upTo: BigInt(cutoffSeq) }
    const other = targets.get(personKey(target))
    if (!other || other.upTo < target.upTo) targets.set(personKey(target), target)
  }
  return targets
}

/** The last cut-off of each id of these persons. */
function idsOf(requests: ErasureRequest[]): Map<bigint, TargetId> {
  const ids = new Map<bigint, TargetId>()
  for (const { projectId, personId, distinctIds, cutoffSeq } of requests) {
    const upTo = BigInt(cutoffSeq)
    for (const distinctId of distinctIds) {
      const hash = idHash(projectId, distinctId)
      if ((ids.get(hash)?.upTo ?? -1n) < upTo) ids.set(hash, { projectId, personId, upTo, hash })
    }
  }
  return ids
}

export async function erasePeople(servers: Servers, requests: ErasureRequest[]): Promise<void> {
  const projects = unique(requests.map(({ projectId }) => projectId))
  const targets = targetsOf(requests)
  const ids = idsOf(requests)
  const personIds = [...targets.values()].map(({ personId }) => BigInt(personId))
  const asked = (row: Known) => targets.get(`${row.projectId}/${row.key}`)
  const persons = (await read(servers, 'persons', projects, personIds)).filter((row) => asked(row) !== undefined)
  const mappings = await read(servers, 'distinct_ids', projects, [...ids.keys()])
  const others = await deletedWithEarlier(servers, projects)
  const withEarlier = (rows: Known[]) => rows.filter(({ hasEarlier }) => hasEarlier)
  await removeRows(servers, [
    ...removalsOf('persons', [...withEarlier(persons), ...others.filter((row) => asked(row) === undefined)], 'earlier'),
    ...removalsOf('distinct_ids', withEarlier(mappings), 'earlier'),
  ])
  const departed = persons.filter((row) => row.isDeleted && row.latest <= (asked(row) as Target).upTo)
  const departedKeys = new Set(departed.map(({ projectId, key }) => `${projectId}/${key}`))
  const left = mappings.filter(({ key, latest }) => {
    const target = ids.get(key) as TargetId
    return departedKeys.has(personKey(target)) && latest <= target.upTo
  })
  const freed = await withoutEvents(servers, left)
  await removeRows(servers, [...removalsOf('distinct_ids', freed, 'all'), ...removalsOf('persons', departed, 'all')])
  await renewVersions(
    servers,
    departed.map(({ projectId }) => projectId),
  )
}
