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

const isOwner = ({ level }: { level: MemberLevel }): boolean => level === LEVELS.owner

/** The level of who joins without naming one: the first of an organisation is its owner. */
export const levelOnJoining = async ({ users }: Accounts, organizationId: string): Promise<MemberLevel> =>
  (await users.members(organizationId)).some(isOwner) ? LEVELS.member : LEVELS.owner

/** Called at the end of the transaction that changes memberships: throws, and so undoes it. */
export async function keepSomeOwner({ users }: Accounts, organizationId: string): Promise<void> {
  const members = await users.members(organizationId)
  if (members.length === 0 || members.some(isOwner)) return
  throw new OperatorError(
    `Organization ${organizationId} would be left without an owner. Make another one first: "hedgerow users level EMAIL owner".`,
  )
}
