/** Recordings of sessions, and where they are played from. */
import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import type { operations } from '../schema.d.ts'
import { base } from '../session.ts'

type Answered = operations['session_recordings_retrieve']['responses'][200]['content']['application/json']
/** As who is signed in gets it, rather than who has a link. */
export type Recording = Extract<Answered, { person: unknown }>

const at = (projectId: number, id: string) => ({ params: { path: { project_id: String(projectId), id } } })

export const recordingQuery = (projectId: number, id: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'recording', id],
    queryFn: async ({ signal }): Promise<Recording> => {
      const asked = { ...at(projectId, id), signal }
      return (await answerOf(api.GET('/api/environments/{project_id}/session_recordings/{id}/', asked))) as Recording
    },
  })

const addressOf = (projectId: number, id: string, path: string): string =>
  new URL(`api/environments/${projectId}/session_recordings/${encodeURIComponent(id)}/${path}`, base).href

/** What a player reads the recording from. */
export const snapshotsAddress = (projectId: number, id: string): string => addressOf(projectId, id, 'snapshots/')

/** The recording as one file. */
export const exportAddress = (projectId: number, id: string): string => addressOf(projectId, id, 'snapshots/export/')
