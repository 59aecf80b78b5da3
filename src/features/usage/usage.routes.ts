/** /usage/: what a project has taken and keeps. */
import { Type } from 'typebox'
import { type Route, route } from '../../http/route.ts'
import { DateTime, Nullable } from '../../http/schema.ts'
import type { UsageFeature } from './usage.feature.ts'

const UsageBody = Type.Object({
  events: Type.Object({
    count: Type.Integer(),
    last_hour: Type.Integer({ description: 'How many of them happened within the last hour.' }),
    first_at: Nullable(DateTime()),
    last_at: Nullable(DateTime()),
  }),
  persons: Type.Object({ count: Type.Integer() }),
  recordings: Type.Object({
    count: Type.Integer(),
    stored_bytes: Type.Integer({
      description: 'As they are stored, compressed. Events have no files of their own to count.',
    }),
  }),
  warnings: Type.Object({ last_day: Type.Integer({ description: 'Ingestion warnings of the last day.' }) }),
})

const EXAMPLE = {
  events: { count: 184_320, last_hour: 212, first_at: '2026-03-01T09:00:00Z', last_at: '2026-03-04T11:00:00Z' },
  persons: { count: 5_120 },
  recordings: { count: 640, stored_bytes: 52_428_800 },
  warnings: { last_day: 3 },
}

export const usageRoutes = (usage: UsageFeature): Route[] => [
  route({
    method: 'GET',
    level: 'project',
    path: '/usage/',
    scope: 'project:read',
    tag: 'projects',
    summary: 'What a project has taken and keeps',
    readsEvents: true,
    response: UsageBody,
    example: EXAMPLE,
    handler: ({ project, signal }) => usage.read(project, signal),
  }),
]
