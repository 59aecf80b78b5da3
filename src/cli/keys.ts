/** `hedgerow keys create|list|revoke`. */
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { isKnownScope } from '../http/scope.ts'
import { OperatorError } from '../lib/errors.ts'
import { formatInstant, formatOptional, readInstant } from '../lib/time.ts'
import type { Key } from '../model/key.ts'
import type { SqlStores, SqlWriters } from '../model/stores.ts'
import type { User } from '../model/user.ts'
import { activityEntry } from '../rules/activity-entry.ts'
import { hashKey, maskKey, newKeyId, newKeySecret } from '../rules/key-secret.ts'
import { onlyArgument } from './arguments.ts'
import { printTable, requireFirstStart, withSql } from './with-sql.ts'

const words = (text: string): string[] => text.split(',').map((word) => word.trim())

async function userOf(stores: SqlStores, email: string | undefined): Promise<User> {
  const user = email === undefined ? (await stores.users.list())[0] : await stores.users.findByEmail(email)
  if (!user) throw new OperatorError('There is no such user. "hedgerow users list" shows them.')
  return user
}

function readScopes(text: string): string[] {
  const scopes = words(text)
  const unknown = scopes.find((scope) => !isKnownScope(scope))
  if (unknown !== undefined) throw new OperatorError(`"${unknown}" is not a scope. Say e.g. person:read, or *.`)
  return scopes
}

async function readProjects(stores: SqlStores, text: string | undefined): Promise<number[] | null> {
  if (text === undefined) return null
  for (const word of words(text)) {
    const project = /^\d+$/.test(word) ? await stores.projects.find(Number(word)) : null
    if (!project) throw new OperatorError(`There is no project ${word}. "hedgerow projects list" shows them.`)
  }
  return words(text).map(Number)
}

function readExpiry(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const instant = readInstant(text)
  if (instant === null || instant <= now) throw new OperatorError('--expires must be a date in the future.')
  return instant
}

async function note(tx: SqlWriters, key: Key, activity: string, now: number): Promise<void> {
  for (const organizationId of await tx.users.organizationIds(key.userId)) {
    const subject = { scope: 'PersonalAPIKey', itemId: key.id, name: key.label }
    const entry = { projectId: null, organizationId, caller: null, activity, changes: null, ...subject }
    await tx.activity.add(activityEntry(entry, now))
  }
}

async function create(args: string[], config: Config): Promise<void> {
  const text = { type: 'string' } as const
  const options = { label: text, user: text, scopes: { ...text, default: '*' }, projects: text, expires: text }
  const { values } = parseArgs({ args, options })
  if (!values.label) throw new OperatorError('keys create needs --label TEXT.')
  const { label } = values
  await withSql(config, async (stores, now) => {
    await requireFirstStart(stores)
    const secret = newKeySecret()
    const key: Key = {
      id: newKeyId(),
      userId: (await userOf(stores, values.user)).id,
      label: label.slice(0, 40),
      maskValue: maskKey(secret),
      scopes: readScopes(values.scopes),
      scopedTeams: await readProjects(stores, values.projects),
      scopedOrganizations: null,
      createdAt: now,
      lastUsedAt: null,
      lastRolledAt: null,
      expiresAt: readExpiry(values.expires, now),
    }
    await stores.transaction(async (tx) => {
      await tx.keys.create(key, hashKey(secret))
      await note(tx, key, 'created', now)
    })
    process.stdout.write(`${secret}\n`)
  })
}

async function list(args: string[], config: Config): Promise<void> {
  parseArgs({ args, options: {} })
  await withSql(config, async (stores) => {
    const users = new Map((await stores.users.list()).map((user) => [user.id, user.email]))
    const rows = (await stores.keys.listAll()).map((key) => [
      key.id,
      key.maskValue,
      users.get(key.userId) ?? '',
      key.scopes.join(','),
      key.scopedTeams?.join(',') ?? 'all',
      formatInstant(key.createdAt),
      formatOptional(key.expiresAt) ?? 'never',
      key.label,
    ])
    printTable([['ID', 'KEY', 'USER', 'SCOPES', 'PROJECTS', 'CREATED', 'EXPIRES', 'LABEL'], ...rows])
  })
}

async function revoke(args: string[], config: Config): Promise<void> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
  const id = onlyArgument(positionals, 'keys revoke needs the id of a key.')
  await withSql(config, async (stores, now) => {
    const key = await stores.keys.find(id)
    if (!key) throw new OperatorError('There is no such key. "hedgerow keys list" shows them.')
    await stores.transaction(async (tx) => {
      await tx.keys.remove(id)
      await note(tx, key, 'deleted', now)
    })
    process.stdout.write(`Revoked ${key.maskValue} (${key.label}).\n`)
  })
}

const ACTIONS = { create, list, revoke }

export async function keys([action, ...args]: string[], config: Config): Promise<void> {
  if (action === undefined || !Object.hasOwn(ACTIONS, action)) {
    throw new OperatorError('Say "keys create", "keys list" or "keys revoke".')
  }
  await ACTIONS[action as keyof typeof ACTIONS](args, config)
}
