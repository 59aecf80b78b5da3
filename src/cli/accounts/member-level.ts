/** Levels on the command line: read by name, and an organisation keeps at least one owner. */
import { LEVELS, type LevelName } from '../../http/access/levels.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { MemberLevel } from '../../model/accounts/user.ts'
import type { SqlReaders } from '../../model/stores.ts'

type Accounts = Pick<SqlReaders, 'users'>

export function readLevel(name: string): MemberLevel {
  if (Object.hasOwn(LEVELS, name)) return LEVELS[name as LevelName]
  throw new OperatorError(`A level is one of ${Object.keys(LEVELS).join(', ')}.`)
}

async function hasOwner({ users }: Accounts, organizationId: string): Promise<boolean> {
  return (await users.members(organizationId)).some(({ level }) => level === LEVELS.owner)
}

/** The level of who joins without naming one: the first of an organisation is its owner. */
export const levelOnJoining = async (accounts: Accounts, organizationId: string): Promise<MemberLevel> =>
  (await hasOwner(accounts, organizationId)) ? LEVELS.member : LEVELS.owner

/** Called at the end of the transaction that changes memberships: throws, and so undoes it. */
export async function keepSomeOwner(accounts: Accounts, organizationId: string): Promise<void> {
  const members = await accounts.users.members(organizationId)
  if (members.length === 0 || (await hasOwner(accounts, organizationId))) return
  throw new OperatorError(
    `Organization ${organizationId} would be left without an owner. Make another one first: "hedgerow users level EMAIL owner".`,
  )
}
