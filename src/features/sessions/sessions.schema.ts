/** Shapes of session properties on the wire. */
import { Type } from 'typebox'
import { Body, Choice } from '../../http/schema.ts'

export const DefinitionsQuery = Type.Object({
  search: Type.Optional(Type.String({ description: 'Words that must all be part of the name.' })),
  is_numerical: Type.Optional(Type.Boolean({ description: 'Only numbers, or only the others.' })),
})

export const DefinitionsBody = Body({
  count: Type.Integer(),
  results: Type.Array(
    Body({
      id: Type.String(),
      name: Type.String(),
      is_numerical: Type.Boolean(),
      property_type: Choice(['String', 'Numeric', 'DateTime', 'Boolean', 'Duration']),
      is_seen_on_filtered_events: Type.Null(),
      tags: Type.Array(Type.String()),
    }),
  ),
})

export const ValuesQuery = Type.Object({
  key: Type.Optional(Type.String({ description: 'A session property; without it, every one that has values.' })),
  value: Type.Optional(Type.String({ description: 'Text that the values contain, whatever the case.' })),
})

export const ValuesBody = Body({
  results: Type.Array(
    Body({
      key: Type.Optional(Type.String({ description: 'The session property; only when none was asked for.' })),
      name: Type.String(),
      count: Type.Integer({ description: 'In how many of the latest 100,000 sessions.' }),
    }),
  ),
  refreshing: Type.Boolean(),
})

export const DEFINITIONS_EXAMPLE = {
  count: 1,
  results: [
    {
      id: '$session_duration',
      name: '$session_duration',
      is_numerical: true,
      property_type: 'Duration',
      is_seen_on_filtered_events: null,
      tags: [],
    },
  ],
}

export const VALUES_EXAMPLE = { results: [{ name: 'google', count: 12 }], refreshing: false }
