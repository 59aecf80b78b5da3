/** What the app reads from the page, and what it allows. */
import { expect, it } from 'vitest'
import { type BootProject, findProject, mayOpen, mayUse, readBoot } from '../../src/web/app/data/boot.ts'

const ONE = { timezone: 'UTC', organization: 'o', ingested_event: false, level: 1, scopes: ['project:read'] }
const user = { uuid: 'u', email: 'a@b.c', first_name: '', last_name: '' }
const signedIn = (projects: BootProject[]) => ({
  user,
  via: 'key' as const,
  theme_mode: 'dark' as const,
  scopes: ['*'],
  current_project: 7,
  projects,
  project_count: 1,
})

it('is read as it was sent', () => {
  const data = readBoot(JSON.stringify({ root: '../', build: 'b', version: '1', signed_in: null }))
  expect(data).toEqual({ root: '../', build: 'b', version: '1', signed_in: null })
  expect(readBoot('')).toMatchObject({ root: './', signed_in: null })
})

it('names projects by id and by token', () => {
  const project = { id: 7, name: 'x', ...ONE, api_token: 'phc_7' }
  const boot = { root: './', build: '', version: null, signed_in: signedIn([project]) }
  expect(findProject(boot, '7')).toBe(project)
  expect(findProject(boot, 'phc_7')).toBe(project)
  expect(findProject(boot, '8')).toBeUndefined()
})

it.each([
  [['*'], 'person:write', true],
  [['person:write'], 'person:read', true],
  [['person:read'], 'person:write', false],
  [['person:read'], undefined, true],
  [[], 'person:read', false],
  [['person:read'], ['query:read', 'person:read'], true],
  [['project:read'], ['query:read', 'person:read'], false],
])('%j may use %s: %s', (scopes, scope, may) => expect(mayUse(scopes, scope)).toBe(may))

it.each([
  ['you', '*', true],
  ['project', '*', false],
  ['project', 'project:read', true],
])('a screen of %s that needs %s is open to a member: %s', (place, needs, may) => {
  const project = { ...ONE, id: 7, name: 'x', api_token: 'phc_7' }
  const boot = { root: './', build: '', version: null, signed_in: signedIn([project]) }
  expect(mayOpen(boot, project, { in: place, needs })).toBe(may)
})
