/** Which users belong to which organization, by command line and as a running server sees it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../src/cli/accounts/keys.ts'
import { users } from '../../src/cli/accounts/users.ts'
import { SECOND } from '../../src/lib/time/time.ts'
import { createProject } from '../../src/rules/accounts/new-project.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { printed, sentenceOf } from '../support/command.ts'

let app: TestApp
let ours: string
let theirs: string
let key: string
const BO = 'bo@example.com'

beforeEach(async () => {
  app = await makeApp()
  ours = (await app.stores.users.listOrganizations())[0]?.id ?? ''
  await run('create', '--email', BO, '--new-organization', 'Theirs')
  theirs = (await app.stores.users.listOrganizations()).find(({ name }) => name === 'Theirs')?.id ?? ''
  key = (await printed(() => keys(['create', '--label', 'Bo', '--user', BO], config()))).trim()
})
afterEach(() => app.end())

const config = () => app.config
const run = (...args: string[]) => printed(() => users(args, config()))
const refused = (...args: string[]) => sentenceOf(run(...args))
const bo = async () => (await app.stores.users.list()).find((user) => user.email === BO)
const status = async (path = '/api/projects/1/') => (await app.call('GET', path, { key })).statusCode

describe('hedgerow users join and leave', () => {
  it('open and close the projects of an organization to a running server’s callers, within a second', async () => {
    expect(await status()).toBe(403)
    expect(await run('join', 'BO@example.com', '--organization', ours)).toBe(
      `BO@example.com is member in organization ${ours}.\n`,
    )
    app.clock.advance(SECOND)
    expect(await status()).toBe(200)
    expect(await run('leave', BO, '--organization', ours)).toBe(
      `${BO} is no longer a member of organization ${ours}.\n`,
    )
    app.clock.advance(SECOND)
    expect(await status()).toBe(403)
  })

  it('keep the current project within reach', async () => {
    expect((await bo())?.currentProjectId).toBe(null)
    await run('join', BO, '--organization', ours)
    expect((await bo())?.currentProjectId).toBe(1)
    const input = { name: 'Their project', organizationId: theirs, createdById: null }
    const { id } = await app.stores.transaction((tx) => createProject(tx, input, app.clock.now()))
    await run('join', BO, '--organization', ours)
    expect((await bo())?.currentProjectId).toBe(1)
    await run('leave', BO, '--organization', ours)
    expect((await bo())?.currentProjectId).toBe(id)
    app.clock.advance(SECOND)
    expect((await app.call('GET', '/api/users/@me/', { key })).json()).toMatchObject({ team: { id } })
  })

  it('let a user leave the last organization: its keys work, and can access nothing', async () => {
    await run('leave', BO, '--organization', theirs)
    app.clock.advance(SECOND)
    expect((await app.call('GET', '/api/projects/', { key })).json()).toMatchObject({ count: 0, results: [] })
    expect((await app.call('GET', '/api/users/@me/', { key })).json()).toMatchObject({ organization: null, team: null })
    expect(await status('/api/projects/@current/')).toBe(404)
    await run('join', BO, '--organization', theirs)
    const memberships = await app.stores.users.memberships((await bo())?.id ?? 0)
    expect(memberships).toEqual([{ organizationId: theirs, level: 15 }])
  })

  it('refuse what they cannot do with a message', async () => {
    for (const action of ['join', 'leave']) {
      expect(await refused(action)).toBe(`users ${action} needs the e-mail address of a user.`)
      expect(await refused(action, BO)).toBe(`users ${action} needs --organization ID.`)
      expect(await refused(action, BO, 'x', '--organization', ours)).toMatch(/Only one at a time: "x" is too much\.$/)
      expect(await refused(action, 'no@example.com', '--organization', ours)).toBe('There is no user no@example.com.')
      expect(await refused(action, BO, '--organization', 'nowhere')).toBe('There is no organization nowhere.')
    }
    expect(await refused('leave', BO, '--organization', ours)).toBe(`${BO} is not a member of organization ${ours}.`)
    expect(await refused('dance')).toMatch(/"users level" or "users link"/)
  })
  it('give a level, keep one, and keep an owner in every organization', async () => {
    const levels = async () => {
      const found = await app.stores.users.memberships((await bo())?.id ?? 0)
      return Object.fromEntries(found.map(({ organizationId, level }) => [organizationId, level]))
    }
    expect(await levels()).toEqual({ [theirs]: 15 })
    await run('join', BO, '--organization', ours, '--level', 'viewer')
    await run('join', BO, '--organization', ours)
    expect(await levels()).toEqual({ [ours]: 0, [theirs]: 15 })
    expect(await run('level', BO, 'admin', '--organization', ours)).toBe(`${BO} is admin in organization ${ours}.\n`)
    expect(await levels()).toEqual({ [ours]: 8, [theirs]: 15 })
    expect(await run('list')).toContain(`${ours} (admin)`)

    const left = `Organization ${ours} would be left without an owner.`
    expect(await refused('level', 'admin@localhost', 'member')).toContain(left)
    expect(await refused('leave', 'admin@localhost', '--organization', ours)).toContain(left)
    expect(await refused('join', 'admin@localhost', '--organization', ours, '--level', 'viewer')).toContain(left)
    expect((await app.stores.users.memberships(1))[0]).toMatchObject({ level: 15 })
    await run('level', BO, 'owner', '--organization', ours)
    await run('level', 'admin@localhost', 'member')
    expect((await app.stores.users.memberships(1))[0]).toMatchObject({ level: 1 })

    expect(await refused('level', BO, 'king', '--organization', ours)).toBe(
      'A level is one of owner, admin, member, viewer.',
    )
    expect(await refused('level', BO, 'admin')).toBe(`${BO} belongs to 2 organizations: say --organization ID.`)
    expect(await refused('level', BO)).toBe('users level needs the e-mail address of a user and a level.')
    expect(await refused('level', 'no@example.com', 'admin')).toBe('There is no user no@example.com.')
    expect(await refused('level', 'admin@localhost', 'admin', '--organization', theirs)).toBe(
      `admin@localhost is not a member of organization ${theirs}.`,
    )
  })
})
