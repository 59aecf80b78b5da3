/**
 * Lists of persons that an index answers: everyone, those with one e-mail, the one with a distinct id. The index finds
 * ids; only the rows of a page are read, by key. Whatever looks through persons is asked of the event store.
 */
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { PAGE_BYTES } from '../../../../model/page.ts'
import type { PersonCursor, PersonLookup, PersonPageRequest, PersonReader } from '../../../../model/persons/person.ts'
import type { Connection } from '../../connection.ts'
import { hasEmail } from '../../queries/email-index.ts'
import { portions, type Range } from '../../queries/keyset-ranges.ts'
import type { Tables } from '../../tables.ts'
import { personCount } from './person-count.ts'
import { type ListedPage, type ListedPart, readListed } from './person-rows.ts'

/** As the reader's methods, with persons still as text. */
export interface PersonLists extends Pick<PersonReader, 'count'> {
  list(...asked: Parameters<PersonReader['list']>): Promise<ListedPage>
  listAfter(...asked: Parameters<PersonReader['listAfter']>): Promise<ListedPage>
  listByIds(...asked: Parameters<PersonReader['listByIds']>): Promise<ListedPart>
}

/** Page size of complete walks, whose pages are never shown. */
const WALKED_BYTES = PAGE_BYTES / 4

/** With `in` instead of `=` SQLite would go through everyone in the order of the list. */
const withDistinctId = (projectId: number, distinctId: string) => (eb: ExpressionBuilder<Tables, 'persons'>) =>
  eb(
    'persons.id',
    '=',
    eb
      .selectFrom('distinct_ids')
      .select('person_id')
      .where('project_id', '=', projectId)
      .where('distinct_id', '=', distinctId),
  )

const after = ({ time, id }: PersonCursor) => sql<SqlBool>`(persons.created_at, persons.id) < (${time}, ${id})`
const upTo = ({ time, id }: PersonCursor) => sql<SqlBool>`(persons.created_at, persons.id) >= (${time}, ${id})`

function within(connection: Connection, projectId: number, lookup: PersonLookup, range: Range<PersonCursor>) {
  const { db, dialect } = connection
  const { email, distinctId } = lookup
  let query = db.selectFrom('persons').where('persons.project_id', '=', projectId)
  if (email !== undefined) query = query.where(hasEmail(dialect, email))
  if (distinctId !== undefined) query = query.where(withDistinctId(projectId, distinctId))
  if (range.after) query = query.where(after(range.after))
  if (range.upTo) query = query.where(upTo(range.upTo))
  return query
}

/** In the order of lists, read from the index only. */
const placesAfter = (connection: Connection, projectId: number, lookup: PersonLookup, from: PersonCursor | null) =>
  within(connection, projectId, lookup, { after: from, upTo: null })
    .select(['persons.created_at as time', 'persons.id'])
    .orderBy('persons.created_at', 'desc')
    .orderBy('persons.id', 'desc')

/** The `count`-th one after a place. */
const placeAfter = async (
  connection: Connection,
  projectId: number,
  lookup: PersonLookup,
  { from, count }: { from: PersonCursor | null; count: number },
): Promise<PersonCursor | null> => {
  const query = placesAfter(connection, projectId, lookup, from)
    .limit(1)
    .offset(count - 1)
  return (await query.executeTakeFirst()) ?? null
}

async function readPage(
  connection: Connection,
  projectId: number,
  lookup: PersonLookup,
  { limit, offset, after: from = null }: PersonPageRequest,
  maxBytes: number,
): Promise<ListedPage> {
  // One more than the page has, to know whether any follow.
  const query = placesAfter(connection, projectId, lookup, from).limit(limit + 1)
  const places = await (from ? query : query.offset(offset)).execute()
  const ids = places.slice(0, limit).map(({ id }) => id)
  const { listed, taken } = await readListed(connection, projectId, ids, maxBytes)
  return { listed, next: taken < places.length ? (places[taken - 1] ?? null) : null }
}

async function countWithEmail(connection: Connection, projectId: number, lookup: PersonLookup): Promise<number> {
  const rowAfter = (from: PersonCursor | null, count: number) =>
    placeAfter(connection, projectId, lookup, { from, count })
  let total = 0
  for await (const range of portions(connection, null, rowAfter)) {
    const query = within(connection, projectId, lookup, range)
    total += (await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
  }
  return total
}

export function personLists(connection: Connection): PersonLists {
  return {
    list: (projectId, lookup, page) => readPage(connection, projectId, lookup, page, PAGE_BYTES),
    listAfter: (projectId, lookup, from, limit) =>
      readPage(connection, projectId, lookup, { limit, offset: 0, after: from }, WALKED_BYTES),
    listByIds: (projectId, ids, maxBytes) => readListed(connection, projectId, ids, maxBytes),
    async count(projectId, lookup) {
      if (lookup.email !== undefined) return countWithEmail(connection, projectId, lookup)
      if (lookup.distinctId === undefined) return personCount(connection, projectId)
      return (await placesAfter(connection, projectId, lookup, null).execute()).length
    },
  }
}
