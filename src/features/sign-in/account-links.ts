/**
 * One-time links, by which a user gets a first password or another one. Whoever has the link is the user: it is used once,
 * all other sign-ins of the user end, and the browser is signed in.
 */
import { AppError } from '../../lib/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { AccountLink } from '../../model/accounts/sign-in.ts'
import type { User } from '../../model/accounts/user.ts'
import type { Stores } from '../../model/stores.ts'
import { hashPassword } from '../../rules/accounts/password-hash.ts'
import { hashLink } from '../../rules/accounts/sign-in-secret.ts'
import { checkNewPassword } from './new-password.ts'
import type { Admission, SignIns, Visitor } from './sign-ins.ts'

export interface AccountLinksParts {
  stores: Pick<Stores, 'accountLinks' | 'users' | 'transaction'>
  clock: Clock
  changed: () => void
  /** Called when a link was used. */
  linkUsed: () => void
}

const HELP = 'Ask who runs this server for a new one: "hedgerow users link EMAIL" makes it.'

const refused = (code: string, detail: string): AppError => new AppError('invalid', code, `${detail} ${HELP}`)
const used = (): AppError => refused('link_used', 'This link was used before.')

interface Holder {
  link: AccountLink
  user: User
}

export function createAccountLinks(
  { stores, clock, changed, linkUsed }: AccountLinksParts,
  signIns: Pick<SignIns, 'make'>,
) {
  const holderOf = async (token: string): Promise<Holder> => {
    const link = await stores.accountLinks.find(hashLink(token))
    const user = link && (await stores.users.find(link.userId))
    if (!link || !user?.isActive) throw refused('link_unknown', 'This link is not valid.')
    if (link.usedAt !== null) throw used()
    if (link.expiresAt <= clock.now()) throw refused('link_expired', 'This link has expired.')
    return { link, user }
  }
  return {
    /** What the link is for, without using it. */
    async read(token: string) {
      const { link, user } = await holderOf(token)
      const [oldest] = await stores.users.memberships(user.id)
      const organization = oldest ? await stores.users.findOrganization(oldest.organizationId) : null
      return { purpose: link.purpose, target_email: user.email, organization_name: organization?.name ?? null }
    },
    async use(token: string, given: { password: string; firstName?: string }, visitor: Visitor): Promise<Admission> {
      const { user } = await holderOf(token)
      checkNewPassword(given.password)
      const hash = await hashPassword(given.password, 'user')
      const now = clock.now()
      const admission = await stores.transaction(async (tx) => {
        if (!(await tx.accountLinks.use(hashLink(token), now))) throw used()
        await tx.accountLinks.removeUnused(user.id)
        await tx.users.setPassword(user.id, hash)
        if (given.firstName !== undefined) await tx.users.update(user.id, { firstName: given.firstName })
        await tx.signIns.removeOthers(user.id, null)
        return signIns.make(tx, { userId: user.id, via: 'link', keyId: null }, visitor, now)
      })
      changed()
      linkUsed()
      return admission
    },
  }
}
