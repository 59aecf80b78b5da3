/**
 * Makes a one-time link for a user, for the command line, the start of a server and mails alike. Its token stands behind `#`:
 * no server, proxy or Referer header sees it. All links of a user work until one of them was used.
 */
import { DAY } from '../../lib/time/time.ts'
import type { User } from '../../model/accounts/user.ts'
import type { SqlWriters } from '../../model/stores.ts'
import { hashLink, newSecret } from './sign-in-secret.ts'

const LINK_LIFE_MS = DAY

/** Returns the path of the page with the token. */
export async function makeAccountLink(tx: SqlWriters, user: User, now: number): Promise<string> {
  const token = newSecret()
  const purpose = (await tx.users.passwordHash(user.id)) === null ? 'setup' : 'reset'
  const link = { userId: user.id, purpose, createdAt: now, expiresAt: now + LINK_LIFE_MS, usedAt: null } as const
  await tx.accountLinks.create(link, hashLink(token))
  return `/${purpose}#${token}`
}

/** Who sets the server up: the oldest owner of the first organisation. Null when there is none. */
export async function firstOwner(tx: SqlWriters): Promise<User | null> {
  const [first] = await tx.users.listOrganizations()
  const owner = first && (await tx.users.members(first.id)).find(({ level }) => level === 15)
  return owner ? tx.users.find(owner.userId) : null
}
