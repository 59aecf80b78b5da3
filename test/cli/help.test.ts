/** Every command and action has its own help, which names the options that it really takes. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { helpFor, USAGE } from '../../src/cli/usage.ts'
import { run } from '../support/program.ts'

const CLI = new URL('../../src/cli/', import.meta.url)
const sources = readdirSync(CLI, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(new URL(name, CLI), 'utf8'))

/** `keys create` and the like, from the tables by which commands find their actions. */
const ACTIONS = sources.flatMap((text) => {
  const [, command] = /^export async function (\w+)\(\[action/m.exec(text) ?? []
  const [, actions] = /^const ACTIONS = \{ (.+) \}$/m.exec(text) ?? []
  return command && actions ? actions.split(', ').map((action) => `${command} ${action}`) : []
})
const main = readFileSync(new URL('../../src/main.ts', import.meta.url), 'utf8')
const COMMANDS = [...main.matchAll(/^ {2}(\w+): async \(\) => \(await import\(/gm)].map((match) => match[1] ?? '')
const SINGLE = COMMANDS.filter((command) => !ACTIONS.some((action) => action.startsWith(`${command} `)))

it('knows what there is', () => {
  expect(ACTIONS.length).toBeGreaterThanOrEqual(15)
  expect(SINGLE).toEqual(expect.arrayContaining(['serve', 'migrate', 'doctor']))
})

describe.each([...ACTIONS, ...SINGLE])('%s', (name) => {
  it('has usage, options and an example, and a line in the overview', () => {
    const text = helpFor(name.split(' ')) ?? ''
    expect(text).toContain(`Usage: hedgerow ${name}`)
    expect(text).toMatch(new RegExp(`^Example\\n {2}(?:\\w+=\\S+ )*hedgerow ${name}(?: |$)`, 'm'))
    expect(USAGE).toMatch(new RegExp(`^ {2}${name}(?: |$)`, 'm'))
    const [, example = ''] = /^Example\n {2}(.+)$/m.exec(text) ?? []
    for (const [option] of example.matchAll(/--[\w-]+/g)) expect(text.split('Example')[0]).toContain(option)
  })
})

it.each(COMMANDS.filter((command) => !SINGLE.includes(command)))('%s lists its actions', (command) => {
  const text = helpFor([command]) ?? ''
  for (const action of ACTIONS.filter((one) => one.startsWith(`${command} `))) expect(text).toContain(`  ${action}`)
})

it('is printed by the program wherever it is asked for, without touching a store', async () => {
  const env = { HEDGEROW_DATA_DIR: '/nowhere/at/all' }
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args, { env })
    return { code, text: stdout || stderr }
  }
  const create = { code: 0, text: helpFor(['keys', 'create']) }
  expect(await said('keys', 'create', '--help')).toEqual(create)
  expect(await said('keys', 'create', '--label', 'x', '-h')).toEqual(create)
  expect(await said('help', 'keys', 'create')).toEqual(create)
  expect(await said('keys', '--help')).toEqual({ code: 0, text: helpFor(['keys']) })
  expect(await said('--help')).toEqual({ code: 0, text: USAGE })
  const unknown = await said('kyes', '--help')
  expect([unknown.code, unknown.text]).toEqual([1, expect.stringContaining('"kyes" is not a command of Hedgerow')])
})

it('every option that a command reads is in some help', () => {
  const all = [...ACTIONS, ...SINGLE].map((name) => helpFor(name.split(' '))).join('\n')
  const read = sources.flatMap((text) =>
    [...text.matchAll(/^\s*(?:const )?options = \{([^}]*)\}/gm)].map(([, list]) => list ?? ''),
  )
  const names = read.flatMap((list) =>
    [...list.matchAll(/'?([a-z][a-z-]+)'?: ?(?:text|flag|\{)/g)].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(3)
  for (const name of new Set(names)) expect(all, name).toContain(`--${name}`)
})
