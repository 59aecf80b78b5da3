/** SIGHUP: ends the server as SIGTERM does, unless it was ignored when the server was started, as nohup has it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { start, useFolder } from '../support/program.ts'

const MAIN = new URL('../../dist/start.cjs', import.meta.url).pathname
const folder = useFolder()

it('ends the server in order', async () => {
  const server = await start(folder())
  const { code, stderr } = await server.stop('SIGHUP')
  expect(code).toBe(0)
  expect(stderr).toMatch(/"signal":"SIGHUP","msg":"stopping"/)
})

/** A shell line that starts the server and prints its pid. */
function launch(line: string): ChildProcess {
  const env = { ...process.env, HEDGEROW_DATA_DIR: folder(), HEDGEROW_PORT: '0' }
  return spawn('bash', ['-c', line.replaceAll('SERVE', `${process.execPath} ${MAIN} serve`)], { env, stdio: 'ignore' })
}

interface Told {
  pid: number
  url: string
}
const told = (): Told | null => {
  try {
    return JSON.parse(readFileSync(join(folder(), 'server.json'), 'utf8')) as Told
  } catch {
    return null
  }
}
const isAlive = async (url: string) => (await fetch(`${url}/_health`).catch(() => null))?.ok ?? false

it.each([
  ['under nohup', 'nohup SERVE & wait'],
  ['under nohup, with its own log', 'nohup SERVE > "$HEDGEROW_DATA_DIR/log" 2>&1 & wait'],
  ['below a script that ignores it', 'trap "" HUP; SERVE & wait'],
])('is ignored %s', async (_case, line) => {
  const shell = launch(line)
  await expect.poll(told).not.toBeNull()
  const { pid, url } = told() as Told
  try {
    process.kill(pid, 'SIGHUP')
    // Had it ended, this would not be answered, nor would the next signal find it.
    expect(await isAlive(url)).toBe(true)
    process.kill(pid, 'SIGHUP')
    expect(await isAlive(url)).toBe(true)
  } finally {
    process.kill(pid, 'SIGTERM')
  }
  await expect.poll(() => isAlive(url)).toBe(false)
  await expect.poll(told).toBeNull()
  shell.kill()
})
