/** What the server puts into the page and what the app reads from it are one type, told twice. */
import { expect, it } from 'vitest'
import type { BootData } from '../../src/features/app-page/boot-data.ts'
import { type Boot, findProject, mayUse, readBoot } from '../../src/web/app/data/boot.ts'

const sent = (data: BootData): Boot => data
const read = (data: Boot): BootData => data

it('is read as it was sent', () => {
  const data = readBoot(JSON.stringify({ root: '../', build: 'b', version: '1', signed_in: null }))
  expect(sent(read(data))).toEqual({ root: '../', build: 'b', version: '1', signed_in: null })
  expect(readBoot('')).toMatchObject({ root: './', signed_in: null })
})

it('names projects by id and by token', () => {
  const project = { id: 7, name: 'x', api_token: 'phc_7', timezone: 'UTC', organization: 'o', level: 15, scopes: ['*'] }
  const user = { uuid: 'u', email: 'a@b.c', first_name: '', last_name: '' }
  const signed_in = { user, via: 'key' as const, theme_mode: 'dark' as const, current_project: 7, projects: [project] }
  const boot = { root: './', build: '', version: null, signed_in }
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
])('%j may use %s: %s', (scopes, scope, may) => expect(mayUse(scopes, scope)).toBe(may))
