/** A mistyped folder: commands say that there is no store, and leave none behind. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { keys } from '../../src/cli/accounts/keys.ts'
import { users } from '../../src/cli/accounts/users.ts'
import { deletions } from '../../src/cli/deletions.ts'
import { doctor } from '../../src/cli/doctor.ts'
import { jobs } from '../../src/cli/jobs.ts'
import { migrateCommand } from '../../src/cli/migrate.ts'
import { projects } from '../../src/cli/projects.ts'
import { readConfig } from '../../src/config.ts'
import { printed, sentenceOf } from '../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'hedgerow-none-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['doctor', doctor, []],
  ['keys list', keys, ['list']],
  ['users list', users, ['list']],
  ['projects list', projects, ['list']],
  ['jobs list', jobs, ['list']],
  ['keys revoke', keys, ['revoke', 'x']],
  ['deletions run', deletions, ['run', '--project', '1']],
] as const)('%s makes no store', async (_, command, args) => {
  for (const dataDir of [join(folder, 'mistyped'), folder]) {
    const config = readConfig({ HEDGEROW_DATA_DIR: dataDir })
    expect(await sentenceOf(printed(() => command([...args], config)))).toMatch(
      `There is no store in ${dataDir}. Is HEDGEROW_DATA_DIR right?`,
    )
  }
  expect(existsSync(join(folder, 'mistyped'))).toBe(false)
  expect(readdirSync(folder)).toEqual([])
})

it('migrate creates one, which the others then find', async () => {
  const config = readConfig({ HEDGEROW_DATA_DIR: join(folder, 'made') })
  expect(await printed(() => migrateCommand([], config))).toMatch(/^Applied /)
  expect(await printed(() => keys(['list'], config))).toMatch(/^ID +KEY/)
})
