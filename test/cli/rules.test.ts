/** The command line refuses what the API refuses, with a message that names the option, and then creates nothing. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../src/cli/accounts/keys.ts'
import { users } from '../../src/cli/accounts/users.ts'
import { projects } from '../../src/cli/projects.ts'
import { type CommandFolder, makeFolder } from '../support/command.ts'

let folder: CommandFolder
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => folder.end())

const BLANK = 'This field may not be blank.'
const all = { organizationIds: null, ids: null, search: null }

const projectNames = async () =>
  (await folder.stores.projects.list(all, { limit: 99, offset: 0 })).items.map((project) => project.name)
const labels = async () => (await folder.stores.keys.listAll()).map((key) => key.label)

it('projects create takes the names that the API takes', async () => {
  const create = (name: string) => folder.refuses(projects, 'create', '--name', name)
  expect(await create('')).toBe(`--name: ${BLANK}`)
  expect(await create(' \t')).toBe(`--name: ${BLANK}`)
  expect(await create('x'.repeat(201))).toBe('--name: Ensure this field has no more than 200 characters.')
  expect(await folder.refuses(projects, 'create')).toBe('projects create needs --name TEXT.')
  expect(await projectNames()).toEqual(['Default project'])
  await folder.says(projects, 'create', '--name', ` ${'🌿'.repeat(200)} `)
  expect((await projectNames())[1]).toBe('🌿'.repeat(200))
})

describe('keys create', () => {
  const create = (...more: string[]) => folder.refuses(keys, 'create', '--label', 'CI', ...more)

  it('takes the labels that the API takes, and cuts none', async () => {
    for (const label of ['', '  ']) {
      expect(await folder.refuses(keys, 'create', '--label', label)).toBe(`--label: ${BLANK}`)
    }
    const long = await folder.refuses(keys, 'create', '--label', 'x'.repeat(41))
    expect(long).toBe('--label: Ensure this field has no more than 40 characters.')
    expect(await folder.refuses(keys, 'create')).toBe('keys create needs --label TEXT.')
    expect(await labels()).toEqual(['First key'])
    await folder.says(keys, 'create', '--label', ` ${'x'.repeat(40)} `)
    expect(await labels()).toContain('x'.repeat(40))
  })

  it('accepts known scopes and an expiry in the future', async () => {
    expect(await create('--scopes', 'person:read,person:melt')).toBe('--scopes: Invalid scope: person:melt')
    expect(await create('--scopes', '')).toBe('--scopes: Invalid scope: ')
    expect(await create('--expires', '2001-01-01')).toBe('--expires: Must lie in the future.')
    expect(await create('--expires', 'soon')).toMatch(/^--expires: Datetime has wrong format/)
    await folder.says(keys, 'create', '--label', 'CI', '--scopes', 'person:read, query:read', '--expires', '2999-01-31')
    const [made] = (await folder.stores.keys.listAll()).filter((key) => key.label === 'CI')
    expect(made).toMatchObject({ scopes: ['person:read', 'query:read'], expiresAt: Date.UTC(2999, 0, 31) })
  })

  it('limits a key to projects of its user only', async () => {
    await folder.says(users, 'create', '--email', 'bo@example.com', '--new-organization', 'Other')
    const organizations = await folder.stores.users.listOrganizations()
    const other = organizations.find(({ name }) => name === 'Other')?.id ?? ''
    await folder.says(projects, 'create', '--name', 'Theirs', '--organization', other)
    const refused = '--projects: You must be a member of all teams that you are scoping the key to.'
    expect(await create('--projects', '1,2')).toBe(refused)
    expect(await create('--projects', '1', '--user', 'bo@example.com')).toBe(refused)
    expect(await create('--projects', '3')).toMatch(/^There is no project 3\./)
    expect(await labels()).toEqual(['First key'])
    await folder.says(keys, 'create', '--label', 'CI', '--projects', '2', '--user', 'bo@example.com')
    expect((await folder.stores.keys.listAll()).find((key) => key.label === 'CI')?.scopedTeams).toEqual([2])
  })
})

it('users create takes one organization, with a name, and names that the API takes', async () => {
  const create = (...more: string[]) => folder.refuses(users, 'create', '--email', 'bo@example.com', ...more)
  const [first] = await folder.stores.users.listOrganizations()
  expect(await create('--organization', first?.id ?? '', '--new-organization', 'Other')).toBe(
    'users create takes --organization or --new-organization, not both.',
  )
  expect(await create('--new-organization', '')).toBe(`--new-organization: ${BLANK}`)
  expect(await create('--new-organization', 'x'.repeat(201))).toMatch(/^--new-organization: .* 200 characters\.$/)
  expect(await create('--first-name', 'x'.repeat(151))).toMatch(/^--first-name: .* 150 characters\.$/)
  expect(await create('--last-name', 'x'.repeat(151))).toMatch(/^--last-name: .* 150 characters\.$/)
  expect(await folder.stores.users.list()).toHaveLength(1)
  expect(await folder.stores.users.listOrganizations()).toEqual([first])
})
