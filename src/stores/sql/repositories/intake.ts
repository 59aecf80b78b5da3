/** The capture transaction in SQL: every statement is compiled and prepared once. */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import {
  type IngestionWarning,
  type IntakePerson,
  type IntakeReader,
  type IntakeWriter,
  WARNINGS_KEPT,
} from '../../../model/events/intake.ts'
import { arg, type Connection, prepared, preparedInsert, preparedUpdate } from '../connection.ts'
import type { Index } from '../queries/index-scan.ts'
import { jsonLists } from '../queries/json-lists.ts'
import { newestPage } from '../queries/newest-first.ts'
import type { IngestionWarningTable, Tables } from '../tables.ts'
import { addToCount, removePerson } from './persons/person-count.ts'

/** What many events of a group need runs once for all of them: one bound list, whatever its length. */
const findPersons = prepared((db, dialect) =>
  db
    .selectFrom('distinct_ids')
    .innerJoin('persons', 'persons.id', 'distinct_ids.person_id')
    .select(['distinct_id', 'persons.id', 'persons.uuid', 'properties', 'is_identified', 'created_at', 'last_seen_at'])
    .where('distinct_ids.project_id', '=', arg<number>(0))
    // Not a join: SQLite would scan the ids of all persons.
    .where('distinct_id', 'in', db.selectFrom(dialect.jsonTexts(arg<string>(1)).as('given')).select('given.value')),
)
/** By id, so that two never wait for each other. */
const lockPersons = prepared((db, dialect) =>
  db
    .selectFrom('persons')
    .select('id')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('distinct_ids')
        .select('person_id')
        .where('project_id', '=', arg<number>(0))
        .where('distinct_id', 'in', eb.selectFrom(dialect.jsonTexts(arg<string>(1)).as('given')).select('given.value')),
    )
    .orderBy('id')
    .forUpdate(),
)
const insertUuids = prepared((db, dialect) =>
  db
    .insertInto('event_uuids')
    .columns(['project_id', 'uuid', 'noted_at'])
    .expression(
      db
        .selectFrom(dialect.jsonTexts(arg<string>(1)).as('given'))
        .select([
          sql<number>`${arg<number>(0)}`.as('project_id'),
          dialect.bytesOfUuid('given.value').as('uuid'),
          sql<number>`${arg<number>(2)}`.as('noted_at'),
        ])
        // Also because without a condition SQLite would read the following clause as that of a join.
        .where(dialect.inPeopleTransaction),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(dialect.hexOf('uuid').as('hex')),
)
const insertPersons = preparedInsert({
  table: 'persons',
  columns: {
    project_id: 'integer',
    uuid: 'text',
    properties: 'text',
    is_identified: 'integer',
    created_at: 'instant',
    last_seen_at: 'instant',
    updated_at: 'instant',
  },
  unlessTaken: ['project_id', 'uuid'],
})
const updatePersons = preparedUpdate({
  table: 'persons',
  columns: {
    id: 'integer',
    properties: 'text',
    is_identified: 'integer',
    created_at: 'instant',
    last_seen_at: 'instant',
    updated_at: 'instant',
  },
})
const insertDistinctIds = prepared((db, dialect) =>
  db
    .insertInto('distinct_ids')
    .columns(['project_id', 'distinct_id', 'person_id'])
    .expression(
      db
        .selectFrom(dialect.jsonRows(arg<string>(1), { distinct_id: 'text', person_id: 'integer' }).as('given'))
        .select([sql<number>`${arg<number>(0)}`.as('project_id'), 'given.distinct_id', 'given.person_id']),
    ),
)
const idsOf = prepared((db) =>
  db
    .selectFrom('distinct_ids')
    .select('distinct_id')
    .where('person_id', '=', arg<number>(0))
    .orderBy('id')
    .limit(arg<number>(1)),
)
const insertPersonless = prepared((db, dialect) =>
  db
    .insertInto('personless_ids')
    .columns(['project_id', 'distinct_id'])
    .expression(
      db
        .selectFrom(dialect.jsonTexts(arg<string>(1)).as('given'))
        .select([sql<number>`${arg<number>(0)}`.as('project_id'), 'given.value as distinct_id'])
        // Without a condition SQLite would read the following clause as that of a join.
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('project_id'),
)
const findPersonless = prepared((db) =>
  db
    .selectFrom('personless_ids')
    .select('distinct_id')
    .where('project_id', '=', arg<number>(0))
    .where('distinct_id', '=', arg<string>(1)),
)

const insertWarnings = preparedInsert({
  table: 'ingestion_warnings',
  columns: { id: 'text', project_id: 'integer', type: 'text', details: 'text', created_at: 'instant' },
})
type WarningIds = SelectQueryBuilder<Tables, 'ingestion_warnings', { id: string }>

/** Removes some of the warnings of a project, the first argument. */
const removeWarnings = (choose: (ids: WarningIds) => WarningIds) =>
  prepared((db) =>
    db
      .deleteFrom('ingestion_warnings')
      .where(
        'id',
        'in',
        choose(db.selectFrom('ingestion_warnings').select('id').where('project_id', '=', arg<number>(0))),
      )
      .returning('project_id'),
  )
/** Scans the index of the newest: rows it skips are read from the index only. */
const removeBeyond = removeWarnings((ids) =>
  ids.orderBy('created_at', 'desc').limit(arg<number>(1)).offset(arg<number>(2)),
)
const removeOlder = removeWarnings((ids) => ids.where('created_at', '<', arg<number>(1)).limit(arg<number>(2)))

/** Finding those beyond the limit scans all that are kept: done once for this many added. */
const TRIM_EVERY = 500
/** More than are added meanwhile, so that a project with far too many shrinks; few enough for a request to wait for. */
const TRIM_AT_ONCE = 1_000

const hexOf = (uuid: string): string => uuid.replaceAll('-', '')

/** In the order of the statements above. */
const valuesOf = (
  { properties, isIdentified, createdAt, lastSeenAt }: Omit<IntakePerson, 'id' | 'uuid'>,
  now: number,
): unknown[] => [properties, isIdentified ? 1 : 0, createdAt, lastSeenAt, now]

const toWarning = (row: IngestionWarningTable): IngestionWarning => ({
  id: row.id,
  projectId: row.project_id,
  type: row.type,
  details: JSON.parse(row.details),
  createdAt: row.created_at,
})

export function intakeReader(connection: Connection): IntakeReader {
  const table = 'ingestion_warnings'
  return {
    async warnings(projectId, type, page) {
      const of = sql<SqlBool>`project_id = ${projectId}`
      const { tie } = connection.dialect
      const index: Index = { table, of, by: [sql`created_at`, tie.by], last: tie.last, descending: true }
      const condition = type === null ? sql<SqlBool>`1 = 1` : sql<SqlBool>`type = ${type}`
      const { count, items } = await newestPage(
        connection,
        { table, parts: [{ index, condition }], long: ['details'] },
        page,
      )
      return { count, items: items.map(toWarning) }
    },
    async countWarnings(projectId, since) {
      const { count } = await connection.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('project_id', '=', projectId)
        .where('created_at', '>=', since)
        .executeTakeFirstOrThrow()
      return count
    },
  }
}

type Uuids = Pick<IntakeWriter, 'freshUuids' | 'withdrawUuids' | 'forgetUuids' | 'notePersonless' | 'wasPersonless'>

function noting(connection: Connection): Uuids {
  const { db, dialect } = connection
  return {
    async freshUuids(projectId, uuids, now) {
      // Sorted, so that two processes rarely wait for each other.
      const list = JSON.stringify(uuids.toSorted())
      const rows = await insertUuids.run(connection, projectId, list, now)
      // Nearly always all of them.
      if (rows.length === uuids.length) return new Set(uuids)
      const noted = new Set(rows.map((row) => row.hex))
      return new Set(uuids.filter((uuid) => noted.has(hexOf(uuid))))
    },
    async withdrawUuids(projectId, uuids) {
      const given = db.selectFrom(dialect.jsonTexts(JSON.stringify(uuids)).as('given'))
      await db
        .deleteFrom('event_uuids')
        .where('project_id', '=', projectId)
        .where('uuid', 'in', given.select(dialect.bytesOfUuid('given.value').as('uuid')))
        .execute()
    },
    async forgetUuids(before, limit) {
      let removed = 0
      for (const part of dialect.parts.of('event_uuids')) {
        const oldest = sql`where noted_at < ${before} order by noted_at limit ${limit - removed}`
        const isOld = dialect.isAmong(part, [sql`project_id`, sql`uuid`], oldest)
        const { numAffectedRows } = await sql`delete from ${sql.table(part)} where ${isOld}`.execute(db)
        removed += Number(numAffectedRows)
        if (removed >= limit) break
      }
      return removed
    },
    async notePersonless(projectId, distinctIds) {
      // Sorted, so that two never wait for each other.
      await insertPersonless.run(connection, projectId, JSON.stringify(distinctIds.toSorted()))
    },
    async wasPersonless(projectId, distinctId) {
      return (await findPersonless.run(connection, projectId, distinctId)).length > 0
    },
  }
}

type Warnings = Pick<IntakeWriter, 'addWarnings' | 'trimWarnings' | 'forgetWarnings' | 'eraseWarnings'>

function warning(connection: Connection): Warnings {
  const { db, dialect, addedWarnings } = connection
  const trimWarnings = async (projectId: number, limit: number): Promise<number> =>
    (await removeBeyond.run(connection, projectId, limit, WARNINGS_KEPT)).length
  return {
    trimWarnings,
    async addWarnings(projectId, warnings) {
      const rows = warnings.map(({ id, type, details, createdAt }) => [
        id,
        projectId,
        type,
        JSON.stringify(details),
        createdAt,
      ])
      await insertWarnings.run(connection, rows)
      const added = addedWarnings.add(projectId, rows.length)
      if (added !== null && added < TRIM_EVERY) return
      await trimWarnings(projectId, TRIM_AT_ONCE)
      addedWarnings.removed(projectId)
    },
    async forgetWarnings(projectId, before, limit) {
      return (await removeOlder.run(connection, projectId, before, limit)).length
    },
    async eraseWarnings(projectId, distinctIds) {
      await db
        .deleteFrom('ingestion_warnings')
        .where('project_id', '=', projectId)
        .where(dialect.mentions('details', distinctIds))
        .execute()
    },
  }
}

async function resolve(
  connection: Connection,
  projectId: number,
  distinctIds: string[],
): Promise<Map<string, IntakePerson>> {
  const rows = await findPersons.run(connection, projectId, JSON.stringify(distinctIds))
  const found = new Map<string, IntakePerson>()
  for (const row of rows) {
    found.set(row.distinct_id, {
      id: row.id,
      uuid: row.uuid,
      properties: row.properties,
      isIdentified: row.is_identified === 1,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
    })
  }
  return found
}

/** Locks those whose the ids are, and again those whose they became while it waited. */
const lockOwners: (connection: Connection) => NonNullable<IntakeWriter['lockOwners']> =
  (connection) => async (projectId, distinctIds) => {
    const locked = new Set<number>()
    for (;;) {
      for (const { id } of await lockPersons.run(connection, projectId, JSON.stringify(distinctIds))) locked.add(id)
      // Read anew: a row that was waited for comes as it is now, but joined to where its ids were before.
      const found = await resolve(connection, projectId, distinctIds)
      if ([...found.values()].every(({ id }) => locked.has(id))) return found
    }
  }

export function intakeWriter(connection: Connection): IntakeWriter {
  const { db, dialect } = connection
  return {
    ...intakeReader(connection),
    ...noting(connection),
    ...warning(connection),
    resolve: (projectId, distinctIds) => resolve(connection, projectId, distinctIds),
    lockOwners: dialect.locksRows ? lockOwners(connection) : null,
    async addPersons(projectId, persons, now) {
      const rows = persons.map((person) => [projectId, person.uuid, ...valuesOf(person, now)])
      const ids = await insertPersons.run(connection, rows)
      addToCount(connection, projectId, ids.filter((id) => id !== null).length)
      return ids
    },
    async savePersons(persons, now) {
      await updatePersons.run(
        connection,
        persons.map((person) => [person.id, ...valuesOf(person, now)]),
      )
    },
    async addDistinctIds(projectId, ids) {
      const rows = ids.map(({ distinctId, personId }) => [distinctId, personId])
      for (const list of jsonLists(rows)) await insertDistinctIds.run(connection, projectId, list)
    },
    async distinctIdsOf(personId, limit) {
      return (await idsOf.run(connection, personId, limit)).map((row) => row.distinct_id)
    },
    async absorb(projectId, otherId, targetId) {
      const moves = [
        db.updateTable('distinct_ids').set({ person_id: targetId }).where('person_id', '=', otherId),
        db.updateTable('property_history').set({ person_id: targetId }).where('person_id', '=', otherId),
        db
          .updateTable('recordings')
          .set({ person_id: targetId })
          .where('project_id', '=', projectId)
          .where('person_id', '=', otherId),
        db
          .updateTable('activity')
          .set({ item_id: String(targetId) })
          .where('project_id', '=', projectId)
          .where('scope', '=', 'Person')
          .where('item_id', '=', String(otherId)),
      ]
      let moved = 0
      for (const move of moves) moved += Number((await move.executeTakeFirst()).numUpdatedRows)
      await removePerson(connection, otherId)
      return moved
    },
  }
}
