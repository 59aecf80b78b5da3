/** Converts person rows to persons. Lists carry persons as text, which is parsed only where they are needed. */

import { type Selectable, sql } from 'kysely'
import { ByteCollector } from '../../../../lib/bytes/byte-collector.ts'
import { freeBytes } from '../../../../lib/bytes/free-bytes.ts'
import { Slices } from '../../../../lib/concurrency/time-slices.ts'
import type { Person, PersonCursor } from '../../../../model/persons/person.ts'
import { arg, type Connection, prepared } from '../../connection.ts'
import type { PersonTable } from '../../tables.ts'

/** The columns that make a person. */
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
interface ListedPerson {
  row: Omit<PersonRow, 'properties'>
  /** The first ones. */
  distinctIds: string[]
  /** Size of its properties in bytes. */
  length: number
}

/**
 * Persons of a list, with the texts of all their properties concatenated: bytes go from thread to thread without a
 * copy.
 */
export interface ListedPersons {
  persons: ListedPerson[]
  texts: Uint8Array
}

/** The first of some ids; see `listByIds` of model/persons/person.ts. */
export interface ListedPart {
  listed: ListedPersons
  taken: number
}

/** A page of them; see PersonPage. */
export interface ListedPage {
  listed: ListedPersons
  next: PersonCursor | null
}

const LARGE_BYTES = 256 * 1024

/** The texts are freed: they are as large as the page. */
export async function toPersons({ persons: listed, texts }: ListedPersons): Promise<Person[]> {
  const bytes = Buffer.from(texts.buffer, texts.byteOffset, texts.length)
  const persons: Person[] = []
  const slices = new Slices()
  // Taking a large message has used up a slice.
  if (texts.length > LARGE_BYTES) await slices.rest()
  let start = 0
  for (const { row, distinctIds, length } of listed) {
    const properties = bytes.toString('utf8', start, start + length)
    persons.push(toPerson({ ...row, properties }, distinctIds))
    start += length
    if (slices.isOver) await slices.rest()
  }
  freeBytes(bytes)
  return persons
}

/** Distinct ids of each person of a list; see model/persons/person.ts. */
const LISTED_IDS = 1_000

const personById = prepared((db) => db.selectFrom('persons').selectAll().where('id', '=', arg<number>(0)))
const firstIdsOf = prepared((db) =>
  db
    .selectFrom('distinct_ids')
    .select('distinct_id')
    .where('person_id', '=', arg<number>(0))
    .orderBy('id')
    .limit(sql.lit(LISTED_IDS)),
)

const sizeOf = prepared((db) =>
  db.selectFrom('persons').select(sql<number>`octet_length(properties)`.as('bytes')).where('id', '=', arg<number>(0)),
)

/** The first of them that fit into so many bytes, but at least one: what is read is held all at once. */
async function fitting(connection: Connection, ids: number[], room: number): Promise<number[]> {
  if (ids.length < 2) return ids
  const sizes = await Promise.all(ids.map((id) => sizeOf.run(connection, id)))
  let left = room
  const end = sizes.findIndex(([row], place) => {
    left -= row?.bytes ?? 0
    return left < 0 && place > 0
  })
  return end === -1 ? ids : ids.slice(0, end)
}

/** An engine may answer what is asked for in one turn together. */
const readAll = (connection: Connection, ids: number[]) =>
  Promise.all(ids.map((id) => Promise.all([personById.run(connection, id), firstIdsOf.run(connection, id)])))

/** As many of the persons as fit into these bytes, but at least one; those that are gone are left out. Other scans may run before. */
export async function readListed(
  connection: Connection,
  projectId: number,
  ids: number[],
  maxBytes: number,
): Promise<ListedPart> {
  const persons: ListedPerson[] = []
  const texts = new ByteCollector()
  const result = (taken: number): ListedPart => ({ listed: { persons, texts: texts.take() }, taken })
  let bytes = 0
  let taken = 0
  await connection.pause()
  while (taken < ids.length) {
    const next = ids.slice(taken, taken + connection.dialect.lookUpsAtOnce)
    for (const [[found], idRows] of await readAll(connection, await fitting(connection, next, maxBytes - bytes))) {
      if (found?.project_id === projectId) {
        const { properties, ...row } = found
        const text = Buffer.from(properties)
        const distinctIds = idRows.map((given) => given.distinct_id)
        bytes += text.length + distinctIds.reduce((sum, distinctId) => sum + distinctId.length, 0)
        if (persons.length > 0 && bytes > maxBytes) return result(taken)
        persons.push({ row, distinctIds, length: text.length })
        texts.add(text)
      }
      taken += 1
    }
  }
  return result(taken)
}
