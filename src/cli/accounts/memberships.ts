/**
 * `hedgerow users join|leave|level`: the organisations a user belongs to, and what it may do there. The current project
 * follows: it is always one that the user may access, if there is any.
 */
import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import { levelName } from '../../http/access/levels.ts'
import { OperatorError } from '../../lib/errors.ts'
import { escapeControlCharacters } from '../../lib/text/control-characters.ts'
import type { MemberLevel, User } from '../../model/accounts/user.ts'
import type { SqlWriters } from '../../model/stores.ts'
import { onlyArgument } from '../arguments.ts'
import { withSql } from '../with-sql.ts'
import { keepSomeOwner, levelOnJoining, readLevel } from './member-level.ts'

interface Named {
  email: string
  /** Null: the only one that the user belongs to. */
  organizationId: string | null
}

const TEXT = { type: 'string' } as const
const ORGANIZATION = { organization: TEXT }

const needsEmail = (action: string): string => `users ${action} needs the e-mail address of a user.`

function needOrganization(action: string, { organization }: { organization?: string | undefined }): string {
  if (organization === undefined) throw new OperatorError(`users ${action} needs --organization ID.`)
  return organization
}

async function moveCurrentProject(tx: SqlWriters, { id, currentProjectId }: User): Promise<void> {
  const organizationIds = (await tx.users.memberships(id)).map(({ organizationId }) => organizationId)
  const current = currentProjectId === null ? null : await tx.projects.find(currentProjectId)
  if (current && organizationIds.includes(current.organizationId)) return
  const next = await tx.projects.first(organizationIds)
  await tx.users.update(id, { currentProjectId: next?.id ?? null })
}

/** The only organisation that the user belongs to. */
async function onlyOrganization(tx: SqlWriters, { id, email }: User): Promise<string> {
  const [only, ...others] = await tx.users.memberships(id)
  if (only && others.length === 0) return only.organizationId
  throw new OperatorError(`${email} belongs to ${others.length + (only ? 1 : 0)} organizations: say --organization ID.`)
}

/** Runs the change on the named user and organisation, in one transaction. */
async function change<T>(
  config: Config,
  named: Named,
  work: (tx: SqlWriters, user: User, organizationId: string) => Promise<T>,
): Promise<T> {
  return withSql(config, (stores) =>
    stores.transaction(async (tx) => {
      const user = await tx.users.findByEmail(named.email)
      if (!user) throw new OperatorError(`There is no user ${named.email}.`)
      const organizationId = named.organizationId ?? (await onlyOrganization(tx, user))
      if (!(await tx.users.findOrganization(organizationId))) {
        throw new OperatorError(`There is no organization ${organizationId}.`)
      }
      const result = await work(tx, user, organizationId)
      await keepSomeOwner(tx, organizationId)
      await moveCurrentProject(tx, user)
      return result
    }),
  )
}

const levelOf = async (tx: SqlWriters, { id }: User, organizationId: string): Promise<MemberLevel | null> =>
  (await tx.users.members(organizationId)).find(({ userId }) => userId === id)?.level ?? null

const notMember = (email: string, organizationId: string): OperatorError =>
  new OperatorError(`${email} is not a member of organization ${organizationId}.`)

const sayLevel = (email: string, level: MemberLevel, organizationId: string): void => {
  process.stdout.write(`${escapeControlCharacters(email)} is ${levelName(level)} in organization ${organizationId}.\n`)
}

/** Who is a member already keeps its level, unless one is given. */
export async function join(args: string[], config: Config): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { ...ORGANIZATION, level: TEXT }, allowPositionals: true })
  const email = onlyArgument(positionals, needsEmail('join'))
  const organizationId = needOrganization('join', values)
  const given = values.level === undefined ? null : readLevel(values.level)
  const reached = await change(config, { email, organizationId }, async (tx, user) => {
    const next = given ?? (await levelOf(tx, user, organizationId)) ?? (await levelOnJoining(tx, organizationId))
    await tx.users.addMember(organizationId, user.id, next)
    return next
  })
  sayLevel(email, reached, organizationId)
}

export async function leave(args: string[], config: Config): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: ORGANIZATION, allowPositionals: true })
  const email = onlyArgument(positionals, needsEmail('leave'))
  const organizationId = needOrganization('leave', values)
  await change(config, { email, organizationId }, async (tx, user) => {
    if (!(await tx.users.removeMember(organizationId, user.id))) throw notMember(email, organizationId)
  })
  process.stdout.write(`${escapeControlCharacters(email)} is no longer a member of organization ${organizationId}.\n`)
}

export async function level(args: string[], config: Config): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: ORGANIZATION, allowPositionals: true })
  const [email, name, ...others] = positionals
  if (email === undefined || name === undefined || others.length > 0) {
    throw new OperatorError('users level needs the e-mail address of a user and a level.')
  }
  const next = readLevel(name)
  const named = { email, organizationId: values.organization ?? null }
  const organizationId = await change(config, named, async (tx, user, organizationId) => {
    if ((await levelOf(tx, user, organizationId)) === null) throw notMember(email, organizationId)
    await tx.users.addMember(organizationId, user.id, next)
    return organizationId
  })
  sayLevel(email, next, organizationId)
}
