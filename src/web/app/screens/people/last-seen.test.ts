import { expect, it } from 'vitest'
import { lastSeen } from './last-seen.ts'

it.each([
  ['first seen in that hour', '2026-05-04T10:47:00Z', '2026-05-04T10:00:00Z', '2026-05-04T10:47:00Z'],
  ['first seen before', '2026-05-03T10:47:00Z', '2026-05-04T10:00:00Z', '2026-05-04T10:00:00Z'],
  ['seen by events older than the person', '2026-05-04T10:47:00Z', '2026-05-01T08:00:00Z', '2026-05-01T08:00:00Z'],
  ['never seen', '2026-05-04T10:47:00Z', null, null],
])('is never before somebody came: %s', (_, created_at, last_seen_at, expected) => {
  expect(lastSeen({ created_at, last_seen_at })).toBe(expected)
})
