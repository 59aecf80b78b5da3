/** Finds out for whom a page of the app is: by the cookie of their sign-in, as the API does. */
import { type Found, organizationsOf, refusal } from '../../http/access/auth.ts'
import { levelIn, scopesWithin } from '../../http/access/levels.ts'
import { signInSecret } from '../../http/access/sign-in-cookie.ts'
import type { PageCall } from '../../http/page-routes.ts'
import type { BootProject, SignedIn } from '../../model/accounts/boot-data.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { Stores } from '../../model/stores.ts'

export interface BootParts {
  stores: Pick<Stores, 'projects'>
  access: {
    hashSignIn: (secret: string) => string
    authenticate: (hash: string) => Found<Caller>
    currentProject: (caller: Caller) => Promise<Project | null>
  }
}

/** More are reached by their address. */
const MOST_PROJECTS = 200

function bootProject(caller: Caller, project: Project): BootProject {
  const level = levelIn(caller, project.organizationId) ?? 0
  return {
    id: project.id,
    name: project.name,
    api_token: project.apiToken,
    timezone: project.timezone,
    organization: project.organizationId,
    ingested_event: project.ingestedEvent,
    level,
    scopes: scopesWithin(level, caller.credential.scopes),
  }
}

export function createBoot({ stores: { projects }, access }: BootParts) {
  const callerOf = ({ headers: { cookie }, url }: PageCall): Found<Caller> => {
    const secret = typeof cookie === 'string' ? signInSecret(cookie, url) : null
    return secret === null ? null : access.authenticate(access.hashSignIn(secret))
  }

  /** The project that the address names by id or token, if the caller may access it. */
  const named = async (caller: Caller, { params }: PageCall): Promise<Project | null> => {
    const [name = ''] = (params['*'] ?? '').split('/')
    const found = /^\d{1,15}$/.test(name) ? await projects.find(Number(name)) : await projects.findByToken(name)
    return found && refusal(caller, found) === null ? found : null
  }

  /** The first ones, and those that are wanted, by id. */
  const some = async (caller: Caller, wanted: (Project | null)[]) => {
    const filter = { organizationIds: organizationsOf(caller), ids: caller.credential.scopedTeams, search: null }
    const { count, items } = await projects.list(filter, { limit: MOST_PROJECTS, offset: 0 })
    const byId = new Map([...items, ...wanted].flatMap((project) => (project ? [[project.id, project]] : [])))
    return { count, listed: [...byId.values()].sort((a, b) => a.id - b.id) }
  }

  return async (call: PageCall): Promise<SignedIn | null> => {
    const caller = await callerOf(call)
    if (!caller) return null
    const { user, credential } = caller
    const current = await access.currentProject(caller)
    const { count, listed } = await some(caller, [current, await named(caller, call)])
    return {
      user: { uuid: user.uuid, email: user.email, first_name: user.firstName, last_name: user.lastName },
      via: credential.keyId === null ? 'password' : 'key',
      theme_mode: user.themeMode ?? 'system',
      scopes: credential.scopes,
      current_project: current?.id ?? null,
      projects: listed.map((project) => bootProject(caller, project)),
      project_count: count,
    }
  }
}
