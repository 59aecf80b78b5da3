/**
 * Where the SDKs send recordings. Success is 200 with a JSON body, 204 for a beacon; on anything else they send again.
 */
import type { RawAnswer, RawRoute } from '../../http/raw-routes.ts'
import type { Replay, ReplayAnswer } from './replay.ts'

function answer({ drops, limited }: ReplayAnswer, beacon: boolean): RawAnswer {
  if (beacon) return { status: 204, contentType: '', body: null }
  const body = {
    status: 'Ok',
    ...(drops.length > 0 ? { dropped: drops } : {}),
    ...(limited ? { quota_limited: ['recordings'] } : {}),
  }
  return { status: 200, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

export const replayRoutes = (replay: Replay): RawRoute[] => [
  {
    paths: ['/s/'],
    methods: ['GET', 'POST'],
    bodyLimit: replay.bodyLimit,
    summary: 'Take pieces of session recordings',
    handler: async (call) => answer(await replay.accept(call), call.query.beacon === '1'),
  },
]
