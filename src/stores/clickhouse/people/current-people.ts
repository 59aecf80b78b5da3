/**
 * The newest state of people as SQL: of several rows of one person the highest `seq` counts. What is asked is worked out for
 * every row, and of the results, which are narrow, that of the newest is taken: texts are never copied to be compared.
 */

import { idHash } from '../../id-hash.ts'
import type { Reading } from '../parts.ts'
import { NO_INSTANT } from '../rows/people-rows.ts'
import { int, text } from '../values/literal.ts'

interface People {
  /** SQL of a condition on rows; one that decides which persons, not which of their rows. */
  where?: string
  /** SQL of what the newest row must fulfil. */
  fits?: string
  /** SQL of the moment that is told; that of creation unless given. */
  moment?: string
}

export const ofProject = (projectId: number): string => `project_id = ${int(projectId)}`

/** No person was created or seen then. */
const ABSENT = int(NO_INSTANT)

/**
 * SQL of the persons of a project that are not deleted: `person_id` and `moment`. One integer tells all that is asked: a tuple
 * takes three times as long.
 */
export const currentPeople = (projectId: number, { where = '1', fits = '1', moment = 'created_at' }: People): string =>
  `SELECT person_id, argMax(if(deleted = 0 AND (${fits}), ${moment}, ${ABSENT}), seq) AS moment FROM persons
    WHERE ${ofProject(projectId)} AND (${where}) GROUP BY person_id HAVING moment != ${ABSENT}`

/** The owner of exactly this id, as text; null when it has none. The person may be deleted. */
export async function ownerOf({ rows }: Reading, projectId: number, distinctId: string): Promise<string | null> {
  const isThis = `id_hash = ${int(idHash(projectId, distinctId))} AND distinct_id = ${text(distinctId)}`
  const [row] = await rows(
    `SELECT person_id FROM distinct_ids WHERE ${ofProject(projectId)} AND ${isThis} ORDER BY seq DESC LIMIT 1`,
  )
  const [owner] = (row ?? []) as [string?]
  return owner === undefined || owner === '0' ? null : owner
}
