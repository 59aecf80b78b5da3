/**
 * Keys by key: every key may read and roll itself; listing, making, changing and deleting keys takes `*`. Only
 * the user's own keys are seen or touched. A new key never reaches further than the one that made it.
 */
import type { Clock } from '../../lib/clock.ts'
import { denied, notFound } from '../../lib/errors.ts'
import { formatInstant, formatOptional } from '../../lib/time.ts'
import type { Caller } from '../../model/caller.ts'
import type { Key, KeyReader } from '../../model/key.ts'
import type { ProjectReader } from '../../model/project.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { activityEntry } from '../../rules/activity-entry.ts'
import { hashKey, maskKey, newKeyId, newKeySecret } from '../../rules/key-secret.ts'
import { checkNewKey, checkScopes, type NewKeyInput } from './new-key.ts'

export interface KeysParts {
  stores: Pick<Stores, 'keys' | 'projects' | 'transaction'>
  clock: Clock
  /** Remembered callers may be wrong now. */
  changed: () => void
}

export const viewKey = (key: Key, value: string | null = null) => ({
  id: key.id,
  label: key.label,
  value,
  mask_value: key.maskValue,
  created_at: formatInstant(key.createdAt),
  last_used_at: formatOptional(key.lastUsedAt),
  last_rolled_at: formatOptional(key.lastRolledAt),
  expires_at: formatOptional(key.expiresAt),
  user_id: key.userId,
  scopes: key.scopes,
  // Empty is how clients read "all"; null they do not read at all.
  scoped_teams: key.scopedTeams ?? [],
  scoped_organizations: key.scopedOrganizations ?? [],
})

export type KeyView = ReturnType<typeof viewKey>

const within = <T>(inner: T[] | null, outer: T[] | null): boolean =>
  outer === null || (inner?.every((item) => outer.includes(item)) ?? false)

type Reach = Pick<Key, 'scopedTeams' | 'scopedOrganizations' | 'expiresAt'>

/** Whether every project the key is confined to belongs to one of these organisations. */
async function teamsWithin(projects: ProjectReader, teams: number[] | null, organizations: string[]): Promise<boolean> {
  if (teams === null) return false
  const found = await Promise.all(teams.map((id) => projects.find(id)))
  return found.every((project) => project !== null && organizations.includes(project.organizationId))
}

/** A key that a caller makes, changes or rolls reaches no further than the caller's own: else 403. */
async function checkReach(projects: ProjectReader, { key }: Caller, reach: Reach): Promise<void> {
  if (!within(reach.scopedTeams, key.scopedTeams)) throw denied('That key reaches more projects than this one.')
  const organizations = key.scopedOrganizations
  if (organizations && !within(reach.scopedOrganizations, organizations)) {
    if (reach.scopedOrganizations || !(await teamsWithin(projects, reach.scopedTeams, organizations))) {
      throw denied('That key reaches more organizations than this one.')
    }
  }
  if (key.expiresAt !== null && (reach.expiresAt === null || reach.expiresAt > key.expiresAt)) {
    throw denied('That key lives longer than this one.')
  }
}

/** One entry per organisation the user belongs to, without any part of the secret. */
async function noteKey(tx: SqlWriters, caller: Caller, key: Key, activity: string, now: number): Promise<void> {
  for (const organizationId of caller.organizationIds) {
    const entry = {
      projectId: null,
      organizationId,
      caller,
      scope: 'PersonalAPIKey',
      itemId: key.id,
      activity,
      name: key.label,
      changes: null,
    }
    await tx.activity.add(activityEntry(entry, now))
  }
}

function administrative(caller: Caller): void {
  if (!caller.key.scopes.includes('*')) throw denied("API key missing required scope '*'")
}

/** `@current`, the caller's own key, or with `*` another key of the same user. */
async function ownKey(keys: KeyReader, caller: Caller, id: string): Promise<Key> {
  if (id === '@current' || id === caller.key.id) return caller.key
  administrative(caller)
  const key = await keys.find(id)
  if (!key || key.userId !== caller.user.id) throw notFound()
  return key
}

export function createKeys({ stores, clock, changed }: KeysParts) {
  const own = (caller: Caller, id: string) => ownKey(stores.keys, caller, id)
  /** As own, for changes: whoever is handed its secret or its scopes must not gain by it. */
  const ownToChange = async (caller: Caller, id: string): Promise<Key> => {
    const key = await own(caller, id)
    await checkReach(stores.projects, caller, key)
    return key
  }
  return {
    async list(caller: Caller): Promise<KeyView[]> {
      administrative(caller)
      return (await stores.keys.listOfUser(caller.user.id)).map((key) => viewKey(key))
    },
    async retrieve(caller: Caller, id: string): Promise<KeyView> {
      const key = await own(caller, id)
      return viewKey((await stores.keys.find(key.id)) ?? key)
    },
    async create(caller: Caller, input: NewKeyInput): Promise<KeyView> {
      const now = clock.now()
      administrative(caller)
      await checkNewKey({ projects: stores.projects, organizationIds: caller.organizationIds, now }, input)
      await checkReach(stores.projects, caller, input)
      const secret = newKeySecret()
      const key: Key = {
        ...input,
        id: newKeyId(),
        userId: caller.user.id,
        maskValue: maskKey(secret),
        createdAt: now,
        lastUsedAt: null,
        lastRolledAt: null,
      }
      await stores.transaction(async (tx) => {
        await tx.keys.create(key, hashKey(secret))
        await noteKey(tx, caller, key, 'created', now)
      })
      return viewKey(key, secret)
    },
    async update(caller: Caller, id: string, patch: { label?: string; scopes?: string[] }): Promise<KeyView> {
      administrative(caller)
      if (patch.scopes) checkScopes(patch.scopes)
      const key = await ownToChange(caller, id)
      const next = { ...key, ...patch }
      await stores.transaction(async (tx) => {
        await tx.keys.update(key.id, patch)
        await noteKey(tx, caller, next, 'updated', clock.now())
      })
      changed()
      return viewKey(next)
    },
    /** A new secret for the same key; the old one is dead at once. */
    async roll(caller: Caller, id: string): Promise<KeyView> {
      const key = await ownToChange(caller, id)
      const secret = newKeySecret()
      const now = clock.now()
      await stores.transaction(async (tx) => {
        await tx.keys.replaceHash(key.id, hashKey(secret), maskKey(secret), now)
        await noteKey(tx, caller, key, 'rolled', now)
      })
      changed()
      return viewKey({ ...key, maskValue: maskKey(secret), lastRolledAt: now }, secret)
    },
    async remove(caller: Caller, id: string): Promise<void> {
      administrative(caller)
      const key = await own(caller, id)
      await stores.transaction(async (tx) => {
        await tx.keys.remove(key.id)
        await noteKey(tx, caller, key, 'deleted', clock.now())
      })
      changed()
    },
  }
}

export type Keys = ReturnType<typeof createKeys>
