/** A page of rows, newest first, and how many there are in all. */
import type { Selectable, SelectQueryBuilder } from 'kysely'
import type { Tables } from './tables.ts'

type Dated = { [T in keyof Tables]: Tables[T] extends { id: unknown; created_at: number } ? T : never }[keyof Tables]

export async function newestPage<T extends Dated>(
  query: SelectQueryBuilder<Tables, T, object>,
  { limit, offset }: { limit: number; offset: number },
) {
  // Every such table has both columns; Kysely cannot see that through the type parameter.
  const rows = query as unknown as SelectQueryBuilder<Tables, 'activity', object>
  const { count } = await rows.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const items = await rows
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { count, items: items as unknown as Selectable<Tables[T]>[] }
}
