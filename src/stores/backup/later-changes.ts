/**
 * Compares restored stores with those they replace and finds what was deleted after the backup was made. What is a
 * matter of single rows (keys, users, memberships, shares, subscriptions, reports sent, the clock's state) is brought
 * up to date at once, in one transaction; what concerns several stores is returned for the caller to do again.
 *
 * It is only right when the replaced stores went on from the state in the backup. The list of restores in both tells:
 * stores that were restored from an earlier backup since never had what this one has, and are refused.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { OperatorError } from '../../lib/errors.ts'
import type { LaterChanges, LaterErasure } from '../../model/later-changes.ts'
import { STORE_NAMES } from '../data-folder.ts'
import { carryOver } from './carry-over.ts'

/** The name in `secrets` of the list of backups, by their time, that were restored one after the other. */
const RESTORES = 'restores'

function restoresOf(database: Database.Database, catalog: string): string[] {
  const value = database.prepare(`select value from ${catalog}.secrets where name = ?`).pluck().get(RESTORES)
  return value === undefined ? [] : JSON.parse(value as string)
}

/** Whether the replaced stores had all that is in the backup. */
function isContinuation(own: string[], theirs: string[], madeAt: string): boolean {
  return (
    own.every((restore, index) => theirs[index] === restore) && theirs.slice(own.length).every((at) => at >= madeAt)
  )
}

/** Persons whose events were to be deleted by a request that the backup does not have, or not in this extent. */
const LATER_REQUESTS = `create temp table later_requests as
  select o.project_id, o.person_id, o.distinct_ids from old.deletions o left join main.deletions m on m.id = o.id
  where m.id is null or (m.status = 'pending' and o.cutoff_seq > m.cutoff_seq)`

const NAMED_PERSONS = `create temp table named_persons as
  select p.id from later_requests l join main.persons p on p.id = l.person_id
  union
  select d.person_id from later_requests l, json_each(l.distinct_ids) each
    join main.distinct_ids d on d.project_id = l.project_id and d.distinct_id = each.value`

/**
 * A person that is gone was merged into another, which then has its ids, or deleted: then its ids are gone too, or the
 * log says so where they have been seen again since. Numbers are never used twice; a uuid may be, when an id comes back.
 */
const DELETED_PERSONS = `create temp table deleted_persons as
  select p.id from main.persons p
  where not exists (select 1 from old.persons o where o.id = p.id)
    and (not exists (select 1 from main.distinct_ids d
        join old.distinct_ids o on o.project_id = d.project_id and o.distinct_id = d.distinct_id
        where d.person_id = p.id)
      or exists (select 1 from old.activity a where a.project_id = p.project_id and a.scope = 'Person'
        and a.item_id = cast(p.id as text) and a.activity = 'deleted'))`

/** Of projects that are there in both. */
const PERSONS = `select p.project_id as projectId, p.id as personId, p.uuid as personUuid,
    p.id in (select id from deleted_persons) as isPersonDeleted,
    p.id in (select id from named_persons) as areEventsDeleted
  from main.persons p join main.projects on projects.id = p.project_id
  where p.id in (select id from deleted_persons union select id from named_persons)
    and projects.removed_at is null
    and p.project_id in (select id from old.projects where removed_at is null)
  order by p.project_id, p.id`

const PROJECTS = `select id from main.projects p where removed_at is null
  and not exists (select 1 from old.projects o where o.id = p.id and o.uuid = p.uuid and o.removed_at is null)`

const CARRIED_OUT = `select m.project_id as projectId, count(*) as requests
  from main.deletions m join old.deletions o on o.id = m.id
  where m.status = 'pending' and o.status = 'completed' group by m.project_id`

const RECORDINGS = `select t.project_id as projectId, t.session_id as sessionId, t.deleted_at as deletedAt,
    t.deleted_by as deletedBy
  from old.recording_tombstones t
  join main.recordings r on r.project_id = t.project_id and r.session_id = t.session_id`

type Flags = 'isPersonDeleted' | 'areEventsDeleted'
type PersonRow = Omit<LaterErasure, Flags> & Record<Flags, number>

function compare(database: Database.Database, sendingKinds: string[]): LaterChanges {
  for (const sql of [LATER_REQUESTS, NAMED_PERSONS, DELETED_PERSONS]) database.exec(sql)
  const rows = <T>(sql: string): T[] => database.prepare(sql).all() as T[]
  const persons = rows<PersonRow>(PERSONS).map((person) => ({
    ...person,
    isPersonDeleted: Boolean(person.isPersonDeleted),
    areEventsDeleted: Boolean(person.areEventsDeleted),
  }))
  return {
    projects: database.prepare(PROJECTS).pluck().all() as number[],
    persons,
    carriedOut: rows(CARRIED_OUT),
    recordings: rows(RECORDINGS),
    carriedOver: carryOver(database, sendingKinds),
  }
}

/** Notes that this backup was restored, so that a later restore can tell what its replaced stores went on from. */
export function noteRestore(folder: string, madeAt: string): void {
  const database = new Database(join(folder, STORE_NAMES.sql))
  try {
    const value = JSON.stringify([...restoresOf(database, 'main'), madeAt])
    const upsert = 'insert into secrets (name, value) values (?, ?) on conflict (name) do update set value = ?'
    database.prepare(upsert).run(RESTORES, value, value)
  } finally {
    database.close()
  }
}

export interface Replaced {
  /** The folder with the restored stores. */
  restored: string
  /** The folder with those that they replace. */
  replaced: string
  madeAt: string
  /** Kinds of jobs that send something out: those that were done since are not done again. */
  sendingKinds: string[]
}

/** Null when there is nothing to compare with, or it is of another installation. */
export function applyLaterChanges({ restored, replaced, madeAt, sendingKinds }: Replaced): LaterChanges | null {
  const other = join(replaced, STORE_NAMES.sql)
  if (!existsSync(other)) return null
  const database = new Database(join(restored, STORE_NAMES.sql), { timeout: 10_000 })
  try {
    database.pragma('foreign_keys = ON')
    database.pragma('secure_delete = ON')
    database.prepare('attach database ? as old').run(other)
    const idIn = (catalog: string) => database.prepare(`select id from ${catalog}.installation`).pluck().get()
    if (idIn('main') !== idIn('old')) return null
    if (!isContinuation(restoresOf(database, 'main'), restoresOf(database, 'old'), madeAt)) {
      throw new OperatorError('it was restored from an earlier backup than this one, and may never have had this data')
    }
    return database.transaction(() => compare(database, sendingKinds)).immediate()
  } catch (cause) {
    throw new OperatorError(
      `What was deleted after the backup cannot be learned from ${replaced}: ${(cause as Error).message}. Say --ignore-replaced to restore without that. Nothing was changed.`,
      cause,
    )
  } finally {
    database.close()
  }
}
