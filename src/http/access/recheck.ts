/**
 * Whether a request would still be admitted, for answers that go on for longer than what was found about it may hold: its
 * key or sign-in, the user's membership and level, and the project, which is the one it was admitted to, whatever is
 * current now. Rejects when that cannot be found out.
 */
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Route } from '../route.ts'
import { type Access, refusal } from './auth.ts'
import { checkLevel } from './levels.ts'
import { checkScope } from './scope.ts'

export type Recheck = (request: FastifyRequest, route: Route) => Promise<boolean>

function isRefused(caller: Caller, project: Project, route: Route): boolean {
  if (refusal(caller, project) !== null) return true
  try {
    route.admit?.(caller)
    checkScope(caller, route.scope)
    if (!route.own) checkLevel(caller, project.organizationId, route.scope)
    return false
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return true
  }
}

export function createRecheck({ authenticate, findProject }: Access): Recheck {
  return async ({ passed: { hash, project } }, route) => {
    const caller = hash === undefined ? null : await authenticate(hash)
    const present = caller && project ? await findProject(project.id) : null
    return caller !== null && present !== null && !isRefused(caller, present, route)
  }
}
