/** The rows of one page: at most PAGE_BYTES of them, measured by the columns that may be long. */
import { type Selectable, sql } from 'kysely'
import { chunks } from '../../../lib/lists/lists.ts'
import { PAGE_BYTES } from '../../../model/page.ts'
import { AT_ONCE, type Connection } from '../connection.ts'
import type { Tables } from '../tables.ts'

type Id = string | number

type Listed = { [T in keyof Tables]: 'id' extends keyof Tables[T] ? T : never }[keyof Tables]

/** Sizes are known without reading the long values. Rows that are gone have none. */
async function sizesOf({ db }: Connection, table: Listed, ids: Id[], long: string[]): Promise<Map<Id, number>> {
  const sizes = long.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  const found = new Map<Id, number>()
  for (const part of chunks(ids, AT_ONCE)) {
    const { rows } = await sql<{ id: Id; bytes: number }>`
      select id, ${sql.join(sizes, sql` + `)} as bytes from ${sql.table(table)} where id in (${sql.join(part)})`.execute(
      db,
    )
    for (const { id, bytes } of rows) found.set(id, bytes)
  }
  return found
}

/** How many of the first fit on a page; one always does. */
function fitting(ids: Id[], sizes: Map<Id, number>): number {
  let bytes = 0
  const beyond = ids.findIndex((id) => {
    bytes += sizes.get(id) ?? 0
    return bytes > PAGE_BYTES
  })
  return beyond === -1 ? ids.length : Math.max(1, beyond)
}

/**
 * In the order of the ids, those that fit; rows that are gone are left out. Other scans may run before each statement.
 */
export async function pageRows<T extends Listed>(
  connection: Connection,
  table: T,
  ids: Id[],
  long: (keyof Tables[T] & string)[],
): Promise<Selectable<Tables[T]>[]> {
  const { db, pause } = connection
  await pause()
  const kept = ids.slice(0, fitting(ids, await sizesOf(connection, table, ids, long)))
  const found = new Map<Id, Selectable<Tables[T]>>()
  for (const part of chunks(kept, AT_ONCE)) {
    await pause()
    const { rows } = await sql<Selectable<Tables[T]> & { id: Id }>`
      select * from ${sql.table(table)} where id in (${sql.join(part)})`.execute(db)
    for (const row of rows) found.set(row.id, row)
  }
  return kept.map((id) => found.get(id)).filter((row) => row !== undefined)
}
