/** People of whom the projection lacks what an earlier version did not record. */
import { formatUuid } from '../../../lib/ids.ts'
import type { IncompletePerson } from '../../../model/persons/person-search.ts'
import type { Reading } from '../parts.ts'
import { NO_INSTANT } from '../rows/people-rows.ts'
import { instantOf, int } from '../values/literal.ts'

const IS_LACKING = `updated_at = ${int(NO_INSTANT)}`

/**
 * SQL of the persons among these rows that are not deleted and lack something: `project_id`, `person_id`, `person_uuid` and
 * `made`. Where no row does, little is read.
 */
export const peopleLacking = (where: string): string =>
  `SELECT project_id, person_id, argMax(uuid, seq) AS person_uuid, argMax(created_at, seq) AS made FROM persons
    WHERE ${where} AND person_id GLOBAL IN (SELECT person_id FROM persons WHERE ${where} AND ${IS_LACKING})
    GROUP BY project_id, person_id HAVING argMax(deleted = 0 AND ${IS_LACKING}, seq) = 1`

export async function incompletePersons({ rows }: Reading, after: number, limit: number): Promise<IncompletePerson[]> {
  const found = await rows(`SELECT project_id, person_id, lower(hex(person_uuid)), made
    FROM (${peopleLacking(`person_id > ${int(after)}`)}) AS lacking ORDER BY person_id LIMIT ${int(limit)}`)
  return (found as [number, string, string, string][]).map(([projectId, personId, uuid, made]) => ({
    projectId,
    personId: Number(personId),
    uuid: formatUuid(uuid),
    createdAt: instantOf(made),
  }))
}
