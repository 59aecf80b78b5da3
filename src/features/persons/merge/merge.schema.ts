/** Shapes of a merge of two persons on the wire. */
import { Type } from 'typebox'
import { AnyJson, Body, FreeForm, Nullable, Uuid } from '../../../http/schema.ts'
import { PERSON_EXAMPLE, PersonBody } from '../persons.schema.ts'

export const MergeBody = Type.Object({
  person: Type.Optional(
    AnyJson({ description: 'The integer id or the UUID of the other person, which is gone then.' }),
  ),
  preview: Type.Optional(Type.Boolean({ description: 'Only tell what would become of them.', default: false })),
})

const Numbers = (what: string) =>
  Nullable(
    Body(
      { person: Type.Integer(), other: Type.Integer() },
      { description: `How many ${what} each has; together they are the person’s then. Null when it was done.` },
    ),
  )

export const MergedPersons = Body({
  success: Type.Boolean(),
  preview: Type.Boolean({ description: 'Whether nothing was changed.' }),
  person: PersonBody,
  merged: PersonBody,
  properties: Body({
    added: FreeForm({ description: 'What only the other has.' }),
    differing: Type.Array(Body({ key: Type.String(), person: AnyJson(), other: AnyJson() }), {
      description: 'What both have with different values; those of the person in the path stay.',
    }),
  }),
  events: Numbers('events'),
  recordings: Numbers('recordings'),
  activity_id: Nullable(Uuid({ description: 'The entry of the activity log, by which it can be undone.' })),
})

export const MERGE_EXAMPLE = {
  success: true,
  preview: true,
  person: PERSON_EXAMPLE,
  merged: { ...PERSON_EXAMPLE, id: 41, uuid: '8d4ba7a8-9b02-5a4e-8e0a-52a1d2a3b4c5', distinct_ids: ['phone'] },
  properties: { added: { plan: 'free' }, differing: [{ key: '$os', person: 'Mac OS X', other: 'iOS' }] },
  events: { person: 1_204, other: 12 },
  recordings: { person: 12, other: 0 },
  activity_id: null,
}
