/**
 * Who did an event, as one integer: the person that owns its distinct id now, or the id's own number where nobody does.
 * Events carry who that was when they were captured; ids whose owner is known otherwise are joined by their numbers.
 */
import { int } from '../values/literal.ts'

/** SQL of the owners of a project's ids: `id_hash`, and `owner`, a person or the number of an id that is nobody's. */
const ownersSql = (projectId: number): string =>
  `SELECT id_hash, argMax(if(person_id = 0, id_hash, person_id), seq) AS owner FROM distinct_ids
    WHERE project_id = ${int(projectId)} GROUP BY id_hash`

/** SQL of the events of all projects, to be narrowed to this one, with `owner`: 0 for ids that never had one. */
export const eventsWithOwners = (projectId: number): string =>
  `events GLOBAL ANY LEFT JOIN (${ownersSql(projectId)}) AS owners USING (id_hash)`

/** SQL of who did an event of `eventsWithOwners`. */
export const ACTOR = 'if(owner = 0, actor, owner)'
