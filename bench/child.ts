/** Child processes of the bench: the built server, and TypeScript files of this folder. Whoever starts one stops it. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

export const API_KEY = 'phx_bench_key_0123456789'
export const PROJECT_TOKEN = 'phc_bench_token_0123456789'

export interface RunningServer {
  port: number
  /** From spawn to the first 200. */
  startMs: number
  residentBytes(): number
  /** Seconds of a core that all its threads have taken. */
  cpuSeconds(): number
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

const POLL_MS = 5
const READY_TIMEOUT_MS = 60_000

async function untilReady(child: ChildProcess, port: number, since: number): Promise<number> {
  while (performance.now() - since < READY_TIMEOUT_MS) {
    if (child.exitCode !== null) throw new Error(`The server exited with ${child.exitCode} before it was ready.`)
    const status = await fetch(`http://127.0.0.1:${port}/_ready`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return performance.now() - since
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error('The server was not ready within a minute.')
}

/** The process's resident memory, from /proc. */
function residentBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  if (!found) throw new Error('No resident size in /proc: this figure needs Linux.')
  return Number(found[1]) * 1024
}

/** In the units of /proc, which are hundredths on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** User and system time of the process, from /proc: what `process.cpuUsage()` says inside of it. */
function cpuSeconds(pid: number): number {
  // Its name, in brackets, may contain blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The arguments of `npm start` after `node`. */
const START = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }).scripts.start
  .split(' ')
  .slice(1)

/** Starts the server as `npm start` does, on a data folder; or another program, with these arguments for Node. */
export async function startServer(
  dataDir: string,
  args = START,
  settings: Record<string, string> = {},
): Promise<RunningServer> {
  const port = await freePort()
  const env = {
    ...process.env,
    HEDGEROW_DATA_DIR: dataDir,
    HEDGEROW_PORT: String(port),
    HEDGEROW_API_KEY: API_KEY,
    HEDGEROW_PROJECT_TOKEN: PROJECT_TOKEN,
    HEDGEROW_LOG_LEVEL: 'error',
    ...settings,
  }
  const since = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    const startMs = await untilReady(child, port, since)
    const pid = child.pid ?? 0
    const [memory, cpu] = [() => residentBytes(pid), () => cpuSeconds(pid)]
    return { port, startMs, residentBytes: memory, cpuSeconds: cpu, stop: () => stop(child) }
  } catch (error) {
    await stop(child)
    throw error
  }
}

/** The server on the SQL store that this URL names. */
export const startServerOn = (sqlUrl: string, dataDir: string): Promise<RunningServer> =>
  startServer(dataDir, START, { HEDGEROW_SQL_URL: sqlUrl })

/** Runs a file of this folder as a child process with IPC. */
export const forkFile = (name: string): ChildProcess =>
  fork(new URL(name, import.meta.url), { execArgv: ['--import', 'tsx'], serialization: 'advanced' })

/** The next message of a child; rejects if it ends instead. */
export async function reply<T>(child: ChildProcess): Promise<T> {
  const gone = new AbortController()
  const onExit = (code: number | null) => gone.abort(new Error(`A bench process ended early (${code}).`))
  child.once('exit', onExit)
  try {
    const [message] = await once(child, 'message', { signal: gone.signal })
    return message as T
  } catch (error) {
    throw gone.signal.aborted ? gone.signal.reason : error
  } finally {
    child.off('exit', onExit)
  }
}
