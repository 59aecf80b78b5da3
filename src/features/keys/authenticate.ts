/**
 * Finds the caller of a key, or of a sign-in, by its hash. Results are cached for half a second, so that what was revoked
 * stops working everywhere within one second, and at once in the process that revoked it.
 */
import { type Found, organizationsOf, refusal } from '../../http/access/auth.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { HOUR } from '../../lib/time/time.ts'
import type { Caller, Credential } from '../../model/accounts/caller.ts'
import type { Key } from '../../model/accounts/key.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { SignIn } from '../../model/accounts/sign-in.ts'
import type { Stores } from '../../model/stores.ts'
import { keyCredential } from '../../rules/accounts/key-credential.ts'
import { hashKey } from '../../rules/accounts/key-secret.ts'
import { hasEnded, hashSignIn, isSignInHash } from '../../rules/accounts/sign-in-secret.ts'

const CACHE_MS = 500
const MAX_REMEMBERED = 10_000

export interface AuthenticatorParts {
  stores: Pick<Stores, 'keys' | 'signIns' | 'users' | 'projects' | 'transaction'>
  clock: Clock
  /** Called when storing the last use failed; the request goes on. */
  failed: (error: unknown) => void
}

/** Caches what `load` found for a short time; misses are not cached. */
function cached<K, V>(clock: Clock, load: (key: K) => Promise<V | null>) {
  const known = new Map<K, { value: V; until: number }>()
  const reload = async (key: K): Promise<V | null> => {
    const now = clock.steady()
    const value = await load(key)
    if (value === null) known.delete(key)
    else {
      if (known.size >= MAX_REMEMBERED) known.clear()
      known.set(key, { value, until: now + CACHE_MS })
    }
    return value
  }
  return {
    get(key: K): Found<V> {
      const hit = known.get(key)
      return hit && hit.until > clock.steady() ? hit.value : reload(key)
    },
    forget: () => known.clear(),
  }
}

/** A caller, and when it was last noted that its key or sign-in is used. */
interface Known {
  caller: Caller
  lastUsedAt: number | null
}

/** What a sign-in may do: all that its user may, or exactly what the key may that it was made with. */
function signInCredential({ id, provedAt }: SignIn, key: Key | null): Credential {
  const whole = { scopes: ['*'], scopedTeams: null, scopedOrganizations: null, expiresAt: null, keyId: null }
  return { ...(key ? keyCredential(key) : whole), kind: 'sign_in', id, provedAt }
}

function createFinder({ stores, clock }: Pick<AuthenticatorParts, 'stores' | 'clock'>) {
  const ofUser = async (userId: number, credential: Credential, lastUsedAt: number | null): Promise<Known | null> => {
    const user = await stores.users.find(userId)
    if (!user?.isActive) return null
    return { caller: { credential, user, memberships: await stores.users.memberships(user.id) }, lastUsedAt }
  }
  async function byKey(hash: string): Promise<Known | null> {
    const key = await stores.keys.findByHash(hash)
    return key && ofUser(key.userId, keyCredential(key), key.lastUsedAt)
  }
  async function bySignIn(hash: string): Promise<Known | null> {
    const signIn = await stores.signIns.findByHash(hash)
    if (!signIn || hasEnded(signIn, clock.now())) return null
    const key = signIn.keyId === null ? null : await stores.keys.find(signIn.keyId)
    if (signIn.keyId !== null && key === null) return null
    return ofUser(signIn.userId, signInCredential(signIn, key), signIn.lastUsedAt)
  }
  return (hash: string): Promise<Known | null> => (isSignInHash(hash) ? bySignIn(hash) : byKey(hash))
}

export function createAuthenticator({ stores, clock, failed }: AuthenticatorParts) {
  const noteUse = (known: Known): void => {
    const now = clock.now()
    // A time in the future was stored before the clock was set back.
    if (known.lastUsedAt !== null && Math.abs(now - known.lastUsedAt) < HOUR) return
    known.lastUsedAt = now
    const { kind, id } = known.caller.credential
    stores.transaction((tx) => (kind === 'key' ? tx.keys : tx.signIns).touch(id, now)).catch(failed)
  }
  const callers = cached(clock, createFinder({ stores, clock }))
  const admit = (known: Known | null): Caller | null => {
    if (!known) return null
    const { expiresAt } = known.caller.credential
    if (expiresAt !== null && expiresAt <= clock.now()) return null
    noteUse(known)
    return known.caller
  }
  const projects = cached(clock, (id: number) => stores.projects.find(id))
  const tokens = cached(clock, (token: string) => stores.projects.findByToken(token))
  const reaches = (caller: Caller, project: Project): boolean => refusal(caller, project) === null
  return {
    hashKey,
    hashSignIn,
    authenticate(hash: string): Found<Caller> {
      const found = callers.get(hash)
      return found instanceof Promise ? found.then(admit) : admit(found)
    },
    findProject: (id: number) => projects.get(id),
    /** The project whose SDKs send this token. */
    findProjectByToken: (token: string): Found<Project> => tokens.get(token),
    /**
     * The user's current project if the key may access it, else the lowest id that it may access; null when there is
     * none.
     */
    async currentProject(caller: Caller): Promise<Project | null> {
      const { currentProjectId } = caller.user
      const current = currentProjectId === null ? null : await projects.get(currentProjectId)
      if (current && reaches(caller, current)) return current
      for (const id of [...(caller.credential.scopedTeams ?? [])].sort((a, b) => a - b)) {
        const project = await projects.get(id)
        if (project && reaches(caller, project)) return project
      }
      return caller.credential.scopedTeams ? null : stores.projects.first(organizationsOf(caller))
    },
    /** That of the user's current project, or else the oldest that the caller may access; null when there is none. */
    currentOrganization(caller: Caller): Found<string> {
      const [oldest = null, ...others] = organizationsOf(caller)
      const { currentProjectId } = caller.user
      if (others.length === 0 || currentProjectId === null) return oldest
      const ofProject = (current: Project | null) =>
        current && organizationsOf(caller).includes(current.organizationId) ? current.organizationId : oldest
      const found = projects.get(currentProjectId)
      return found instanceof Promise ? found.then(ofProject) : ofProject(found)
    },
    /** Keys, users or projects have changed in this process: drops the caches. */
    forget(): void {
      callers.forget()
      projects.forget()
      tokens.forget()
    },
  }
}
