/** Rows newest first: a page and how many there are in all, or those after a row. */
import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { PageRequest } from '../../model/page.ts'
import type { Connection } from './connection.ts'
import { pageRows } from './page-rows.ts'
import type { Tables } from './tables.ts'

type Dated = { [T in keyof Tables]: Tables[T] extends { id: unknown; created_at: number } ? T : never }[keyof Tables]

type Query<T extends Dated> = SelectQueryBuilder<Tables, T, object>

/** Every such table has both columns; Kysely cannot see that through the type parameter. */
const dated = <T extends Dated>(query: Query<T>) => query as unknown as Query<'activity'>

const newestFirst = (query: Query<'activity'>) => query.orderBy('created_at', 'desc').orderBy('id', 'desc')

/** `long`: the columns that may be; what is more than a page may hold is left for the next. */
export async function newestPage<T extends Dated>(
  connection: Pick<Connection, 'pause'>,
  query: Query<T>,
  long: (keyof Tables[T] & string)[],
  page: PageRequest,
) {
  const rows = dated(query)
  const { count } = await rows.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const items = await pageRows(connection, newestFirst(rows), long, page, (found) => found.selectAll())
  return { count, items: items as unknown as Selectable<Tables[T]>[] }
}

/** Fewer than `limit` where they are long, none at the end. */
export async function newestAfter<T extends Dated>(
  connection: Pick<Connection, 'pause'>,
  query: Query<T>,
  after: { createdAt: number; id: string | number } | null,
  long: (keyof Tables[T] & string)[],
  limit: number,
) {
  const rows = newestFirst(dated(query))
  const chosen = after ? rows.where(sql<SqlBool>`(created_at, id) < (${after.createdAt}, ${after.id})`) : rows
  const items = await pageRows(connection, chosen, long, { limit, offset: 0 }, (found) => found.selectAll())
  return items as unknown as Selectable<Tables[T]>[]
}
