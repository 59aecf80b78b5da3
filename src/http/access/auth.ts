/**
 * From `Authorization: Bearer …` to a caller, and from `{project_id}` to a project within the caller's reach.
 * The order is the contract's: 401, project 404, the key's confinement 403, membership 403. Look-ups are
 * handed in; nothing here knows where keys and projects live.
 */
import { AppError, denied, notFound } from '../../lib/errors.ts'
import { readId } from '../../lib/ids.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'

/** The one recording that a sharing token opens. */
interface Share {
  projectId: number
  sessionId: string
}

/** At once when it is remembered, which is nearly always: a promise for each step would cost more than the step. */
export type Found<T> = T | null | Promise<T | null>

export interface Access {
  /** What a key is looked up by. */
  hashKey(key: string): string
  /** The caller behind the hash of a key; null when the key is unknown, expired or its user was removed. */
  authenticate(hash: string): Found<Caller>
  findProject(id: number): Found<Project>
  /** What `@current` means for this caller; null when it reaches no project. */
  currentProject(caller: Caller): Promise<Project | null>
  /** Null unless the token is live and asks for no password. */
  findShare(token: string): Promise<Share | null>
}

/** The key of a Bearer header; null when there is none. The scheme word is case-sensitive, spaces are not. */
export function bearerKey(header: string | undefined): string | null {
  const match = header === undefined ? null : /^Bearer[ \t]+(\S+)[ \t]*$/.exec(header)
  return match?.[1] ?? null
}

type Headed = { headers: { authorization?: string | undefined }; socket: object }

/**
 * The hash of the key of a request, null when it has none. A connection mostly sends the header that it sent before,
 * so that its last one is hashed once.
 */
export function createKeyHasher({ hashKey }: Pick<Access, 'hashKey'>): (request: Headed) => string | null {
  const last = new WeakMap<object, { header: string; hash: string }>()
  return ({ headers: { authorization: header }, socket }) => {
    const known = last.get(socket)
    if (known && known.header === header) return known.hash
    const key = bearerKey(header)
    if (header === undefined || key === null) return null
    const hash = hashKey(key)
    last.set(socket, { header, hash })
    return hash
  }
}

export const missingKey = (): AppError =>
  new AppError('unauthenticated', 'not_authenticated', 'Authentication credentials were not provided.')

export const wrongKey = (): AppError =>
  new AppError(
    'unauthenticated',
    'authentication_failed',
    'Personal API key found in request Authorization header is invalid.',
  )

/** Whether the key and its user reach the project: the reason why not, or null. */
export function refusal({ key, organizationIds }: Caller, project: Project): string | null {
  if (key.scopedTeams && !key.scopedTeams.includes(project.id)) {
    return `API key does not have access to the requested project: ID ${project.id}.`
  }
  if (key.scopedOrganizations && !key.scopedOrganizations.includes(project.organizationId)) {
    // Without its id: the key was made not to know of it.
    return 'API key does not have access to the requested organization.'
  }
  if (!organizationIds.includes(project.organizationId)) return "You don't have access to the project."
  return null
}

/** The organisations of the user that its key is not kept out of. One confined to projects may reach but a part of them. */
export const organizationsOf = ({ key, organizationIds }: Caller): string[] =>
  organizationIds.filter((id) => key.scopedOrganizations?.includes(id) ?? true)

/** The project that `{project_id}` names, if there is one. */
export function findProject(access: Access, caller: Caller, id: string): Found<Project> {
  if (id === '@current') return access.currentProject(caller)
  return access.findProject(readId(id))
}

/** The project, if the caller reaches it. */
export function reachable(caller: Caller, id: string, project: Project | null): Project {
  if (!project) throw notFound('Project not found.')
  const reason = refusal(caller, project)
  if (reason === null) return project
  // `@current` names no project, so there is nothing to be told about one out of reach.
  if (id === '@current') throw notFound('Project not found.')
  throw denied(reason)
}
