/** Rows newest first: a page and how many there are in all, or those after a row. */
import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from './tables.ts'

type Dated = { [T in keyof Tables]: Tables[T] extends { id: unknown; created_at: number } ? T : never }[keyof Tables]

type Query<T extends Dated> = SelectQueryBuilder<Tables, T, object>

/** Every such table has both columns; Kysely cannot see that through the type parameter. */
const dated = <T extends Dated>(query: Query<T>) => query as unknown as Query<'activity'>

const newestFirst = (query: Query<'activity'>, limit: number) =>
  query.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)

export async function newestPage<T extends Dated>(
  query: Query<T>,
  { limit, offset }: { limit: number; offset: number },
) {
  const rows = dated(query)
  const { count } = await rows.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const items = await newestFirst(rows, limit).offset(offset).execute()
  return { count, items: items as unknown as Selectable<Tables[T]>[] }
}

export async function newestAfter<T extends Dated>(
  query: Query<T>,
  after: { createdAt: number; id: string | number } | null,
  limit: number,
) {
  const rows = newestFirst(dated(query), limit)
  const chosen = after ? rows.where(sql<SqlBool>`(created_at, id) < (${after.createdAt}, ${after.id})`) : rows
  return (await chosen.execute()) as unknown as Selectable<Tables[T]>[]
}
