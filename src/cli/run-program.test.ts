import { afterEach, expect, it, vi } from 'vitest'
import { OperatorError, StoreUnavailable } from '../lib/errors.ts'
import { runProgram } from './run-program.ts'

const { argv, exitCode } = process
afterEach(() => {
  process.argv = argv
  process.exitCode = exitCode
  vi.restoreAllMocks()
})

/** What is printed when a command ends with this error. */
async function printedOf(error: Error): Promise<string> {
  let printed = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
  process.argv = ['node', 'hedgerow', 'work']
  await runProgram({ work: async () => () => Promise.reject(error) })
  expect(process.exitCode).toBe(1)
  return printed
}

it('says in a sentence what the operator can mend, and that a store has gone away', async () => {
  expect(await printedOf(new OperatorError('The port is in use.'))).toBe('hedgerow: The port is in use.\n')
  const away = new StoreUnavailable('events_away', new Error('read ECONNRESET'))
  expect(await printedOf(away)).toBe(`hedgerow: ${away.message}\n`)
})

it('shows where a fault is', async () => {
  expect(await printedOf(new Error('a fault'))).toMatch(/^hedgerow: Error: a fault\n +at /)
})
