/**
 * Finding persons: lists, counts and values, with every filter in SQL and all persons of a project scanned in portions
 * of the index that lists are ordered by. The scan finds ids; only those of a page are read.
 */
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { PAGE_BYTES } from '../../../../model/page.ts'
import type { PersonCursor, PersonFilter, PersonPageRequest, PersonReader } from '../../../../model/persons/person.ts'
import type { Connection } from '../../connection.ts'
import { hasEmail } from '../../queries/email-index.ts'
import { portions, type Range } from '../../queries/keyset-ranges.ts'
import { propertyFilterSql } from '../../queries/property-filter.ts'
import type { Tables } from '../../tables.ts'
import { personCount } from './person-count.ts'
import { type ListedPage, readListed } from './person-rows.ts'
import { topPersonValues } from './person-values.ts'

/** As the reader's methods, with persons still as text. */
export interface PersonSearch extends Pick<PersonReader, 'count' | 'topValues'> {
  list(...asked: Parameters<PersonReader['list']>): Promise<ListedPage>
  listAfter(...asked: Parameters<PersonReader['listAfter']>): Promise<ListedPage>
}

/** Page size of complete walks, whose pages are never shown. */
const WALKED_BYTES = PAGE_BYTES / 4

const isPlain = (filter: PersonFilter): boolean => Object.values(filter).every((value) => value === undefined)

const FIRST: PersonCursor | null = null

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

const after = ({ createdAt, id }: PersonCursor) =>
  sql<SqlBool>`(persons.created_at, persons.id) < (${createdAt}, ${id})`
const upTo = ({ createdAt, id }: PersonCursor) =>
  sql<SqlBool>`(persons.created_at, persons.id) >= (${createdAt}, ${id})`

/** The part of a filter that is found by an index of its own. */
function indexed({ db, dialect }: Connection, projectId: number, { email }: PersonFilter) {
  const query = db.selectFrom('persons').where('persons.project_id', '=', projectId)
  return email === undefined ? query : query.where(hasEmail(dialect, email))
}

function filtered(connection: Connection, projectId: number, filter: PersonFilter, range: Range<PersonCursor>) {
  const { dialect } = connection
  const column = 'persons.properties'
  let query = indexed(connection, projectId, filter)
  if (range.after) query = query.where(after(range.after))
  if (range.upTo) query = query.where(upTo(range.upTo))
  if (filter.search) query = query.where(searched(connection, filter.search))
  if (filter.distinctId !== undefined) query = query.where(withDistinctId(projectId, filter.distinctId))
  if (filter.updatedAfter !== undefined) query = query.where('persons.updated_at', '>', filter.updatedAfter)
  if (filter.properties) query = query.where(propertyFilterSql(filter.properties, column, dialect.filters))
  return query
}

/** The `count`-th person after one, in the order of lists: read from the index only. */
async function personAfter(
  connection: Connection,
  projectId: number,
  filter: PersonFilter,
  from: PersonCursor | null,
  count: number,
) {
  const query = indexed(connection, projectId, filter)
    .select(['created_at as createdAt', 'id'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(count - 1)
  return (await (from ? query.where(after(from)) : query).executeTakeFirst()) ?? null
}

/** One distinct id has at most one person: no scan is needed. */
async function* rangesOf(
  connection: Connection,
  projectId: number,
  filter: PersonFilter,
  from: PersonCursor | null,
): AsyncGenerator<Range<PersonCursor>> {
  if (filter.distinctId === undefined) {
    yield* portions(connection, from, (row, count) => personAfter(connection, projectId, filter, row, count))
  } else {
    yield { after: from, upTo: null }
  }
}

interface Wanted {
  from: PersonCursor | null
  /** How many matching persons are skipped before the first. */
  skip: number
  limit: number
}

async function findPlaces(
  connection: Connection,
  projectId: number,
  filter: PersonFilter,
  wanted: Wanted,
): Promise<PersonCursor[]> {
  const { from, skip, limit } = wanted
  const places: PersonCursor[] = []
  let left = skip
  for await (const range of rangesOf(connection, projectId, filter, from)) {
    const rows = await filtered(connection, projectId, filter, range)
      .select(['persons.created_at as createdAt', 'persons.id'])
      .orderBy('persons.created_at', 'desc')
      .orderBy('persons.id', 'desc')
      .limit(left + limit - places.length)
      .execute()
    for (const place of rows.slice(left)) places.push(place)
    left = Math.max(0, left - rows.length)
    if (places.length >= limit) break
  }
  return places
}

/** Where the scan of a page begins: in the plain list rows are skipped in the index only. */
async function startOf(
  connection: Connection,
  projectId: number,
  filter: PersonFilter,
  { offset, after: from }: PersonPageRequest,
): Promise<Omit<Wanted, 'limit'> | null> {
  if (from) return { from, skip: 0 }
  if (offset === 0 || !isPlain(filter)) return { from: FIRST, skip: offset }
  const before = await personAfter(connection, projectId, filter, FIRST, offset)
  return before && { from: before, skip: 0 }
}

async function readPage(
  connection: Connection,
  places: PersonCursor[],
  limit: number,
  maxBytes: number,
): Promise<ListedPage> {
  const ids = places.slice(0, limit).map(({ id }) => id)
  const { listed, taken } = await readListed(connection, ids, maxBytes)
  return { listed, next: taken < places.length ? (places[taken - 1] ?? null) : null }
}

export function personSearch(connection: Connection): PersonSearch {
  return {
    async list(projectId, filter, page) {
      const start = await startOf(connection, projectId, filter, page)
      // One more than the page has, to know whether any follow.
      const wanted = start && { ...start, limit: page.limit + 1 }
      const places = wanted ? await findPlaces(connection, projectId, filter, wanted) : []
      return readPage(connection, places, page.limit, PAGE_BYTES)
    },
    async listAfter(projectId, filter, from, limit) {
      const places = await findPlaces(connection, projectId, filter, { from, skip: 0, limit: limit + 1 })
      return readPage(connection, places, limit, WALKED_BYTES)
    },
    async count(projectId, filter) {
      if (isPlain(filter)) return personCount(connection, projectId)
      let total = 0
      for await (const range of rangesOf(connection, projectId, filter, FIRST)) {
        const { count } = await filtered(connection, projectId, filter, range)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        total += count
      }
      return total
    },
    topValues: (projectId, key, search) => topPersonValues(connection, projectId, key, search),
  }
}
