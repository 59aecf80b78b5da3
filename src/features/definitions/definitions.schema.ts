/** Shapes of event and property definitions on the wire. */
import { Type } from 'typebox'
import { pageQuery } from '../../http/output/pagination.ts'
import { Body, Choice, DateTime, Nullable, Uuid } from '../../http/schema.ts'

const search = Type.Optional(
  Type.String({ description: 'Words that must all be part of the name, whatever the case.' }),
)
const id = Uuid({ description: 'Follows from the project and the name.' })
const tags = Type.Array(Type.String(), { description: 'Always empty.' })

export const EventDefinitionsQuery = Type.Object({ ...pageQuery(), search })

export const EventDefinition = Body(
  {
    id,
    name: Type.String(),
    created_at: DateTime({ description: 'When the first of these events happened.' }),
    last_seen_at: DateTime({ description: 'When the last of them happened.' }),
    volume: Type.Integer({ description: 'How many of the project’s latest 1,000,000 events they are.' }),
    tags,
  },
  { title: 'EventDefinition' },
)

export const PropertyDefinitionsQuery = Type.Object({
  ...pageQuery(),
  search,
  type: Type.Optional(Choice(['event', 'person'], { description: 'Whose properties; of events unless given.' })),
  is_numerical: Type.Optional(Type.Boolean({ description: 'Only numbers, or only the others.' })),
})

export const PropertyDefinition = Body(
  {
    id,
    name: Type.String(),
    type: Choice(['event', 'person']),
    property_type: Type.Unsafe<'String' | 'Numeric' | 'Boolean' | 'DateTime' | null>({
      ...Nullable(Choice(['String', 'Numeric', 'Boolean', 'DateTime'])),
      description: 'What all values have in common, else String; null where they are lists, objects or null.',
    }),
    is_numerical: Type.Boolean(),
    count: Type.Integer({ description: 'In how many of the latest 100,000 events or persons.' }),
    is_seen_on_filtered_events: Type.Null(),
    tags,
  },
  { title: 'PropertyDefinition' },
)

export const EVENT_DEFINITION_EXAMPLE = {
  id: '6f1c2d8e-0b7a-5c3d-8e4f-9a0b1c2d3e4f',
  name: '$pageview',
  created_at: '2026-04-02T08:30:00Z',
  last_seen_at: '2026-05-01T10:00:00.123000Z',
  volume: 1_204,
  tags: [],
}

export const PROPERTY_DEFINITION_EXAMPLE = {
  id: '0d9e8f7a-6b5c-5d4e-9f3a-2b1c0d9e8f7a',
  name: 'price',
  type: 'event',
  property_type: 'Numeric',
  is_numerical: true,
  count: 312,
  is_seen_on_filtered_events: null,
  tags: [],
}
