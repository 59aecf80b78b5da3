/** /activity_log/{id}/undo/ */
import { Type } from 'typebox'
import { type Route, route } from '../../../http/route.ts'
import { Body } from '../../../http/schema.ts'
import type { PersonsFeature } from '../persons.feature.ts'
import { PERSON_COLUMNS, PERSON_EXAMPLE, PersonBody } from '../persons.schema.ts'

export const undoRoutes = (persons: PersonsFeature): Route[] => [
  route({
    level: 'project',
    tag: 'activity_log',
    method: 'POST',
    path: '/activity_log/:id/undo/',
    scope: 'person:write',
    summary: 'Undo what an entry of the activity log tells',
    description:
      'For changes of a person’s properties, splits, and merges made by persons/{id}/merge/, once each: `can_undo` of an entry says whether it may be asked for. Properties get their earlier values if they still are what the change left. Split-off ids return to their person, with what came to them since. A merged person returns under a new integer id; what was changed since the merge stays with the other. The undo is an entry of its own.',
    params: Type.Object({ id: Type.String({ description: 'The id of an entry of the activity log.' }) }),
    response: Body({
      success: Type.Boolean(),
      person: PersonBody,
      split: Type.Array(PersonBody, {
        description: 'The person that has returned, or those that ids were taken back from and that stay.',
      }),
    }),
    example: { success: true, person: PERSON_EXAMPLE, split: [] },
    errors: {
      409: 'Something stands in the way (`conflict`), and the detail names it: an id that moved on, a value that changed since, a person that was deleted or merged, an entry that was undone already or cannot be.',
    },
    csv: { fileName: 'person', columns: PERSON_COLUMNS, rows: (body: { person: unknown }) => [body.person] },
    handler: ({ project, caller, params }) => persons.undo({ project, caller }, params.id),
  }),
]
