/** The last user, and the last key that may do everything, are removed only by force. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keys } from '../../src/cli/accounts/keys.ts'
import { users } from '../../src/cli/accounts/users.ts'
import { type CommandFolder, makeFolder } from '../support/command.ts'

let folder: CommandFolder
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => folder.end())

const LAST_KEY = /^That is the last key that may do everything \(\*\)\..*--force\.$/
const LAST_USER = /^That is the last user\..*--force\.$/

const ids = async () => new Map((await folder.stores.keys.listAll()).map(({ label, id }) => [label, id]))
const idOf = async (label: string) => (await ids()).get(label) ?? ''
const firstKey = async () => [...(await ids()).values()][0] ?? ''
const firstEmail = async () => (await folder.stores.users.list())[0]?.email ?? ''

it('the last key with * stays, whatever lesser keys there are, unless forced', async () => {
  const first = await firstKey()
  await folder.says(keys, 'create', '--label', 'reads', '--scopes', 'person:read')
  await folder.says(keys, 'create', '--label', 'confined', '--projects', '1')
  await folder.says(keys, 'create', '--label', 'brief', '--expires', new Date(Date.now() + 1_000).toISOString())
  const { expiresAt } = (await folder.stores.keys.find(await idOf('brief'))) as { expiresAt: number }
  await expect.poll(() => Date.now() > expiresAt).toBe(true)
  expect(await folder.refuses(keys, 'revoke', first)).toMatch(LAST_KEY)
  expect(await folder.stores.keys.find(first)).not.toBeNull()
  expect(await folder.says(keys, 'revoke', await idOf('reads'))).toMatch(/^Revoked /)
  expect(await folder.says(keys, 'revoke', first, '--force')).toMatch(/^Revoked /)
  // Now the confined one is the last.
  expect(await folder.refuses(keys, 'revoke', await idOf('confined'))).toMatch(LAST_KEY)
})

it('a second one frees the first', async () => {
  const first = await firstKey()
  await folder.says(keys, 'create', '--label', 'second')
  expect(await folder.says(keys, 'revoke', first)).toMatch(/^Revoked /)
  expect(await folder.refuses(keys, 'revoke', await idOf('second'))).toMatch(LAST_KEY)
})

it('the last user stays, and one whose keys are the last that may do everything', async () => {
  const email = await firstEmail()
  expect(await folder.refuses(users, 'remove', email)).toMatch(LAST_USER)
  await folder.says(users, 'create', '--email', 'ann@example.com')
  expect(await folder.refuses(users, 'remove', email)).toMatch(LAST_KEY)
  expect(await folder.stores.users.list()).toHaveLength(2)
  await folder.says(keys, 'create', '--label', 'hers', '--user', 'ann@example.com')
  expect(await folder.refuses(users, 'remove', email)).toMatch(/would be left without an owner/)
  await folder.says(users, 'level', 'ann@example.com', 'owner')
  expect(await folder.says(users, 'remove', email)).toMatch(/^Removed /)
  expect(await folder.refuses(users, 'remove', 'ann@example.com')).toMatch(LAST_USER)
  expect(await folder.says(users, 'remove', 'ann@example.com', '--force')).toMatch(/^Removed /)
  expect(await folder.stores.users.list()).toEqual([])
})
