/** How a recording is shared: whether, under which link, with which passwords, and what is to be seen there. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../client.ts'
import type { operations } from '../schema.d.ts'

export type Sharing = operations['session_recordings_sharing_retrieve']['responses'][200]['content']['application/json']
export type ShareSettings = NonNullable<Sharing['settings']>
type NewPassword =
  operations['session_recordings_sharing_passwords_create']['responses'][201]['content']['application/json']

export const SHARING_SCOPES = { read: 'sharing_configuration:read', write: 'sharing_configuration:write' } as const

const PATH = '/api/environments/{project_id}/session_recordings/{recording_id}/sharing/'
const keyOf = (projectId: number, id: string) => ['project', projectId, 'sharing', id] as const
const at = (projectId: number, id: string) => ({ project_id: String(projectId), recording_id: id })

export const sharingQuery = (projectId: number, id: string) =>
  queryOptions({
    queryKey: keyOf(projectId, id),
    queryFn: async ({ signal }): Promise<Sharing> =>
      (await answerOf(api.GET(PATH, { params: { path: at(projectId, id) }, signal }))) as Sharing,
  })

export type SharingChange = Partial<Pick<Sharing, 'enabled' | 'password_required'>> & { settings?: ShareSettings }

/** What is answered is how it is shared from now on. */
function useAnswered<Input>(projectId: number, id: string, run: (input: Input) => Promise<Sharing>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: (sharing) => queries.setQueryData(keyOf(projectId, id), sharing),
  })
}

export const useChangeSharing = (projectId: number, id: string) =>
  useAnswered(
    projectId,
    id,
    async (body: SharingChange) =>
      (await answerOf(api.PATCH(PATH, { params: { path: at(projectId, id) }, body }))) as Sharing,
  )

/** Another link takes the place of this one, which leads there for some minutes more. */
export const useReplaceLink = (projectId: number, id: string) =>
  useAnswered(
    projectId,
    id,
    async () => (await answerOf(api.POST(`${PATH}refresh/`, { params: { path: at(projectId, id) } }))) as Sharing,
  )

/** Without a password of one's own the server makes one up. It is in the answer, and nowhere else. */
export function useAddPassword(projectId: number, id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: { raw_password: string | null; note: string | null }) =>
      (await answerOf(api.POST(`${PATH}passwords/`, { params: { path: at(projectId, id) }, body }))) as NewPassword,
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(projectId, id) }),
  })
}

export function useRemovePassword(projectId: number, id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (password: number) => {
      const path = { ...at(projectId, id), password_id: String(password) }
      return answerOf(api.DELETE(`${PATH}passwords/{password_id}/`, { params: { path } }))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(projectId, id) }),
  })
}
