/** `--json` on lists: as many items as the table has rows, with the API's names. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keys } from '../../src/cli/accounts/keys.ts'
import { users } from '../../src/cli/accounts/users.ts'
import { jobs } from '../../src/cli/jobs.ts'
import { outbox } from '../../src/cli/outbox.ts'
import { projects } from '../../src/cli/projects.ts'
import { type CommandFolder, makeFolder } from '../support/command.ts'

let folder: CommandFolder
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => folder.end())

type List = { count: number; results: Record<string, unknown>[] }
const listed = async (command: typeof keys): Promise<List> => JSON.parse(await folder.says(command, 'list', '--json'))

it.each([
  ['keys', keys, ['id', 'mask_value', 'user', 'scopes', 'scoped_teams', 'expires_at', 'last_used_at', 'label']],
  ['users', users, ['id', 'email', 'first_name', 'last_name', 'organizations', 'created_at']],
  ['projects', projects, ['id', 'api_token', 'organization', 'name']],
] as const)('%s', async (_name, command, fields) => {
  const { count, results } = await listed(command)
  expect([count, results.length]).toEqual([1, 1])
  expect(Object.keys(results[0] ?? {})).toEqual(expect.arrayContaining([...fields]))
  const table = (await folder.says(command, 'list')).trim().split('\n')
  expect(table).toHaveLength(count + 1)
})

it('has what was made, as the API has it', async () => {
  await folder.says(users, 'create', '--email', 'ann@example.com', '--first-name', 'Ann')
  await folder.says(keys, 'create', '--label', 'export', '--user', 'ann@example.com', '--scopes', 'person:read')
  const [organization] = await folder.stores.users.listOrganizations()
  expect((await listed(users)).results[1]).toMatchObject({
    email: 'ann@example.com',
    first_name: 'Ann',
    organizations: [organization?.id],
  })
  const made = (await listed(keys)).results.find(({ label }) => label === 'export')
  expect(made).toMatchObject({ user: 'ann@example.com', scopes: ['person:read'], scoped_teams: [], expires_at: null })
  expect(JSON.stringify(made)).not.toMatch(/phx_[A-Za-z0-9]{10}/)
})

it('is an empty list where the table says that there is nothing, and counts what is parked', async () => {
  for (const command of [jobs, outbox]) expect(await listed(command)).toEqual({ count: 0, results: [] })
  const now = Date.now()
  await folder.stores.transaction(async (tx) => {
    await tx.jobs.add({ kind: 'x', key: 'one', projectId: 1, payload: null, runAt: now })
    const [job] = await tx.jobs.claim({ kinds: ['x'], now, owner: 'o', leaseMs: 1_000, limit: 1 })
    await tx.jobs.park(job?.id ?? 0, 'o', { now, error: 'the door\nis shut' })
  })
  expect(await listed(jobs)).toMatchObject({
    count: 1,
    results: [{ kind: 'x', key: 'one', project: 1, attempts: 1, error: 'the door\nis shut' }],
  })
})
