/** PostgreSQL servers for tests, each in a temporary folder and on a port of its own on loopback. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort, makeServerFolder, type ServerFolder } from '../servers/server-folder.ts'

const run = promisify(execFile)

/** The role that tests connect as, and the name of a database of it. */
const ROLE = 'hedgerow'

/** PostgreSQL refuses to run as root. */
const account = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const ask = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: ask('-u'), gid: ask('-g') }
}

/** How its programs are started: not stopped by Ctrl+C before the tests are, and told nothing by the environment. */
const startedAs = (folder: string) => ({
  ...account(),
  cwd: folder,
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  detached: true,
})

/** A temporary folder that the server's user owns; inside another one, it goes with that, too. */
export function makeFolder(inside = tmpdir()): ServerFolder {
  // SIGQUIT: at once, without writing anything.
  const folder = makeServerFolder({ prefix: 'hedgerow-postgres-', inside, signal: 'QUIT', ...account() })
  giveAway(folder.path)
  return folder
}

/**
 * Makes the server's user the owner of all in the folder, or of a file: so that it can be removed, and be read where this
 * process has opened a data folder, whose files nobody else may read.
 */
export function giveAway(path: string): void {
  const { uid, gid } = account()
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, path])
}

interface ServerOptions {
  /** Where its programs are: in `bin` of this folder. */
  home: string
  /** It is removed with the server. */
  folder: ServerFolder
  /** Whether what is committed outlives a crash of the machine; slow. */
  isDurable: boolean
}

const settingsOf = ({ isDurable }: ServerOptions, port: number): string[] =>
  [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(isDurable ? [] : ['fsync=off', 'full_page_writes=off']),
  ].flatMap((setting) => ['-c', setting])

/** Whether the process is the server of the folder and takes connections: the last line of the file says so. */
function isReady(folder: string, pid: number | undefined): boolean {
  const path = join(folder, 'data', 'postmaster.pid')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines[0] === `${pid}` && lines[7]?.trim() === 'ready'
}

const logOf = (folder: string): string => readFileSync(join(folder, 'server.log'), 'utf8')

/** It takes a second, or some on a busy machine. */
const READY_MS = 300_000

/** Starts it and waits until it takes connections; null when it has ended before. */
async function launch(options: ServerOptions, port: number): Promise<ChildProcess | null> {
  const { home } = options
  const folder = options.folder.path
  const log = openSync(join(folder, 'server.log'), 'a')
  const args = ['-D', join(folder, 'data'), ...settingsOf(options, port)]
  const server = spawn(join(home, 'bin', 'postgres'), args, { ...startedAs(folder), stdio: ['ignore', log, log] })
  closeSync(log)
  server.unref()
  const pidFile = join(folder, 'server.pid')
  writeFileSync(pidFile, `${server.pid}\n`)
  giveAway(pidFile)
  server.once('exit', () => rmSync(pidFile, { force: true }))
  const deadline = Date.now() + READY_MS
  while (server.exitCode === null && server.signalCode === null) {
    if (isReady(folder, server.pid)) return server
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not get ready:\n${logOf(folder)}`)
    await sleep(10)
  }
  return null
}

/** After a kill its processes take a moment to end, and until then it cannot be started again. */
async function launchAgain(options: ServerOptions, port: number): Promise<ChildProcess> {
  for (let tries = 0; tries < 50; tries++) {
    const server = await launch(options, port)
    if (server) return server
    await sleep(100)
  }
  throw new Error(`PostgreSQL did not start:\n${logOf(options.folder.path)}`)
}

async function initialise({ home, folder: { path: folder } }: ServerOptions, password: string): Promise<void> {
  const file = join(folder, 'password')
  writeFileSync(file, password)
  giveAway(file)
  const args = ['-D', join(folder, 'data'), '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${file}`]
  await run(join(home, 'bin', 'initdb'), [...args, '--encoding=UTF8', '--locale=C', '--no-sync'], startedAs(folder))
}

/** Runs `work` on a connection of its own. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs statements, one by one. */
export const execute = (url: string, statements: string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })

export interface PostgresServer {
  /** An empty database, as a role that is no superuser. */
  url: string
  /** As the superuser. */
  adminUrl: string
  /** Stops it as an administrator would; open connections are ended. */
  stop(): Promise<void>
  /** SIGKILL to all its processes. */
  kill(): Promise<void>
  /** After stop or kill: on the same port, with what was committed. */
  start(): Promise<void>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.ref()
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
}

/** The processes of its connections, and those that write for it. */
function childrenOf({ pid }: ChildProcess): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : []
}

/** All its processes: left alone, the others take a moment to see that the first is gone, and may commit in it. */
async function killAll(server: ChildProcess): Promise<void> {
  const children = childrenOf(server)
  await end(server, 'SIGKILL')
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Starts a new server with nothing in it. */
export async function startPostgres(options: ServerOptions): Promise<PostgresServer> {
  const [password, ownPassword] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')]
  try {
    await initialise(options, password)
    const port = await freePort()
    let server = await launchAgain(options, port)
    const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    await execute(adminUrl, [
      `CREATE ROLE ${ROLE} LOGIN CREATEDB NOSUPERUSER PASSWORD '${ownPassword}'`,
      `CREATE DATABASE ${ROLE} OWNER ${ROLE} TEMPLATE template0`,
    ])
    return {
      url: `postgres://${ROLE}:${ownPassword}@127.0.0.1:${port}/${ROLE}`,
      adminUrl,
      stop: () => end(server, 'SIGINT'),
      kill: () => killAll(server),
      async start() {
        server = await launchAgain(options, port)
      },
      remove: options.folder.remove,
    }
  } catch (error) {
    await options.folder.remove()
    throw error
  }
}
