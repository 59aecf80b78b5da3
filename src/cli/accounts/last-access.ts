/** Refuses to remove the last user, or the last key that may do everything, unless the operator forces it. */
import { OperatorError } from '../../lib/errors.ts'
import type { Key } from '../../model/accounts/key.ts'
import type { User } from '../../model/accounts/user.ts'
import type { SqlReaders } from '../../model/stores.ts'

type Accounts = Pick<SqlReaders, 'keys' | 'users'>

const isConfined = ({ scopedTeams, scopedOrganizations }: Key): boolean =>
  scopedTeams !== null || scopedOrganizations !== null

/** Keys of users that exist and have not expired. */
export async function workingKeys({ keys, users }: Accounts, now: number): Promise<Key[]> {
  const owners = new Set((await users.list()).map(({ id }) => id))
  const isWorking = ({ userId, expiresAt }: Key) => owners.has(userId) && (expiresAt === null || expiresAt > now)
  return (await keys.listAll()).filter(isWorking)
}

/** A key that is limited to some projects does not replace one that is not. */
export async function keepSomeKey(accounts: Accounts, removed: Key[], now: number): Promise<void> {
  const ids = new Set(removed.map(({ id }) => id))
  const mighty = (await workingKeys(accounts, now)).filter(({ scopes }) => scopes.includes('*'))
  const lost = mighty.filter(({ id }) => ids.has(id))
  const left = mighty.filter(({ id }) => !ids.has(id))
  const isReplaced = left.some((key) => !isConfined(key)) || (left.length > 0 && lost.every(isConfined))
  if (lost.length === 0 || isReplaced) return
  throw new OperatorError(
    'That is the last key that may do everything (*). Make another with "hedgerow keys create --label TEXT" first, or add --force.',
  )
}

/** Its keys go with it. */
export async function keepSomeUser(accounts: Accounts, user: User, now: number): Promise<void> {
  if ((await accounts.users.list()).every(({ id }) => id === user.id)) {
    throw new OperatorError(
      'That is the last user. Make another with "hedgerow users create --email TEXT" first, or add --force.',
    )
  }
  await keepSomeKey(accounts, await accounts.keys.listOfUser(user.id), now)
}
