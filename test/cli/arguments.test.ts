/** Commands about one thing refuse several, and then do none. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keys } from '../../src/cli/accounts/keys.ts'
import { users } from '../../src/cli/accounts/users.ts'
import { jobs } from '../../src/cli/jobs.ts'
import { type CommandFolder, makeFolder } from '../support/command.ts'

let folder: CommandFolder
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => folder.end())

const tooMuch = (words: string) => new RegExp(`Only one at a time: "${words}" is too much\\.$`)

it('keys revoke takes one key', async () => {
  await folder.says(keys, 'create', '--label', 'second')
  const [second, first] = (await folder.stores.keys.listAll()).map((key) => key.id) as [string, string]
  expect(await folder.refuses(keys, 'revoke', second, first)).toMatch(tooMuch(first))
  expect(await folder.stores.keys.listAll()).toHaveLength(2)
  expect(await folder.says(keys, 'revoke', second)).toMatch(/^Revoked /)
  expect((await folder.stores.keys.listAll()).map((key) => key.id)).toEqual([first])
})

it('users remove takes one user', async () => {
  for (const name of ['ann', 'bob']) await folder.says(users, 'create', '--email', `${name}@example.com`)
  expect(await folder.refuses(users, 'remove', 'ann@example.com', 'bob@example.com')).toMatch(
    tooMuch('bob@example.com'),
  )
  expect(await folder.stores.users.list()).toHaveLength(3)
})

it('jobs retry takes one job, or all', async () => {
  const now = Date.now()
  await folder.stores.transaction(async (tx) => {
    for (const key of ['a', 'b']) await tx.jobs.add({ kind: 'x', key, projectId: 1, payload: null, runAt: now })
    const claimed = await tx.jobs.claim({ kinds: ['x'], now, owner: 'o', leaseMs: 1_000, limit: 2 })
    for (const job of claimed) await tx.jobs.park(job.id, 'o', { now, error: 'no' })
  })
  const parked = async () => (await folder.stores.jobs.parked({ limit: 9, offset: 0 })).items.map((job) => job.id)
  const ids = (await parked()).map(String)
  expect(await folder.refuses(jobs, 'retry', ...ids)).toMatch(tooMuch(ids.slice(1).join(' ')))
  expect(await folder.refuses(jobs, 'retry', ...ids, '--all')).toBe('jobs retry needs the id of a job, or --all.')
  expect(await folder.refuses(jobs, 'retry')).toBe('jobs retry needs the id of a job, or --all.')
  expect(await parked()).toHaveLength(2)
  expect(await folder.says(jobs, 'retry', '--all')).toBe('2 to be tried again.\n')
})
