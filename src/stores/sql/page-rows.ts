/** The rows of one page: at most PAGE_BYTES of them, told by the sizes of the columns that may be long. */
import { type SelectQueryBuilder, sql } from 'kysely'
import { PAGE_BYTES, type PageRequest } from '../../model/page.ts'
import type { Connection } from './connection.ts'
import type { Tables } from './tables.ts'

type Ordered = SelectQueryBuilder<Tables, keyof Tables, object>

/** Sizes are known without reading what is long. */
async function fitting(query: Ordered, long: string[], { limit, offset }: PageRequest): Promise<number> {
  const sizes = long.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  const rows = await query
    .select(sql<number>`${sql.join(sizes, sql` + `)}`.as('bytes'))
    .limit(limit)
    .offset(offset)
    .execute()
  let bytes = 0
  const beyond = rows.findIndex((row) => {
    bytes += row.bytes
    return bytes > PAGE_BYTES
  })
  return beyond === -1 ? rows.length : Math.max(1, beyond)
}

/** `ordered` has no columns yet; `read` chooses them. Others have their turn before each of its statements. */
export async function pageRows<Q extends object, Row>(
  { pause }: Pick<Connection, 'pause'>,
  ordered: Q,
  long: string[],
  page: PageRequest,
  read: (query: Q) => { limit(count: number): { offset(count: number): { execute(): Promise<Row[]> } } },
): Promise<Row[]> {
  await pause()
  const limit = await fitting(ordered as unknown as Ordered, long, page)
  if (limit === 0) return []
  await pause()
  return read(ordered).limit(limit).offset(page.offset).execute()
}
