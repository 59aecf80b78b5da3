/** /session_recordings/{recording_id}/sharing/: access to a recording without logging in. */
import { Answer, type Route, route } from '../../http/route.ts'
import { Nothing } from '../../http/schema.ts'
import type { Project } from '../../model/accounts/project.ts'
import { readShareSettings } from './share-settings.ts'
import { replayUrl, shareUrl } from './share-url.ts'
import type { SharingFeature } from './sharing.feature.ts'
import {
  NewPasswordBody,
  PASSWORD_EXAMPLE,
  PasswordBody,
  PasswordParams,
  SHARING_EXAMPLE,
  SharingBody,
  SharingParams,
  SharingPatchBody,
} from './sharing.schema.ts'

const base = { level: 'project', tag: 'sharing' } as const
const sharing = { ...base, params: SharingParams, response: SharingBody, example: SHARING_EXAMPLE } as const
const PATH = '/session_recordings/:recording_id/sharing/'
/** The token gives access to the recording: no cache may store it. */
const secret = (body: unknown) => new Answer(body, { headers: { 'cache-control': 'no-store' } })

/** What its addresses are made of. */
interface Asked {
  url: URL
  project: Pick<Project, 'id'>
  params: { recording_id: string }
}

const configurationRoutes = (feature: SharingFeature): Route[] => {
  /** As the answers show it. */
  const shown = ({ url, project, params }: Asked, sharing: { enabled: boolean; access_token: string }) =>
    secret({
      ...sharing,
      url: sharing.enabled ? shareUrl(url, sharing.access_token) : null,
      replay_url: feature.hasApp ? replayUrl(url, project.id, params.recording_id) : null,
    })
  return [
    route({
      ...sharing,
      method: 'GET',
      path: PATH,
      scope: 'sharing_configuration:read',
      summary: 'Read the sharing configuration of a recording',
      handler: async (call) => shown(call, await feature.retrieve(call.project, call.params.recording_id)),
    }),
    route({
      ...sharing,
      method: 'PATCH',
      path: PATH,
      scope: 'sharing_configuration:write',
      summary: 'Enable, disable or change sharing',
      body: SharingPatchBody,
      handler: async (call) => {
        const { project, caller, params, body } = call
        const patch = {
          ...(body.enabled === undefined ? {} : { enabled: body.enabled }),
          ...(body.settings === undefined ? {} : { settings: readShareSettings(body.settings) }),
          ...(body.password_required === undefined ? {} : { passwordRequired: body.password_required }),
        }
        return shown(call, await feature.patch({ project, caller }, params.recording_id, patch))
      },
    }),
    route({
      ...sharing,
      method: 'POST',
      path: `${PATH}refresh/`,
      scope: 'sharing_configuration:write',
      summary: 'Replace the token of a share',
      description: 'The token before works for another 300 seconds.',
      handler: async (call) => {
        const { project, caller, params } = call
        return shown(call, await feature.refresh({ project, caller }, params.recording_id))
      },
    }),
  ]
}

export const sharingRoutes = (feature: SharingFeature): Route[] => [
  ...configurationRoutes(feature),
  route({
    ...base,
    method: 'POST',
    path: `${PATH}passwords/`,
    scope: 'sharing_configuration:write',
    summary: 'Add a password to a share',
    description: 'The password is in `password`, this once. Asking for passwords must have been switched on before.',
    params: SharingParams,
    body: NewPasswordBody,
    status: 201,
    response: PasswordBody,
    example: PASSWORD_EXAMPLE,
    idempotent: { secret: ['password'] },
    handler: async ({ project, caller, params, body, remember }) => {
      const input = { rawPassword: body.raw_password ?? null, note: body.note ?? null }
      return secret(await feature.addPassword({ project, caller }, params.recording_id, input, remember))
    },
  }),
  route({
    ...base,
    method: 'DELETE',
    path: `${PATH}passwords/:password_id/`,
    scope: 'sharing_configuration:write',
    summary: 'Remove a password from a share',
    params: PasswordParams,
    status: 204,
    response: Nothing,
    example: null,
    handler: async ({ project, caller, params }) => {
      await feature.removePassword({ project, caller }, params.recording_id, params.password_id)
      return null
    },
  }),
]
