/**
 * The most frequent values of a person property, counted in portions of the persons by id, the latest first. Long
 * values are cut before they are counted: memory is bounded.
 */
import { type SqlBool, sql } from 'kysely'
import type { Connection } from '../../connection.ts'
import { PORTION } from '../../queries/keyset-ranges.ts'
import { byText } from '../../queries/sorted-page.ts'

const TOP_VALUES = 20
const VALUES_FROM_LATEST = 100_000
/** Longer ones are cut, as those of events are. */
const MAX_LISTED_TEXT = 1_000

interface Counted {
  name: string
  count: number
}

const mostFrequentFirst = (a: Counted, b: Counted): number => b.count - a.count || byText(a.name, b.name)

/** Of a hundred thousand only the first few are sorted. */
function topOf(counts: Map<string, number>): Counted[] {
  const top: Counted[] = []
  for (const [name, count] of counts) {
    const last = top[TOP_VALUES - 1]
    const counted = { name, count }
    if (last && mostFrequentFirst(last, counted) <= 0) continue
    top.push(counted)
    top.sort(mostFrequentFirst)
    top.length = Math.min(top.length, TOP_VALUES)
  }
  return top
}

export async function topPersonValues(
  connection: Connection,
  projectId: number,
  key: string,
  search: string | null,
): Promise<Counted[]> {
  const { db, dialect, pause } = connection
  const text = dialect.filters.listed({ column: 'persons.properties', key })
  const { newest } = await db
    .selectFrom('persons')
    .select((eb) => eb.fn.max('id').as('newest'))
    .executeTakeFirstOrThrow()
  const counts = new Map<string, number>()
  let left = VALUES_FROM_LATEST
  for (let upTo = newest ?? 0; upTo > 0 && left > 0; upTo -= PORTION) {
    if (upTo !== newest) await pause()
    let latest = db
      .selectFrom('persons')
      .select(sql<string>`substr(${text}, 1, ${sql.lit(MAX_LISTED_TEXT)})`.as('name'))
      .where('id', '<=', upTo)
      .where('id', '>', upTo - PORTION)
      // With a unary plus: by the index of the project each portion would scan all of it.
      .where(sql<SqlBool>`+project_id = ${projectId}`)
      .where(sql<SqlBool>`${text} <> ''`)
    if (search !== null) latest = latest.where(dialect.filters.contains(text, search))
    const rows = await db
      .selectFrom(latest.orderBy('id', 'desc').limit(left).as('latest'))
      .select((eb) => ['name', eb.fn.countAll<number>().as('count')])
      .groupBy('name')
      .execute()
    for (const { name, count } of rows) {
      counts.set(name, (counts.get(name) ?? 0) + count)
      left -= count
    }
  }
  return topOf(counts)
}
