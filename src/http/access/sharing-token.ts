/**
 * Access by sharing token: `?sharing_access_token=` on a route with `shared` gives access without a key, to the one
 * recording that the token shares; on every other route it is refused. A key in the header has precedence. An injected
 * look-up decides whether a token is valid; nothing here stores or logs one.
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

/** Headers of every response to a request with a token, errors too: never cached, and no referrer that contains the token. */
export const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/** The request's token; null when it has none, or also has a key. */
export function shareTokenOf(request: FastifyRequest): string | null {
  if (request.headers.authorization !== undefined) return null
  const given = (request.query as { sharing_access_token?: string | string[] }).sharing_access_token
  return (Array.isArray(given) ? given.at(-1) : given) ?? null
}

export const wrongToken = (): AppError =>
  new AppError('unauthenticated', 'authentication_failed', 'Sharing access token is invalid.')

/** The error for a valid token on a route that is not shared. */
export const tokenNotAllowedHere = (): AppError =>
  denied('A sharing access token opens one recording and its snapshots, and nothing else.')

/** The project of the shared recording, if that is the one the path names; null when the token is not valid. */
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
