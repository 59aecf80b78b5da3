/** `hedgerow users create|list|remove|join|leave|level|link`. */
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Type } from 'typebox'
import type { Config } from '../../config.ts'
import { NewProjectBody } from '../../features/projects/projects.schema.ts'
import { MePatch } from '../../features/users/users.routes.ts'
import { levelName } from '../../http/access/levels.ts'
import { OperatorError } from '../../lib/errors.ts'
import { randomBase62 } from '../../lib/ids.ts'
import { hostUrl } from '../../lib/net/host-url.ts'
import { escapeControlCharacters, hasControlCharacters } from '../../lib/text/control-characters.ts'
import { formatInstant } from '../../lib/time/time.ts'
import type { Membership, User } from '../../model/accounts/user.ts'
import type { SqlWriters } from '../../model/stores.ts'
import { makeAccountLink } from '../../rules/accounts/new-link.ts'
import { asOptions, inShape, onlyArgument } from '../arguments.ts'
import { all, JSON_OPTION, type ListShape, printList } from '../print-list.ts'
import { readServerFile } from '../server-file.ts'
import { requireFirstStart, withSql } from '../with-sql.ts'
import { keepSomeUser } from './last-access.ts'
import { keepSomeOwner, levelOnJoining, readLevel } from './member-level.ts'
import { join, leave, level } from './memberships.ts'

interface OrganizationChoice {
  organization?: string | undefined
  'new-organization'?: string | undefined
}

/** The same rules for the names of organisations as for those of projects. */
const NewOrganization = Type.Pick(NewProjectBody, ['name'])

async function organizationFor(
  tx: SqlWriters,
  first: string,
  choice: OrganizationChoice,
  now: number,
): Promise<string> {
  const given = choice['new-organization']
  if (given !== undefined) {
    const { name } = await asOptions({ name: '--new-organization' }, () => inShape(NewOrganization, { name: given }))
    const id = randomUUID()
    await tx.users.createOrganization({ id, name, createdAt: now })
    return id
  }
  const id = choice.organization ?? first
  if (!(await tx.users.findOrganization(id))) throw new OperatorError(`There is no organization ${id}.`)
  return id
}

async function readNames(first_name = '', last_name = ''): Promise<{ firstName: string; lastName: string }> {
  const options = { first_name: '--first-name', last_name: '--last-name' }
  const names = await asOptions(options, () => inShape(MePatch, { first_name, last_name }))
  return { firstName: names.first_name, lastName: names.last_name }
}

async function create(args: string[], config: Config): Promise<void> {
  const text = { type: 'string' } as const
  const options = {
    email: text,
    'first-name': text,
    'last-name': text,
    organization: text,
    'new-organization': text,
    level: text,
  }
  const { values } = parseArgs({ args, options })
  const { email } = values
  if (!email || !/^[^\s@]+@[^\s@]+$/.test(email) || hasControlCharacters(email))
    throw new OperatorError('users create needs --email ADDRESS.')
  if (values.organization !== undefined && values['new-organization'] !== undefined) {
    throw new OperatorError('users create takes --organization or --new-organization, not both.')
  }
  const given = values.level === undefined ? null : readLevel(values.level)
  const names = await readNames(values['first-name'], values['last-name'])
  await withSql(config, async (stores, now) => {
    const first = await requireFirstStart(stores)
    if (await stores.users.findByEmail(email)) throw new OperatorError(`There is a user ${email} already.`)
    const { id, organizationId } = await stores.transaction(async (tx) => {
      const organizationId = await organizationFor(tx, first, values, now)
      const current = await tx.projects.first([organizationId])
      const user = await tx.users.create({
        uuid: randomUUID(),
        distinctId: randomBase62(128),
        email,
        ...names,
        currentProjectId: current?.id ?? null,
        createdAt: now,
      })
      await tx.users.addMember(organizationId, user.id, given ?? (await levelOnJoining(tx, organizationId)))
      await keepSomeOwner(tx, organizationId)
      return { id: user.id, organizationId }
    })
    process.stdout.write(`Made user ${id} (${email}) in organization ${organizationId}.\n`)
  })
}

type Member = User & { memberships: Membership[] }

const SHAPE: ListShape<Member> = {
  columns: {
    ID: (user) => String(user.id),
    EMAIL: (user) => user.email,
    NAME: (user) => `${user.firstName} ${user.lastName}`.trim(),
    ORGANIZATIONS: ({ memberships }) =>
      memberships.map(({ organizationId, level }) => `${organizationId} (${levelName(level)})`).join(', '),
    CREATED: (user) => formatInstant(user.createdAt),
  },
  fields: ({ id, email, firstName, lastName, memberships, createdAt }) => ({
    id,
    email,
    first_name: firstName,
    last_name: lastName,
    organizations: memberships.map(({ organizationId }) => organizationId),
    levels: memberships.map(({ level }) => levelName(level)),
    created_at: formatInstant(createdAt),
  }),
}

async function list(args: string[], config: Config): Promise<void> {
  const { values } = parseArgs({ args, options: JSON_OPTION })
  await withSql(config, async (stores) => {
    const members: Member[] = []
    for (const user of await stores.users.list()) {
      members.push({ ...user, memberships: await stores.users.memberships(user.id) })
    }
    printList(all(members), SHAPE, values.json)
  })
}

async function remove(args: string[], config: Config): Promise<void> {
  const options = { force: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const email = onlyArgument(positionals, 'users remove needs the e-mail address of a user.')
  await withSql(config, async (stores, now) => {
    const user = await stores.users.findByEmail(email)
    if (!user) throw new OperatorError(`There is no user ${email}.`)
    await stores.transaction(async (tx) => {
      if (!values.force) await keepSomeUser(tx, user, now)
      await tx.keys.removeOfUser(user.id)
      await tx.signIns.removeOthers(user.id, null)
      await tx.accountLinks.removeUnused(user.id)
      const organizationIds = (await tx.users.memberships(user.id)).map(({ organizationId }) => organizationId)
      await tx.users.removeMemberships(user.id)
      await tx.users.update(user.id, { isActive: false })
      if (!values.force) for (const id of organizationIds) await keepSomeOwner(tx, id)
    })
    process.stdout.write(`Removed ${escapeControlCharacters(email)}; its keys stop working within a second.\n`)
  })
}

/** Whoever opens it sets the user's password; works for a day, once. */
async function link(args: string[], config: Config): Promise<void> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true })
  const email = onlyArgument(positionals, 'users link needs the e-mail address of a user.')
  await withSql(config, async (stores, now) => {
    const user = await stores.users.findByEmail(email)
    if (!user) throw new OperatorError(`There is no user ${email}.`)
    const path = await stores.transaction((tx) => makeAccountLink(tx, user, now))
    const url = config.publicUrl ?? readServerFile(config.dataDir)?.url ?? hostUrl('localhost', config.port)
    process.stdout.write(`${url}${path}\n`)
  })
}

const ACTIONS = { create, list, remove, join, leave, level, link }

export async function users([action, ...args]: string[], config: Config): Promise<void> {
  if (action === undefined || !Object.hasOwn(ACTIONS, action)) {
    throw new OperatorError(
      'Say "users create", "users list", "users remove", "users join", "users leave", "users level" or "users link".',
    )
  }
  await ACTIONS[action as keyof typeof ACTIONS](args, config)
}
