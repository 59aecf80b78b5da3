/** /persons/deletion_summary/: where event deletions stand. Asking for them is a matter of persons. */
import { Type } from 'typebox'
import { type Route, route } from '../../http/route.ts'
import { Body, Choice, DateTime, Nullable } from '../../http/schema.ts'
import type { DeletionsFeature } from './deletions.feature.ts'

const LastRun = Body(
  {
    started_at: DateTime(),
    finished_at: DateTime(),
    persons: Type.Integer({ description: 'Requests of this project that it carried out; each is of one person.' }),
    events: Type.Integer(),
    sessions: Type.Integer({ description: 'Sessions of these events that have no event left.' }),
    recordings: Type.Integer({
      description: 'Recordings that were deleted together with these requests, before the run.',
    }),
    bytes_given_back: Nullable(
      Type.Integer({
        description:
          'By the event store, for all projects together; on ClickHouse within some minutes after the run. 0 when there was nothing to give back, null when it is not known because the run was cut off while it compacted. What the SQL store and recordings gave back is not in it.',
      }),
    ),
  },
  { description: 'The last one that came to its end. One that was cut off and went on later is one run.' },
)

const DeletionSummary = Body({
  pending: Type.Integer({ description: 'Requests of this project that wait.' }),
  scheduled_for: DateTime({
    description: 'When the first of them is due, which is past when it is late; when none waits, the next run.',
  }),
  phase: Choice(['idle', 'draining', 'deleting', 'compacting'], {
    description:
      'What the run does now, in whichever process: `draining` waits until the event store has all that was captured, `deleting` removes events and property history, `compacting` leaves nothing of them in the files. When a process was killed, it is shown for half a minute more.',
  }),
  since: Nullable(
    DateTime({ description: 'When the phase began; of `idle`, when the last run ended, null if there was none.' }),
  ),
  last_run: Nullable(LastRun),
})

const EXAMPLE = {
  pending: 1,
  scheduled_for: '2026-05-10T05:00:00Z',
  phase: 'idle',
  since: '2026-05-03T05:00:09Z',
  last_run: {
    started_at: '2026-05-03T05:00:00Z',
    finished_at: '2026-05-03T05:00:09Z',
    persons: 3,
    events: 1_204,
    sessions: 41,
    recordings: 12,
    bytes_given_back: 1_048_576,
  },
}

export const deletionRoutes = (deletions: DeletionsFeature): Route[] => [
  route({
    method: 'GET',
    level: 'project',
    path: '/persons/deletion_summary/',
    scope: 'person:read',
    tag: 'persons',
    summary: 'Where event deletions stand',
    description:
      'How many requests wait and until when, what the run is doing now, and what the last one did. It does not depend on the event store.',
    response: DeletionSummary,
    example: EXAMPLE,
    handler: ({ project }) => deletions.summary(project),
  }),
]
