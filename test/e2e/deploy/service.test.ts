/** deploy/hedgerow.service: systemd's own check of it, and its settings as Hedgerow reads them. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { useFolder } from '../../support/program.ts'

const ROOT = new URL('../../../', import.meta.url).pathname
const TEXT = readFileSync(join(ROOT, 'deploy/hedgerow.service'), 'utf8')
const folder = useFolder()

const noSystemd = spawnSync('systemd-analyze', ['--version']).error ? 'there is no systemd-analyze' : null

const valuesOf = (key: string): string[] =>
  [...TEXT.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value ?? '')

/** What systemd finds wrong with the text of a unit; the program it names need not be there. */
function problemsOf(text: string): string {
  const path = join(folder(), 'hedgerow.service')
  writeFileSync(path, text.replace('/usr/bin/node', process.execPath))
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
  return (stdout + stderr).replaceAll(path, 'the unit')
}

it.skipIf(noSystemd)(`has no key that systemd does not know${noSystemd ? ` (${noSystemd})` : ''}`, () => {
  expect(problemsOf(TEXT)).toBe('')
  expect(problemsOf(TEXT.replace('ProtectHome=true', 'ProtectHomes=true'))).toMatch(/Unknown key .*'ProtectHomes'/)
  expect(problemsOf(TEXT.replace('ProtectSystem=strict', 'ProtectSystem=maybe'))).toContain('maybe')
})

it.skipIf(noSystemd)(`is rated as well hardened${noSystemd ? ` (${noSystemd})` : ''}`, () => {
  const path = join(ROOT, 'deploy/hedgerow.service')
  // In tenths of systemd's measure, from 0 to 10; below 2 it says OK.
  const rate = (limit: number) =>
    spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', `--threshold=${limit}`, path]).status
  expect([rate(20), rate(5)]).toEqual([0, 1])
})

it('gives settings that Hedgerow knows, and starts what the package has', () => {
  const pairs = valuesOf('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=')))
  const { dataDir } = readConfig(Object.fromEntries(pairs))
  expect(dataDir).toBe(`/var/lib/${valuesOf('StateDirectory')[0]}`)
  expect(valuesOf('WorkingDirectory')).toEqual([dataDir])
  const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(valuesOf('ExecStart')).toEqual([`/usr/bin/node /opt/hedgerow/${bin.hedgerow} serve`])
  // No passwords in the unit, which everybody may read.
  expect(TEXT).not.toMatch(/_URL=|TOKEN=|SECRET=|KEY=/)
})
