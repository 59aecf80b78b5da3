/**
 * From `Authorization: Bearer …`, or the cookie of a sign-in, to a caller, and from `{project_id}` to a project that the
 * caller may access.
 * The order is the contract's: 401, project 404, the key's confinement 403, membership 403. Look-ups are
 * injected; nothing here knows where keys and projects are stored.
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

/** Synchronous when it is cached, which is nearly always: a promise per step would cost more than the step itself. */
export type Found<T> = T | null | Promise<T | null>

export interface Access {
  /** What a key is looked up by. */
  hashKey(key: string): string
  hashSignIn(secret: string): string
  /** The caller behind the hash of a key or a sign-in; null when it is unknown, has ended or its user was removed. */
  authenticate(hash: string): Found<Caller>
  findProject(id: number): Found<Project>
  /** The caller's `@current` project; null when it may access none. */
  currentProject(caller: Caller): Promise<Project | null>
  /** That of the current project, or else the oldest that the caller may access; null when there is none. */
  currentOrganization(caller: Caller): Found<string>
  /** Null unless the token is valid and needs no password. */
  findShare(token: string): Promise<Share | null>
}

/** The key of a Bearer header; null when there is none. The scheme word is case-sensitive, spaces are not. */
export function bearerKey(header: string | undefined): string | null {
  const match = header === undefined ? null : /^Bearer[ \t]+(\S+)[ \t]*$/.exec(header)
  return match?.[1] ?? null
}

type Headed = { headers: { authorization?: string | undefined }; socket: object }

/**
 * The hash of a request's key, null when it has none. A connection usually repeats the same header, so the hash of its
 * last one is cached.
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

export const endedSignIn = (): AppError =>
  new AppError('unauthenticated', 'not_authenticated', 'The sign-in has ended. Sign in again.')

/** Why the key or its user may not access the project, or null. */
export function refusal({ credential, memberships }: Caller, project: Project): string | null {
  const { scopedTeams, scopedOrganizations } = credential
  if (scopedTeams && !scopedTeams.includes(project.id)) {
    return `API key does not have access to the requested project: ID ${project.id}.`
  }
  if (scopedOrganizations && !scopedOrganizations.includes(project.organizationId)) {
    // Without its id: the key must not learn of other organisations.
    return 'API key does not have access to the requested organization.'
  }
  if (!memberships.some(({ organizationId }) => organizationId === project.organizationId)) {
    return "You don't have access to the project."
  }
  return null
}

/**
 * The user's organisations that the key may access, the oldest first; a key limited to projects may access only some
 * projects of them.
 */
export const organizationsOf = ({ credential, memberships }: Caller): string[] =>
  memberships
    .map(({ organizationId }) => organizationId)
    .filter((id) => credential.scopedOrganizations?.includes(id) ?? true)

/** The project that `{project_id}` names, if there is one. */
export function findProject(access: Access, caller: Caller, id: string): Found<Project> {
  if (id === '@current') return access.currentProject(caller)
  return access.findProject(readId(id))
}

/** The project, if the caller may access it. */
export function reachable(caller: Caller, id: string, project: Project | null): Project {
  if (!project) throw notFound('Project not found.')
  const reason = refusal(caller, project)
  if (reason === null) return project
  // `@current` names no project, so the answer reveals nothing about one that the caller may not access.
  if (id === '@current') throw notFound('Project not found.')
  throw denied(reason)
}
