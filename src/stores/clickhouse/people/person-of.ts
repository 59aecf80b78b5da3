/** The person of a distinct id, with everything in the projection. */
import { formatUuid } from '../../../lib/ids.ts'
import type { ProjectedPerson } from '../../../model/events/event.ts'
import type { Reading } from '../parts.ts'
import { NO_INSTANT, NOT_KNOWN } from '../rows/people-rows.ts'
import { instantOf, int } from '../values/literal.ts'
import { propertiesOf } from '../values/property-arrays.ts'
import { ofProject, ownerOf } from './current-people.ts'

type Found = [
  uuid: string,
  createdAt: string,
  updatedAt: string,
  lastSeenAt: string,
  isIdentified: number,
  deleted: number,
  keys: string[],
  values: string[],
]

const instantOrNull = (micros: string): number | null => (BigInt(micros) === NO_INSTANT ? null : instantOf(micros))

export async function personOf(
  reading: Reading,
  projectId: number,
  distinctId: string,
): Promise<ProjectedPerson | null> {
  const owner = await ownerOf(reading, projectId, distinctId)
  if (owner === null) return null
  const [row] = await reading.rows(
    `SELECT lower(hex(uuid)), created_at, updated_at, last_seen_at, is_identified, deleted, keys, vals FROM persons
      WHERE ${ofProject(projectId)} AND person_id = ${int(BigInt(owner))} ORDER BY seq DESC LIMIT 1`,
  )
  if (!row) return null
  const [uuid, createdAt, updatedAt, lastSeenAt, isIdentified, deleted, keys, values] = row as Found
  if (deleted === 1) return null
  return {
    projectId,
    personId: Number(owner),
    uuid: formatUuid(uuid),
    properties: propertiesOf(keys, values),
    createdAt: instantOf(createdAt),
    updatedAt: instantOrNull(updatedAt),
    lastSeenAt: instantOrNull(lastSeenAt),
    isIdentified: isIdentified === NOT_KNOWN ? null : isIdentified === 1,
    deleted: false,
  }
}
