/** From person rows to persons: their distinct ids joined on, in the order in which they were stored. */

import type { Selectable } from 'kysely'
import { chunks } from '../../lib/chunks.ts'
import type { Person } from '../../model/person.ts'
import { AT_ONCE, type Connection } from './connection.ts'
import type { PersonTable } from './tables.ts'

/** What of a row makes a person. */
export type PersonRow = Omit<Selectable<PersonTable>, 'updated_at'>

export const toPerson = (row: PersonRow, distinctIds: string[]): Person => ({
  id: row.id,
  projectId: row.project_id,
  uuid: row.uuid,
  properties: JSON.parse(row.properties),
  isIdentified: row.is_identified === 1,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  distinctIds,
})

export async function withDistinctIds({ db }: Connection, rows: Selectable<PersonTable>[]): Promise<Person[]> {
  const idsOf = new Map<number, string[]>(rows.map((row) => [row.id, []]))
  for (const part of chunks([...idsOf.keys()], AT_ONCE)) {
    const found = await db
      .selectFrom('distinct_ids')
      .select(['person_id', 'distinct_id'])
      .where('person_id', 'in', part)
      .orderBy('person_id')
      .orderBy('id')
      .execute()
    for (const { person_id, distinct_id } of found) idsOf.get(person_id)?.push(distinct_id)
  }
  return rows.map((row) => toPerson(row, idsOf.get(row.id) ?? []))
}
