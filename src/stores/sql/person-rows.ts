/** From person rows to persons. Lists carry persons as text, which is read only where they are needed. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { Person } from '../../model/person.ts'
import { arg, type Connection, keep } from './connection.ts'
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

/** A person of a list, whose properties are still text. */
export interface ListedPerson {
  row: PersonRow
  /** The first ones. */
  distinctIds: string[]
}

/** Reading this much text takes some milliseconds; then others get their turn. */
const TEXT_PER_TURN = 1_000_000

export async function toPersons(listed: ListedPerson[]): Promise<Person[]> {
  const persons: Person[] = []
  let text = 0
  for (const { row, distinctIds } of listed) {
    persons.push(toPerson(row, distinctIds))
    text += row.properties.length
    if (text < TEXT_PER_TURN) continue
    text = 0
    await nextTurn()
  }
  return persons
}

/** Of each person of a list; model/person.ts says so. */
const LISTED_IDS = 1_000

const personById = keep((db) => db.selectFrom('persons').selectAll().where('id', '=', arg<number>(0)))
const firstIdsOf = keep((db) =>
  db
    .selectFrom('distinct_ids')
    .select('distinct_id')
    .where('person_id', '=', arg<number>(0))
    .orderBy('id')
    .limit(LISTED_IDS),
)

const sizeOf = ({ row, distinctIds }: ListedPerson): number =>
  Buffer.byteLength(row.properties) + distinctIds.reduce((sum, id) => sum + id.length, 0)

/** Those that fit into so many bytes, but one at least. Who is gone by now is left out. */
export async function readListed(connection: Connection, ids: number[], maxBytes: number): Promise<ListedPerson[]> {
  const listed: ListedPerson[] = []
  let bytes = 0
  for (const id of ids) {
    const [row] = await personById.run(connection, id)
    if (!row) continue
    const distinctIds = (await firstIdsOf.run(connection, id)).map((found) => found.distinct_id)
    const person = { row, distinctIds }
    bytes += sizeOf(person)
    if (listed.length > 0 && bytes > maxBytes) break
    listed.push(person)
  }
  return listed
}
