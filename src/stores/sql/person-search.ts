/**
 * Finding persons: lists, counts and values, with every filter pushed down to SQL. Lists are read by keyset or
 * by limit and offset, never by an open cursor, which would block every other query of its connection.
 */
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PersonCursor, PersonFilter, PersonReader } from '../../model/person.ts'
import type { Connection } from './connection.ts'
import { withDistinctIds } from './person-rows.ts'
import { propertyFilterSql } from './property-filter.ts'
import type { Tables } from './tables.ts'

type Search = Pick<PersonReader, 'list' | 'listAfter' | 'count' | 'topValues'>

const TOP_VALUES = 20
const VALUES_FROM_LATEST = 100_000

function searched({ db, dialect }: Connection, search: string): RawBuilder<SqlBool> {
  const { filters } = dialect
  const property = (key: string) => filters.contains(filters.text({ column: 'persons.properties', key }), search)
  const anyId = db
    .selectFrom('distinct_ids')
    .select('distinct_ids.id')
    .where(sql<SqlBool>`distinct_ids.person_id = persons.id`)
    .where(filters.contains(sql.ref<string>('distinct_ids.distinct_id'), search))
  const uuid = filters.contains(sql.ref<string>('persons.uuid'), search)
  return sql<SqlBool>`(${property('email')} or ${property('name')} or ${uuid} or exists ${anyId})`
}

export function personSearch(connection: Connection): Search {
  const { db, dialect } = connection
  const withDistinctId = (projectId: number, distinctId: string) => (eb: ExpressionBuilder<Tables, 'persons'>) =>
    eb(
      'persons.id',
      'in',
      eb
        .selectFrom('distinct_ids')
        .select('person_id')
        .where('project_id', '=', projectId)
        .where('distinct_id', '=', distinctId),
    )
  const filtered = (projectId: number, filter: PersonFilter) => {
    const column = 'persons.properties'
    let query = db.selectFrom('persons').where('persons.project_id', '=', projectId)
    if (filter.search) query = query.where(searched(connection, filter.search))
    if (filter.email !== undefined) {
      query = query.where(dialect.filters.text({ column, key: 'email' }), '=', filter.email)
    }
    if (filter.distinctId !== undefined) query = query.where(withDistinctId(projectId, filter.distinctId))
    if (filter.updatedAfter !== undefined) query = query.where('persons.updated_at', '>', filter.updatedAfter)
    if (filter.properties) query = query.where(propertyFilterSql(filter.properties, column, dialect.filters))
    return query
  }
  const newest = (projectId: number, filter: PersonFilter) =>
    filtered(projectId, filter).selectAll('persons').orderBy('persons.created_at', 'desc').orderBy('persons.id', 'desc')
  const after = ({ createdAt, id }: PersonCursor) =>
    sql<SqlBool>`(persons.created_at, persons.id) < (${createdAt}, ${id})`
  return {
    async list(projectId, filter, { limit, offset }) {
      return withDistinctIds(connection, await newest(projectId, filter).limit(limit).offset(offset).execute())
    },
    async listAfter(projectId, filter, cursor, limit) {
      const query = newest(projectId, filter).limit(limit)
      return withDistinctIds(connection, await (cursor ? query.where(after(cursor)) : query).execute())
    },
    async count(projectId, filter) {
      const row = await filtered(projectId, filter)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return row.count
    },
    async topValues(projectId, key, search) {
      const text = dialect.filters.listed({ column: 'persons.properties', key })
      let latest = db
        .selectFrom('persons')
        .select(text.as('name'))
        .where('project_id', '=', projectId)
        .where(sql<SqlBool>`${text} <> ''`)
      if (search !== null) latest = latest.where(dialect.filters.contains(text, search))
      const rows = await db
        .selectFrom(latest.orderBy('id', 'desc').limit(VALUES_FROM_LATEST).as('latest'))
        .select((eb) => ['name', eb.fn.countAll<number>().as('count')])
        .groupBy('name')
        .orderBy('count', 'desc')
        .orderBy('name')
        .limit(TOP_VALUES)
        .execute()
      return rows.map((row) => ({ name: String(row.name), count: row.count }))
    },
  }
}
