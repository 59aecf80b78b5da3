/** Commands called within the test, on a folder of their own that has had its first start. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { type Config, readConfig } from '../../src/config.ts'
import { OperatorError } from '../../src/lib/errors.ts'
import type { SqlStores } from '../../src/model/stores.ts'
import { bootstrap } from '../../src/rules/accounts/bootstrap.ts'
import { openSql } from '../../src/stores/open.ts'
import { dropStores, storeSettings } from './stores/stores.ts'

type Command = (args: string[], config: Config) => Promise<void>

export interface CommandFolder {
  dataDir: string
  stores: SqlStores
  /** What the command printed. */
  says(command: Command, ...args: string[]): Promise<string>
  /** The message it was refused with. */
  refuses(command: Command, ...args: string[]): Promise<string>
  end(): Promise<void>
}

/** Runs a command and returns what it wrote to stdout. */
export async function printed(work: () => Promise<void>): Promise<string> {
  let text = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk
    return true
  })
  const { exitCode } = process
  try {
    await work()
  } finally {
    // Of the command, not of the tests.
    process.exitCode = exitCode
    spy.mockRestore()
  }
  return text
}

/** The message that an operator gets; throws when the work succeeds, or fails otherwise. */
export async function sentenceOf(work: Promise<unknown>): Promise<string> {
  const outcome = await work.catch((error: unknown) => error)
  if (outcome instanceof OperatorError) return outcome.message
  throw new Error('not refused with a sentence', { cause: outcome })
}

export async function makeFolder(): Promise<CommandFolder> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-cli-'))
  const config = readConfig({ HEDGEROW_DATA_DIR: dataDir, ...(await storeSettings(dataDir)) })
  const { stores, close } = await openSql(config)
  await stores.transaction((tx) => bootstrap(tx, { apiKey: null, projectToken: null }, Date.now()))
  const says = (command: Command, ...args: string[]) => printed(() => command(args, config))
  return {
    dataDir,
    stores,
    says,
    refuses: (command, ...args) => sentenceOf(says(command, ...args)),
    async end() {
      await close()
      rmSync(dataDir, { recursive: true, force: true })
      await dropStores(dataDir)
    },
  }
}
