/**
 * The other way in: `?sharing_access_token=` on a route that says `shared` opens it without a key, for the one
 * recording that the token shares; on every other one it is refused. A key in the header goes before it. Whether a
 * token is live is asked of the look-up that is handed in; nothing here remembers, logs or repeats one.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError, denied } from '../../lib/errors.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Access } from './auth.ts'

export const shareQuery = {
  sharing_access_token: Type.Optional(
    Type.String({ description: 'Instead of a key: the token of a share, for the recording that it shares.' }),
  ),
}

/** What everything that a token opens carries, refusals too: nobody keeps it, links from it do not tell it. */
export const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/** The token to go by; null when the request has to show a key. */
export function shareTokenOf(request: FastifyRequest): string | null {
  if (request.headers.authorization !== undefined) return null
  const given = (request.query as { sharing_access_token?: string | string[] }).sharing_access_token
  return (Array.isArray(given) ? given.at(-1) : given) ?? null
}

export const wrongToken = (): AppError =>
  new AppError('unauthenticated', 'authentication_failed', 'Sharing access token is invalid.')

/** What a token that is live is told on every other route. */
export const tokenNotAllowedHere = (): AppError =>
  denied('A sharing access token opens one recording and its snapshots, and nothing else.')

/** The project of the shared recording, if that is the one the path names; null when the token is not live. */
export async function authenticateByToken(
  access: Access,
  token: string,
  { param, request, reply }: { param: string; request: FastifyRequest; reply: FastifyReply },
): Promise<Project | null> {
  reply.headers(PRIVATE)
  const share = await access.findShare(token)
  const project = share && (await access.findProject(share.projectId))
  if (!share || !project) return null
  const params = request.params as Record<string, string>
  if (params.project_id !== String(share.projectId) || params[param] !== share.sessionId) {
    throw denied('The sharing access token opens another recording than this one.')
  }
  return project
}
