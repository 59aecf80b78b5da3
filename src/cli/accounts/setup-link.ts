/**
 * While no user has a password, each start offers a link by which the first owner sets one: on a terminal it is printed,
 * otherwise it is in a file that only the folder's owner can read, until it is used.
 */
import { writeFileSync } from 'node:fs'
import type { SqlStores } from '../../model/stores.ts'
import { firstOwner, makeAccountLink } from '../../rules/accounts/new-link.ts'
import { setupLinkFile } from '../../stores/data-folder.ts'

export interface SetupParts {
  stores: Pick<SqlStores, 'users' | 'relaxed'>
  dataDir: string
  /** Where a browser finds the server. */
  url: string
  now: number
}

/** Where the link is; null when a user has a password, or there is no owner to set one. */
export type SetupPlace = { shown: string } | { file: string } | null

export async function offerSetup({ stores, dataDir, url, now }: SetupParts, mayShow: boolean): Promise<SetupPlace> {
  if (await stores.users.havePasswords()) return null
  // Lost with the machine, it is made anew at the next start.
  const path = await stores.relaxed(async (tx) => {
    const owner = await firstOwner(tx)
    return owner && makeAccountLink(tx, owner, now)
  })
  if (path === null) return null
  if (mayShow) return { shown: `${url}${path}` }
  const file = setupLinkFile(dataDir)
  writeFileSync(file, `${url}${path}\n`, { mode: 0o600 })
  return { file }
}
