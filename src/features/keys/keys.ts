/**
 * Managing keys with a key: every key may read and roll itself; listing, creating, changing and deleting keys requires
 * `*`, which the routes check. Only the user's own keys are visible. A limited key cannot create, change or delete keys
 * with wider limits than its own, and does not see organisations outside its limits.
 */
import { checkScope } from '../../http/access/scope.ts'
import type { Remember } from '../../http/route.ts'
import { denied, notFound } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatInstant, formatOptional } from '../../lib/time/time.ts'
import type { ActivityChange } from '../../model/accounts/activity.ts'
import type { Caller } from '../../model/accounts/caller.ts'
import type { Key, KeyPatch, KeyReader } from '../../model/accounts/key.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { hashKey, maskKey, newKeyId, newKeySecret } from '../../rules/accounts/key-secret.ts'
import { activityEntry } from '../../rules/activity/activity-entry.ts'
import { fieldChanges } from '../../rules/activity/field-changes.ts'
import { checkKeyLimits, confinedReading } from './key-limits.ts'
import { checkNewKey, checkScopes, type NewKeyInput } from './new-key.ts'

export interface KeysParts {
  stores: Pick<Stores, 'keys' | 'projects' | 'transaction'>
  clock: Clock
  /** Cached callers may be out of date. */
  changed: () => void
}

const viewKey = (key: Key, value: string | null = null) => ({
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
  // Clients read an empty list as "all", and cannot read null.
  scoped_teams: key.scopedTeams ?? [],
  scoped_organizations: key.scopedOrganizations ?? [],
})

/** The fields of a key that can change, as the log shows them. */
const loggedFields = ({ label, scopes }: Key) => ({ label, scopes })

export type KeyView = ReturnType<typeof viewKey>

interface Note {
  activity: 'created' | 'updated' | 'rolled' | 'deleted'
  changes: ActivityChange[] | null
}

/** One entry per organisation the user belongs to, without any part of the secret. */
async function noteKey(tx: SqlWriters, caller: Caller, key: Key, note: Note, now: number): Promise<void> {
  for (const { organizationId } of caller.memberships) {
    const entry = {
      projectId: null,
      organizationId,
      caller,
      scope: 'PersonalAPIKey',
      itemId: key.id,
      name: key.label,
      ...note,
    }
    await tx.activity.add(activityEntry(entry, now))
  }
}

/** `@current`, the caller's own key, or with `*` another key of the same user. */
async function ownKey(keys: KeyReader, caller: Caller, id: string): Promise<Key> {
  const { keyId } = caller.credential
  const isItself = id === '@current' || id === keyId
  if (!isItself) checkScope(caller, '*')
  const key = await keys.find(isItself ? (keyId ?? '') : id)
  if (!key || key.userId !== caller.user.id) throw notFound()
  return key
}

/** As ownKey, for changes: a caller cannot gain access by them, nor remove a key with wider limits. */
async function keyToChange({ keys, projects }: SqlWriters, caller: Caller, id: string): Promise<Key> {
  const key = await ownKey(keys, caller, id)
  await checkKeyLimits(projects, caller, key)
  return key
}

export function createKeys({ stores, clock, changed }: KeysParts) {
  const own = (caller: Caller, id: string) => ownKey(stores.keys, caller, id)
  return {
    async list(caller: Caller): Promise<KeyView[]> {
      const mayRead = await confinedReading(stores.projects, caller)
      return (await stores.keys.listOfUser(caller.user.id)).filter(mayRead).map((key) => viewKey(key))
    },
    async retrieve(caller: Caller, id: string): Promise<KeyView> {
      const key = await own(caller, id)
      const mayRead = await confinedReading(stores.projects, caller)
      if (!mayRead(key)) throw denied('That key reaches more organizations than this one.')
      return viewKey(key)
    },
    async create(caller: Caller, input: NewKeyInput, remember: Remember): Promise<KeyView> {
      const now = clock.now()
      await checkNewKey({ projects: stores.projects, memberships: caller.memberships, now }, input)
      await checkKeyLimits(stores.projects, caller, input)
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
      const view = viewKey(key, secret)
      await stores.transaction(async (tx) => {
        await tx.keys.create(key, hashKey(secret))
        await noteKey(tx, caller, key, { activity: 'created', changes: null }, now)
        await remember(tx, view)
      })
      return view
    },
    async update(caller: Caller, id: string, patch: KeyPatch): Promise<KeyView> {
      if (patch.scopes) checkScopes(patch.scopes)
      const after = await stores.transaction(async (tx) => {
        const before = await keyToChange(tx, caller, id)
        const next = { ...before, ...patch }
        await checkKeyLimits(tx.projects, caller, next)
        const changes = fieldChanges('PersonalAPIKey', loggedFields(before), loggedFields(next))
        if (changes.length === 0) return before
        await tx.keys.update(before.id, patch)
        await noteKey(tx, caller, next, { activity: 'updated', changes }, clock.now())
        return next
      })
      changed()
      return viewKey(after)
    },
    /** A new secret for the same key; the old one stops working at once. */
    async roll(caller: Caller, id: string): Promise<KeyView> {
      const secret = newKeySecret()
      const now = clock.now()
      const rolled = await stores.transaction(async (tx) => {
        const key = await keyToChange(tx, caller, id)
        await tx.keys.replaceHash(key.id, hashKey(secret), maskKey(secret), now)
        await tx.signIns.removeOfKey(key.id)
        await noteKey(tx, caller, key, { activity: 'rolled', changes: null }, now)
        return { ...key, maskValue: maskKey(secret), lastRolledAt: now }
      })
      changed()
      return viewKey(rolled, secret)
    },
    async remove(caller: Caller, id: string): Promise<void> {
      await stores.transaction(async (tx) => {
        const key = await keyToChange(tx, caller, id)
        await tx.keys.remove(key.id)
        await tx.signIns.removeOfKey(key.id)
        await noteKey(tx, caller, key, { activity: 'deleted', changes: null }, clock.now())
      })
      changed()
    },
  }
}

export type Keys = ReturnType<typeof createKeys>
