/**
 * `hedgerow users join|leave`: the organisations a user belongs to. The current project follows: it is always one that
 * the user may access, if there is any.
 */
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { OperatorError } from '../lib/errors.ts'
import { escapeControlCharacters } from '../lib/text/control-characters.ts'
import type { User } from '../model/accounts/user.ts'
import type { SqlWriters } from '../model/stores.ts'
import { onlyArgument } from './arguments.ts'
import { withSql } from './with-sql.ts'

interface Membership {
  email: string
  organizationId: string
}

function read(action: string, args: string[]): Membership {
  const options = { organization: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const email = onlyArgument(positionals, `users ${action} needs the e-mail address of a user.`)
  if (values.organization === undefined) throw new OperatorError(`users ${action} needs --organization ID.`)
  return { email, organizationId: values.organization }
}

async function moveCurrentProject(tx: SqlWriters, { id, currentProjectId }: User): Promise<void> {
  const organizationIds = await tx.users.organizationIds(id)
  const current = currentProjectId === null ? null : await tx.projects.find(currentProjectId)
  if (current && organizationIds.includes(current.organizationId)) return
  const next = await tx.projects.first(organizationIds)
  await tx.users.update(id, { currentProjectId: next?.id ?? null })
}

/** Runs the change on the named user and organisation, in one transaction. */
async function change(
  config: Config,
  { email, organizationId }: Membership,
  work: (tx: SqlWriters, user: User) => Promise<void>,
): Promise<void> {
  await withSql(config, (stores) =>
    stores.transaction(async (tx) => {
      const user = await tx.users.findByEmail(email)
      if (!user) throw new OperatorError(`There is no user ${email}.`)
      if (!(await tx.users.findOrganization(organizationId))) {
        throw new OperatorError(`There is no organization ${organizationId}.`)
      }
      await work(tx, user)
      await moveCurrentProject(tx, user)
    }),
  )
}

export async function join(args: string[], config: Config): Promise<void> {
  const named = read('join', args)
  await change(config, named, (tx, user) => tx.users.addMember(named.organizationId, user.id))
  process.stdout.write(`${escapeControlCharacters(named.email)} is a member of organization ${named.organizationId}.\n`)
}

export async function leave(args: string[], config: Config): Promise<void> {
  const named = read('leave', args)
  const { email, organizationId } = named
  await change(config, named, async (tx, user) => {
    if (await tx.users.removeMember(organizationId, user.id)) return
    throw new OperatorError(`${email} is not a member of organization ${organizationId}.`)
  })
  process.stdout.write(`${escapeControlCharacters(email)} is no longer a member of organization ${organizationId}.\n`)
}
