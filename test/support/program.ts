/** Starts the built program as a new user does, and talks to it over the wire. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { dropStores, storeSettings } from './stores/stores.ts'

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  url: string
  stdout: () => string
  stderr: () => string
  child: ChildProcess
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Finished>
}

const MAIN = new URL('../../dist/start.cjs', import.meta.url).pathname

export const tempFolder = (): string => mkdtempSync(join(tmpdir(), 'hedgerow-e2e-'))
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

export interface ProgramOptions {
  env?: Record<string, string>
  nodeArgs?: string[]
  /** The program, if it is not the built one. */
  program?: string
  /** The folder it is started in. */
  cwd?: string
}

/** Only what the program needs of the environment: nothing of the developer's own settings. */
export function launch(args: string[], { env, nodeArgs = [], program = MAIN, cwd }: ProgramOptions): ChildProcess {
  const base = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HEDGEROW_')))
  return spawn(process.execPath, [...nodeArgs, program, ...args], { cwd, env: { ...base, ...env } })
}

function collect(child: ChildProcess) {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
  return { finished, stdout: () => stdout, stderr: () => stderr }
}

/** Runs a command to its end. */
export const run = (args: string[], options: ProgramOptions = {}): Promise<Finished> =>
  collect(launch(args, options)).finished

/** Servers that listen, and may have been ended since. */
const started = new Set<Running>()

/**
 * A folder of its own for each test of a file. After the test it is removed, and every server that was started with it
 * is stopped.
 */
export function useFolder(): () => string {
  let folder: string
  beforeEach(() => {
    folder = tempFolder()
  })
  afterEach(async () => {
    await Promise.all([...started].map((server) => server.stop('SIGKILL')))
    started.clear()
    removeFolder(folder)
    await dropStores(folder)
  })
  return () => folder
}

/** Starts `serve` on a free port and waits until it listens; without a data folder in the one that it chooses. */
export async function start(
  dataDir: string | null,
  options: ProgramOptions & { args?: string[] } = {},
): Promise<Running> {
  const folder = dataDir === null ? {} : { HEDGEROW_DATA_DIR: dataDir }
  const sql = dataDir === null ? {} : await storeSettings(dataDir)
  const env = { ...folder, ...sql, HEDGEROW_PORT: '0', ...options.env }
  const child = launch(['serve', ...(options.args ?? [])], { ...options, env })
  const output = collect(child)
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const match = /listening on (http:\S+)\n/.exec(output.stdout())
      if (match?.[1]) resolve(match[1])
    }
    child.stdout?.on('data', look)
    output.finished.then(({ stderr }) => reject(new Error(`the program ended before it listened: ${stderr}`)))
  })
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return output.finished
  }
  const server = { url, stdout: output.stdout, stderr: output.stderr, child, stop }
  started.add(server)
  return server
}
