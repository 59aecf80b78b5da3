/**
 * Who did an event, as one integer: the person that owns its distinct id now, or the id's own number where nobody does.
 * Events carry who that was when they were captured; only ids that may have another owner by now are joined (overrides.ts).
 */
import { int } from '../values/literal.ts'

/** SQL of `id_hash`, and `owner`: a person, or the number of an id that is nobody's. */
const ownersSql = (projectId: number): string =>
  `SELECT id_hash, argMax(actor, seq) AS owner FROM overrides WHERE project_id = ${int(projectId)} GROUP BY id_hash`

/** SQL of the events of all projects, to be narrowed to this one, with `owner`: 0 for ids that are as their events say. */
export const eventsWithOwners = (projectId: number): string =>
  `events GLOBAL ANY LEFT JOIN (${ownersSql(projectId)}) AS owners USING (id_hash)`

/** SQL of who did an event of `eventsWithOwners`. */
export const ACTOR = 'if(owner = 0, actor, owner)'
