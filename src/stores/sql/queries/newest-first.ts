/** Rows newest first: a page with the total count, or the rows after a given one. */
import { type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { PageRequest } from '../../../model/page.ts'
import type { Connection } from '../connection.ts'
import type { Tables } from '../tables.ts'
import { countAlong, type Index, type Place, portionsOf, within } from './index-scan.ts'
import type { Range } from './keyset-ranges.ts'
import { pageRows } from './page-rows.ts'

type Dated = { [T in keyof Tables]: Tables[T] extends { id: unknown; created_at: number } ? T : never }[keyof Tables]

/** Where one part of the rows is found. */
interface Part {
  /** Ordered by `created_at`, then by a unique column. */
  index: Index
  /** The rows of the index that match. */
  condition: RawBuilder<SqlBool>
}

/** What is listed: rows of a table, all parts together in one order. */
export interface Listed<T extends Dated> {
  table: T
  parts: Part[]
  /** The columns that may be long; rows beyond the size of a page are left for the next one. */
  long: (keyof Tables[T] & string)[]
}

export interface Key {
  createdAt: number
  id: string | number
}

function newestFirst(a: Key, b: Key): number {
  if (a.id === b.id) return 0
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
}

type Query = SelectQueryBuilder<Tables, 'activity', object>

/** Every such table has both columns; Kysely cannot see that through the type parameter. */
const rowsIn = ({ db }: Connection, { index, condition }: Part, range: Range<Place>): Query =>
  (db.selectFrom(index.table) as unknown as Query).where(within(index, range)).where(condition)

const countOf = (connection: Connection, part: Part): Promise<number> =>
  countAlong(connection, part.index, async (range) => {
    const query = rowsIn(connection, part, range).select((eb) => eb.fn.countAll<number>().as('count'))
    return (await query.executeTakeFirstOrThrow()).count
  })

/**
 * The rows of one part after a given row, at least the first `wanted`. Rows of one instant may be in several portions:
 * they wait for the last of these.
 */
async function* keysOf(connection: Connection, part: Part, after: Key | null, wanted: number): AsyncGenerator<Key> {
  const from = after && [after.createdAt, part.index.last ?? Number.MAX_SAFE_INTEGER]
  const beyond = after ? sql<SqlBool>`(created_at, id) < (${after.createdAt}, ${after.id})` : sql<SqlBool>`1 = 1`
  const waiting: Key[] = []
  for await (const range of portionsOf(connection, part.index, from)) {
    const query = rowsIn(connection, part, range).where(beyond).select(['created_at as createdAt', 'id'])
    // No more of a portion than of the whole: a short page of a long portion is found quickly.
    waiting.push(...(await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(wanted).execute()))
    waiting.sort(newestFirst)
    const [edge] = range.upTo ?? [Number.NEGATIVE_INFINITY]
    const open = waiting.findIndex(({ createdAt }) => createdAt <= Number(edge))
    yield* waiting.splice(0, open === -1 ? waiting.length : open)
  }
  yield* waiting
}

/** All parts merged into one order. */
async function* merged(parts: AsyncGenerator<Key>[]): AsyncGenerator<Key> {
  const heads = await Promise.all(parts.map(async (part) => ({ part, next: await part.next() })))
  for (;;) {
    const [first] = heads
      .filter(({ next }) => !next.done)
      .sort((a, b) => newestFirst(a.next.value as Key, b.next.value as Key))
    if (!first) return
    yield first.next.value as Key
    first.next = await first.part.next()
  }
}

async function idsOf<T extends Dated>(
  connection: Connection,
  { parts }: Listed<T>,
  after: Key | null,
  { limit, offset }: PageRequest,
): Promise<(string | number)[]> {
  const ids: (string | number)[] = []
  let place = 0
  const keys = parts.map((part) => keysOf(connection, part, after, offset + limit))
  for await (const { id } of keys[0] && keys.length === 1 ? keys[0] : merged(keys)) {
    if (place++ >= offset) ids.push(id)
    if (ids.length >= limit) break
  }
  return ids
}

export async function newestPage<T extends Dated>(connection: Connection, listed: Listed<T>, page: PageRequest) {
  let count = 0
  for (const part of listed.parts) count += await countOf(connection, part)
  await connection.pause()
  const ids = page.offset < count ? await idsOf(connection, listed, null, page) : []
  return { count, items: await pageRows(connection, listed.table, ids, listed.long) }
}

/** Fewer than `limit` where they are long, none at the end. */
export async function newestAfter<T extends Dated>(
  connection: Connection,
  listed: Listed<T>,
  after: Key | null,
  limit: number,
): Promise<Selectable<Tables[T]>[]> {
  const ids = await idsOf(connection, listed, after, { limit, offset: 0 })
  return pageRows(connection, listed.table, ids, listed.long)
}
