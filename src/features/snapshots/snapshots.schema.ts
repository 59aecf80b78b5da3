/** Shapes of a recording's blocks on the wire. */
import { Type } from 'typebox'
import { AnyJson, Body, Choice, DateTime, Nullable } from '../../http/schema.ts'
import { MAX_FULL_SNAPSHOTS } from '../../rules/rrweb/full-snapshots.ts'

export const SnapshotParams = Type.Object({ id: Type.String({ description: 'The session id of the recording.' }) })

const key = (description: string) => Type.Optional(Type.String({ description }))

export const SnapshotsQuerySchema = Type.Object({
  source: Type.Optional(Type.String({ description: '`blob_v2` asks for lines; without it the blocks are listed.' })),
  blob_key: key('One block.'),
  start_blob_key: key('The first block of a range of at most 100.'),
  end_blob_key: key('The last block of the range.'),
})

const FullSnapshots = Type.Array(
  Body({
    window_id: Type.String({ description: 'The window that it shows.' }),
    timestamp: DateTime({ description: 'When it was taken.' }),
  }),
  {
    maxItems: MAX_FULL_SNAPSHOTS,
    description:
      `The full snapshots in the block, by time: a player can begin at any of them. At most ${MAX_FULL_SNAPSHOTS}, the first of each ` +
      'window before others, and fewer where the ids of windows are very long; a player that misses one begins earlier. ' +
      'Null: not known, as the block was stored by a version that did not look for them.',
  },
)

export const SourcesBody = Body({
  sources: Type.Array(
    Body({
      source: Choice(['blob_v2']),
      start_timestamp: DateTime({ description: 'Time of its first event.' }),
      end_timestamp: DateTime({ description: 'Time of its last event.' }),
      blob_key: Type.String({ description: 'Its number, counted by time from 0.' }),
      full_snapshots: Nullable(FullSnapshots),
    }),
  ),
})

export const SOURCES_EXAMPLE = {
  sources: [
    {
      source: 'blob_v2',
      start_timestamp: '2026-03-04T11:00:00.037000Z',
      end_timestamp: '2026-03-04T11:00:09.412000Z',
      blob_key: '0',
      full_snapshots: [{ window_id: '0195a0b0-7e1c-7a4e-9d26-3f0e5f6c1a2e', timestamp: '2026-03-04T11:00:00.041000Z' }],
    },
  ],
}

export const ExportBody = Type.Array(AnyJson({ description: 'An rrweb event, with its `windowId`.' }))

export const EXPORT_EXAMPLE = [
  {
    type: 4,
    data: { href: 'https://example.com/pricing', width: 1280, height: 720 },
    timestamp: 1_772_622_000_037,
    windowId: '0195a0b0-7e1c-7a4e-9d26-3f0e5f6c1a2e',
  },
]
