/**
 * Texts of others are printed so that no terminal interprets them: names from before they were refused, errors,
 * addresses.
 */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keys } from '../../src/cli/accounts/keys.ts'
import { users } from '../../src/cli/accounts/users.ts'
import { deletions } from '../../src/cli/deletions.ts'
import { doctor } from '../../src/cli/doctor.ts'
import { jobs } from '../../src/cli/jobs.ts'
import { projects } from '../../src/cli/projects.ts'
import { hasControlCharacters } from '../../src/lib/text/control-characters.ts'
import { createProject } from '../../src/rules/accounts/new-project.ts'
import { type CommandFolder, makeFolder } from '../support/command.ts'

const EVIL = '\u001b]0;owned\u0007\u202egnp\n.exe'
const SHOWN = '\\u001b]0;owned\\u0007\\u202egnp\\u000a.exe'

let folder: CommandFolder
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => folder.end())

/** Each line by itself: the line feeds between them are ours. */
function expectHarmless(text: string): void {
  for (const line of text.split('\n')) expect(hasControlCharacters(line), JSON.stringify(line)).toBe(false)
}

async function makeEvil(): Promise<{ keyId: string; email: string }> {
  const { stores } = folder
  const [organization] = await stores.users.listOrganizations()
  const organizationId = organization?.id ?? ''
  const email = `${EVIL}@example.com`
  return stores.transaction(async (tx) => {
    const user = await tx.users.create({
      uuid: randomUUID(),
      distinctId: randomUUID(),
      email,
      firstName: EVIL,
      lastName: EVIL,
      currentProjectId: 1,
      createdAt: 0,
    })
    await tx.users.addMember(organizationId, user.id, 15)
    await createProject(tx, { name: EVIL, organizationId, createdById: user.id }, 0)
    const [key] = await tx.keys.listAll()
    if (!key) throw new Error('no key')
    const keyId = 'evil'
    await tx.keys.create({ ...key, id: keyId, userId: user.id, label: EVIL }, 'hash')
    await tx.jobs.add({ kind: EVIL, key: EVIL, projectId: 1, payload: null, runAt: 0 })
    const [job] = await tx.jobs.claim({ kinds: [EVIL], now: 1, owner: 'o', leaseMs: 1, limit: 1 })
    await tx.jobs.park(job?.id ?? 0, 'o', { now: 1, error: `550 ${EVIL}` })
    return { keyId, email }
  })
}

it.each([
  ['keys', keys],
  ['users', users],
  ['projects', projects],
  ['jobs', jobs],
] as const)('%s list writes out what cannot be seen', async (_name, command) => {
  await makeEvil()
  const text = await folder.says(command, 'list')
  expectHarmless(text)
  // In errors, white space of any kind becomes a space.
  expect(text).toContain(SHOWN)
  const json = await folder.says(command, 'list', '--json')
  expectHarmless(json)
  expect(JSON.stringify(JSON.parse(json))).toContain(JSON.stringify(EVIL).slice(1, -1))
})

it('so do the commands that name what they changed', async () => {
  const { keyId, email } = await makeEvil()
  const shown = `${SHOWN}@example.com`
  const revoked = await folder.says(keys, 'revoke', keyId)
  expect(revoked).toContain(`(${SHOWN})`)
  expectHarmless(revoked)
  const [organization] = await folder.stores.users.listOrganizations()
  const member = ['--organization', organization?.id ?? '']
  for (const [action, ...more] of [['leave', ...member], ['join', ...member], ['remove']]) {
    const text = await folder.says(users, action ?? '', email, ...more)
    expect(text).toContain(shown)
    expectHarmless(text)
  }
})

it('the doctor and refusals do too', async () => {
  await makeEvil()
  expectHarmless(await folder.says(doctor))
  expect(await folder.refuses(users, 'create', '--email', `a${EVIL.replace('\n', '')}@example.com`)).toBe(
    'users create needs --email ADDRESS.',
  )
  expect(await folder.refuses(projects, 'create', '--name', EVIL)).toMatch(/^--name: .* control characters/)
  expect(await folder.refuses(keys, 'create', '--label', EVIL)).toMatch(/^--label: .* control characters/)
  expect(await folder.says(deletions, 'run', '--project', '1')).toBe('No deletion is pending in project 1.\n')
})
