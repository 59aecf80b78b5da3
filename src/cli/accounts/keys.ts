/** `hedgerow keys create|list|revoke`. */
import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import { NewKeyBody } from '../../features/keys/keys.schema.ts'
import { checkNewKey } from '../../features/keys/new-key.ts'
import { OperatorError } from '../../lib/errors.ts'
import { escapeControlCharacters } from '../../lib/text/control-characters.ts'
import { formatInstant, formatOptional, parseInstant } from '../../lib/time/time.ts'
import type { Key } from '../../model/accounts/key.ts'
import type { User } from '../../model/accounts/user.ts'
import type { SqlStores, SqlWriters } from '../../model/stores.ts'
import { hashKey, maskKey, newKeyId, newKeySecret } from '../../rules/accounts/key-secret.ts'
import { activityEntry } from '../../rules/activity/activity-entry.ts'
import { asOptions, inShape, onlyArgument } from '../arguments.ts'
import { all, JSON_OPTION, type ListShape, printList } from '../print-list.ts'
import { requireFirstStart, withSql } from '../with-sql.ts'
import { keepSomeKey } from './last-access.ts'

const words = (text: string): string[] => text.split(',').map((word) => word.trim())

async function userOf(stores: SqlStores, email: string | undefined): Promise<User> {
  const user = email === undefined ? (await stores.users.list())[0] : await stores.users.findByEmail(email)
  if (!user) throw new OperatorError('There is no such user. "hedgerow users list" shows them.')
  return user
}

async function readProjects(stores: SqlStores, text: string | undefined): Promise<number[] | null> {
  if (text === undefined) return null
  for (const word of words(text)) {
    const project = /^\d+$/.test(word) ? await stores.projects.find(Number(word)) : null
    if (!project) throw new OperatorError(`There is no project ${word}. "hedgerow projects list" shows them.`)
  }
  return words(text).map(Number)
}

async function note(tx: SqlWriters, key: Key, activity: string, now: number): Promise<void> {
  for (const { organizationId } of await tx.users.memberships(key.userId)) {
    const subject = { scope: 'PersonalAPIKey', itemId: key.id, name: key.label }
    const entry = { projectId: null, organizationId, caller: null, activity, changes: null, ...subject }
    await tx.activity.add(activityEntry(entry, now))
  }
}

const OPTIONS = { label: '--label', scopes: '--scopes', scoped_teams: '--projects', expires_at: '--expires' }

interface CreateOptions {
  scopes: string
  projects?: string | undefined
  expires?: string | undefined
}

/** As the API reads the body of a new key, and by its rules. */
async function readKey(parts: { stores: SqlStores; user: User; now: number }, label: string, options: CreateOptions) {
  const { stores, user, now } = parts
  const scopedTeams = await readProjects(stores, options.projects)
  const expires_at = options.expires ?? null
  return asOptions(OPTIONS, async () => {
    const given = inShape(NewKeyBody, { label, scopes: words(options.scopes), expires_at })
    const expiresAt = given.expires_at === null ? null : parseInstant(given.expires_at, 'expires_at')
    const input = { label: given.label, scopes: given.scopes, scopedTeams, scopedOrganizations: null, expiresAt }
    const memberships = await stores.users.memberships(user.id)
    await checkNewKey({ projects: stores.projects, memberships, now }, input)
    return input
  })
}

async function create(args: string[], config: Config): Promise<void> {
  const text = { type: 'string' } as const
  const options = { label: text, user: text, scopes: { ...text, default: '*' }, projects: text, expires: text }
  const { values } = parseArgs({ args, options })
  const { label } = values
  if (label === undefined) throw new OperatorError('keys create needs --label TEXT.')
  await withSql(config, async (stores, now) => {
    await requireFirstStart(stores)
    const user = await userOf(stores, values.user)
    const secret = newKeySecret()
    const key: Key = {
      ...(await readKey({ stores, user, now }, label, values)),
      id: newKeyId(),
      userId: user.id,
      maskValue: maskKey(secret),
      createdAt: now,
      lastUsedAt: null,
      lastRolledAt: null,
    }
    await stores.transaction(async (tx) => {
      await tx.keys.create(key, hashKey(secret))
      await note(tx, key, 'created', now)
    })
    process.stdout.write(`${secret}\n`)
  })
}

const SHAPE: ListShape<Key & { user: string | null }> = {
  columns: {
    ID: (key) => key.id,
    KEY: (key) => key.maskValue,
    USER: (key) => key.user ?? '',
    SCOPES: (key) => key.scopes.join(','),
    PROJECTS: (key) => key.scopedTeams?.join(',') ?? 'all',
    CREATED: (key) => formatInstant(key.createdAt),
    EXPIRES: (key) => formatOptional(key.expiresAt) ?? 'never',
    LABEL: (key) => key.label,
  },
  fields: (key) => ({
    id: key.id,
    mask_value: key.maskValue,
    user: key.user,
    scopes: key.scopes,
    scoped_teams: key.scopedTeams ?? [],
    scoped_organizations: key.scopedOrganizations ?? [],
    created_at: formatInstant(key.createdAt),
    last_used_at: formatOptional(key.lastUsedAt),
    expires_at: formatOptional(key.expiresAt),
    label: key.label,
  }),
}

async function list(args: string[], config: Config): Promise<void> {
  const { values } = parseArgs({ args, options: JSON_OPTION })
  await withSql(config, async (stores) => {
    const users = new Map((await stores.users.list()).map((user) => [user.id, user.email]))
    const keys = (await stores.keys.listAll()).map((key) => ({ ...key, user: users.get(key.userId) ?? null }))
    printList(all(keys), SHAPE, values.json)
  })
}

async function revoke(args: string[], config: Config): Promise<void> {
  const options = { force: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const id = onlyArgument(positionals, 'keys revoke needs the id of a key.')
  await withSql(config, async (stores, now) => {
    const key = await stores.keys.find(id)
    if (!key) throw new OperatorError('There is no such key. "hedgerow keys list" shows them.')
    await stores.transaction(async (tx) => {
      if (!values.force) await keepSomeKey(tx, [key], now)
      await tx.keys.remove(id)
      await tx.signIns.removeOfKey(id)
      await note(tx, key, 'deleted', now)
    })
    process.stdout.write(`Revoked ${key.maskValue} (${escapeControlCharacters(key.label)}).\n`)
  })
}

const ACTIONS = { create, list, revoke }

export async function keys([action, ...args]: string[], config: Config): Promise<void> {
  if (action === undefined || !Object.hasOwn(ACTIONS, action)) {
    throw new OperatorError('Say "keys create", "keys list" or "keys revoke".')
  }
  await ACTIONS[action as keyof typeof ACTIONS](args, config)
}
