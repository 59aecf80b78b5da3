/**
 * People in SQL. The two look-ups that every request uses (by id, by uuid) and their distinct ids are prepared
 * statements; lists are in person-lists.ts, the property history in property-history.ts.
 */

import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { chunks } from '../../../../lib/lists/lists.ts'
import type { Person, PersonPage, PersonReader, PersonRef, PersonWriter } from '../../../../model/persons/person.ts'
import { AT_ONCE, arg, type Connection, prepared } from '../../connection.ts'
import type { Tables } from '../../tables.ts'
import { addToCount, removePerson } from './person-count.ts'
import { type PersonLists, personLists } from './person-lists.ts'
import { personProjections } from './person-projections.ts'
import { type ListedPage, toPerson, toPersons } from './person-rows.ts'
import { historyReader, historyWriter } from './property-history.ts'

const COLUMNS = [
  'persons.id',
  'persons.project_id',
  'persons.uuid',
  'persons.properties',
  'persons.is_identified',
  'persons.created_at',
  'persons.last_seen_at',
] as const

type Selected = SelectQueryBuilder<Tables, 'persons', Record<never, never>>
type Condition = (query: Selected, db: Kysely<Tables>) => Selected

/** A person and all its distinct ids, in one statement. */
const wholePerson = (where: Condition) =>
  prepared((db, dialect) =>
    where(db.selectFrom('persons'), db)
      .select(COLUMNS)
      .select(
        db
          .selectFrom('distinct_ids')
          .whereRef('distinct_ids.person_id', '=', 'persons.id' as never)
          .select(dialect.jsonList('distinct_ids.distinct_id', 'distinct_ids.id').as('list'))
          .as('ids'),
      ),
  )

/**
 * A person with each of its first two distinct ids. Most have one, and listing them takes as long as everything else.
 */
const smallPerson = (where: Condition) =>
  prepared((db) =>
    where(db.selectFrom('persons'), db)
      .leftJoin('distinct_ids', 'distinct_ids.person_id', 'persons.id')
      .select(COLUMNS)
      .select('distinct_ids.distinct_id')
      .orderBy('distinct_ids.id')
      // Not bound: SQLite would plan again at each run, as the plan depends on it.
      .limit(sql.lit(2)),
  )

/** Finds the one person of a condition, whose arguments are the project and another. */
function finder(where: Condition) {
  const [small, whole] = [smallPerson(where), wholePerson(where)]
  return async (connection: Connection, projectId: number, key: number | string): Promise<Person | null> => {
    const [row, another] = await small.run(connection, projectId, key)
    if (!row) return null
    if (!another) return toPerson(row, row.distinct_id === null ? [] : [row.distinct_id])
    const [all] = await whole.run(connection, projectId, key)
    return all ? toPerson(all, JSON.parse(all.ids ?? '[]')) : null
  }
}

const inProject = (query: Selected) => query.where('persons.project_id', '=', arg<number>(0))
const findById = finder((query) => inProject(query).where('persons.id', '=', arg<number>(1)))
const findByUuid = finder((query) => inProject(query).where('persons.uuid', '=', arg<string>(1)))
const findByDistinctId = finder((query, db) =>
  query.where(
    'persons.id',
    '=',
    db
      .selectFrom('distinct_ids as given')
      .select('given.person_id')
      .where('given.project_id', '=', arg<number>(0))
      .where('given.distinct_id', '=', arg<string>(1)),
  ),
)

const toPage = async ({ listed, next }: ListedPage): Promise<PersonPage> => ({ persons: await toPersons(listed), next })

/** The part of the reader that reads many persons, wherever it runs. */
export const listedPersons = (
  lists: PersonLists,
): Pick<PersonReader, 'list' | 'listAfter' | 'listByIds' | 'count'> => ({
  ...lists,
  list: async (...asked) => toPage(await lists.list(...asked)),
  listAfter: async (...asked) => toPage(await lists.listAfter(...asked)),
  async listByIds(...asked) {
    const { listed, taken } = await lists.listByIds(...asked)
    return { persons: await toPersons(listed), taken }
  },
})

export function personReader(connection: Connection): PersonReader {
  const { lookUpsAtOnce } = connection.dialect
  const find = (projectId: number, ref: PersonRef): Promise<Person | null> =>
    'id' in ref ? findById(connection, projectId, ref.id) : findByUuid(connection, projectId, ref.uuid)
  return {
    ...listedPersons(personLists(connection)),
    ...historyReader(connection),
    find,
    findByDistinctId: (projectId, distinctId) => findByDistinctId(connection, projectId, distinctId),
    async findMany(projectId, refs) {
      const found = new Map<number, Person>()
      for (const some of chunks(refs, lookUpsAtOnce)) {
        const persons = await Promise.all(some.map((ref) => find(projectId, ref)))
        for (const person of persons) if (person) found.set(person.id, person)
      }
      return [...found.values()]
    },
    async findByDistinctIds(projectId, distinctIds) {
      const found = new Map<string, Person>()
      for (const some of chunks(distinctIds, lookUpsAtOnce)) {
        const persons = await Promise.all(some.map((distinctId) => this.findByDistinctId(projectId, distinctId)))
        for (const [place, person] of persons.entries()) if (person) found.set(some[place] as string, person)
      }
      return found
    },
  }
}

async function remove(connection: Connection, personId: number): Promise<void> {
  const { db } = connection
  const own = db.selectFrom('distinct_ids').select(['project_id', 'distinct_id']).where('person_id', '=', personId)
  await db
    .deleteFrom('personless_ids')
    .where((eb) => eb(eb.refTuple('project_id', 'distinct_id'), 'in', own.$asTuple('project_id', 'distinct_id')))
    .execute()
  await db.deleteFrom('distinct_ids').where('person_id', '=', personId).execute()
  await removePerson(connection, personId)
}

async function lockPerson({ db }: Connection, projectId: number, ref: PersonRef): Promise<void> {
  const own = db.selectFrom('persons').select('id').where('project_id', '=', projectId)
  await ('id' in ref ? own.where('id', '=', ref.id) : own.where('uuid', '=', ref.uuid)).forUpdate().execute()
}

export function personWriter(connection: Connection): PersonWriter {
  const { db, dialect } = connection
  const reader = personReader(connection)
  return {
    ...reader,
    async findToChange(projectId, ref) {
      // Then read anew: what it waited for may have changed whose ids they are.
      if (dialect.locksRows) await lockPerson(connection, projectId, ref)
      return reader.find(projectId, ref)
    },
    async create(person, distinctIds) {
      const row = await db
        .insertInto('persons')
        .values({
          project_id: person.projectId,
          uuid: person.uuid,
          properties: JSON.stringify(person.properties),
          is_identified: person.isIdentified ? 1 : 0,
          created_at: person.createdAt,
          updated_at: person.createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      addToCount(connection, person.projectId, 1)
      for (const part of chunks(distinctIds, AT_ONCE)) {
        await db
          .insertInto('distinct_ids')
          .values(part.map((distinct_id) => ({ project_id: person.projectId, distinct_id, person_id: row.id })))
          .execute()
      }
      return toPerson(row, distinctIds)
    },
    async saveProperties(personId, properties, updatedAt) {
      await db
        .updateTable('persons')
        .set({ properties: JSON.stringify(properties), updated_at: updatedAt })
        .where('id', '=', personId)
        .execute()
    },
    async moveDistinctIds(projectId, distinctIds, personId) {
      for (const part of chunks(distinctIds, AT_ONCE)) {
        await db
          .updateTable('distinct_ids')
          .set({ person_id: personId })
          .where('project_id', '=', projectId)
          .where('distinct_id', 'in', part)
          .execute()
      }
    },
    remove: (personId) => remove(connection, personId),
    ...historyWriter(connection),
    ...personProjections(connection),
  }
}
