/** Changes to the people projection as rows of `persons` and `distinct_ids`. */
import type { DistinctIdProjection } from '../../../model/events/outbox.ts'
import { idHash } from '../../id-hash.ts'
import type { WrittenPerson } from '../../outbox/batch-text.ts'
import { foldedIdOf, searchTextOf } from '../../search-text.ts'
import { microsOf } from '../values/literal.ts'
import { propertyLists, writeProperties } from '../values/property-arrays.ts'
import { RowWriter } from '../values/row-binary.ts'

/** An instant that is not known. */
export const NO_INSTANT = -(2n ** 62n)
/** Of `is_identified`: not known. */
export const NOT_KNOWN = 2

export const PERSON_COLUMNS = [
  'project_id',
  'person_id',
  'seq',
  'uuid',
  'created_at',
  'updated_at',
  'last_seen_at',
  'is_identified',
  'deleted',
  'has_search',
  'search',
  'keys',
  'vals',
  'nums',
  'instants',
] as const

export const DISTINCT_ID_COLUMNS = ['project_id', 'id_hash', 'distinct_id', 'seq', 'person_id', 'folded'] as const

const microsOrNone = (instant: number | null): bigint => (instant === null ? NO_INSTANT : microsOf(instant))

export interface Sequenced<T> {
  row: T
  seq: number
}

export function writePersons(rows: Sequenced<WrittenPerson>[]): Buffer {
  const out = new RowWriter()
  for (const { row: person, seq } of rows) {
    const search = searchTextOf(person.properties)
    out.uint32(person.projectId)
    out.int64(BigInt(person.personId))
    out.int64(BigInt(seq))
    out.uuid(person.uuid)
    out.int64(microsOf(person.createdAt))
    out.int64(microsOrNone(person.updatedAt))
    out.int64(microsOrNone(person.lastSeenAt))
    out.uint8(person.isIdentified === null ? NOT_KNOWN : Number(person.isIdentified))
    out.uint8(Number(person.deleted))
    out.uint8(search === null ? 0 : 1)
    out.text(search ?? '')
    writeProperties(out, propertyLists(person.properties))
  }
  return out.bytes()
}

/** `person_id` 0 is nobody. */
export function writeDistinctIds(rows: Sequenced<DistinctIdProjection>[]): Buffer {
  const out = new RowWriter()
  for (const { row, seq } of rows) {
    out.uint32(row.projectId)
    out.int64(idHash(row.projectId, row.distinctId))
    out.text(row.distinctId)
    out.int64(BigInt(seq))
    out.int64(BigInt(row.personId ?? 0))
    out.text(foldedIdOf(row.distinctId))
  }
  return out.bytes()
}
