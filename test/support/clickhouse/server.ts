/** ClickHouse 18.16 servers for tests, each in a temporary folder and on ports of its own on loopback. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CLICKHOUSE, librariesOfClickhouse } from '../../../scripts/clickhouse.mjs'
import { freePort, makeServerFolder } from '../servers/server-folder.ts'
import { CLUSTER, type Ports, type ServerSettings, serverXml, usersXml } from './configuration.ts'
import { startZookeeper } from './zookeeper.ts'

const USER = 'hedgerow'

/** It takes half a second, or some on a busy machine. */
const READY_MS = 300_000

export interface Address {
  host: string
  /** Of HTTP. */
  port: number
}

/** What is needed to ask them. */
export interface ClickhouseAccess {
  /** All replicas of the first shard, then of the next. */
  nodes: Address[]
  /** Null: a server by itself. */
  cluster: string | null
  user: string
  password: string
}

export interface ClickhouseNode extends Address {
  /** SIGKILL. */
  kill(): Promise<void>
  /** After a kill: on the same ports, with the same data. */
  start(): Promise<void>
}

export interface ClickhouseServers extends ClickhouseAccess {
  nodes: ClickhouseNode[]
  /** A new one on every node; its name. */
  createDatabase(): Promise<string>
  /** Ends them and removes their folders. Also done when this process has ended. */
  close(): Promise<void>
}

/** For Hedgerow: with every node and the cluster, if there is one. */
export function clickhouseUrl({ nodes, cluster, user, password }: ClickhouseAccess, database: string): string {
  const hosts = nodes.map(({ host, port }) => `${host}:${port}`).join(',')
  return `clickhouse://${user}:${password}@${hosts}/${database}${cluster === null ? '' : `?cluster=${cluster}`}`
}

/** The answer's text; an error of the server is thrown. */
export async function ask(
  { host, port }: Address,
  { user, password }: Pick<ClickhouseAccess, 'user' | 'password'>,
  query: string,
  settings: Record<string, string> = {},
): Promise<string> {
  const url = `http://${host}:${port}/?${new URLSearchParams(settings)}`
  const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` }
  const answer = await fetch(url, { method: 'POST', body: query, headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

/** A new one on every node; its name. */
export async function createDatabase(access: ClickhouseAccess): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await Promise.all(access.nodes.map((node) => ask(node, access, `CREATE DATABASE ${name}`)))
  return name
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function doesAnswer({ http }: Ports): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${http}/ping`)
    return (await answer.text()) === 'Ok.\n'
  } catch {
    return false
  }
}

function logsOf(folder: string): string {
  const paths = ['console.log', 'errors.log'].map((name) => join(folder, name))
  return paths.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')).join('')
}

/** Starts it and waits until it answers. */
async function launch({ folder, own }: ServerSettings): Promise<ChildProcess> {
  const log = openSync(join(folder, 'console.log'), 'a')
  const env = {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    TZ: 'UTC',
    LD_LIBRARY_PATH: librariesOfClickhouse().join(delimiter),
  }
  const options = { cwd: folder, env, detached: true }
  const args = [`--config-file=${join(folder, 'config.xml')}`]
  const server = spawn(CLICKHOUSE, args, { ...options, stdio: ['ignore', log, log] })
  closeSync(log)
  server.unref()
  const failed = new Promise<never>((_, reject) => server.once('error', reject))
  failed.catch(() => {})
  const pidFile = join(folder, 'server.pid')
  if (server.pid === undefined) return failed
  writeFileSync(pidFile, `${server.pid}\n`)
  server.once('exit', () => rmSync(pidFile, { force: true }))
  const deadline = Date.now() + READY_MS
  while (!(await doesAnswer(own))) {
    if (hasEnded(server)) throw new Error(`ClickHouse has ended:\n${logsOf(folder)}`)
    if (Date.now() > deadline) throw new Error(`ClickHouse did not get ready:\n${logsOf(folder)}`)
    await sleep(20)
  }
  return server
}

/** It may not leave on SIGTERM. */
async function kill(server: ChildProcess): Promise<void> {
  if (hasEnded(server)) return
  server.ref()
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
}

async function startNode(settings: ServerSettings): Promise<ClickhouseNode> {
  mkdirSync(settings.folder)
  writeFileSync(join(settings.folder, 'config.xml'), serverXml(settings))
  writeFileSync(join(settings.folder, 'users.xml'), usersXml(settings))
  let server = await launch(settings)
  return {
    host: '127.0.0.1',
    port: settings.own.http,
    kill: () => kill(server),
    async start() {
      server = await launch(settings)
    },
  }
}

async function threePorts(): Promise<Ports> {
  const [http, native, interserver] = [await freePort(), await freePort(), await freePort()]
  return { http, native, interserver }
}

interface Layout {
  shards: number
  /** Of each shard. */
  replicas?: number
  /** Whether there is a ZooKeeper, too: unless given, where there are replicas. */
  hasZookeeper?: boolean
}

/** Servers with nothing in them, each of which knows the cluster of all; one is by itself. */
export async function startClickhouse(layout: Layout): Promise<ClickhouseServers> {
  const { shards, replicas = 1, hasZookeeper = replicas > 1 } = layout
  const folder = makeServerFolder({ prefix: 'hedgerow-clickhouse-', signal: 'KILL' })
  const access = { user: USER, password: randomBytes(12).toString('hex') }
  try {
    const ports: Ports[] = []
    while (ports.length < shards * replicas) ports.push(await threePorts())
    const isCluster = ports.length > 1
    const groups = isCluster
      ? Array.from({ length: shards }, (_, i) => ports.slice(i * replicas, (i + 1) * replicas))
      : []
    const zookeeper = hasZookeeper ? await startZookeeper(join(folder.path, 'zookeeper')) : null
    const started = ports.map((own, index) =>
      startNode({ ...access, folder: join(folder.path, `${index + 1}`), own, shards: groups, zookeeper }),
    )
    const servers = { ...access, nodes: await Promise.all(started), cluster: isCluster ? CLUSTER : null }
    return { ...servers, createDatabase: () => createDatabase(servers), close: folder.remove }
  } catch (error) {
    await folder.remove()
    throw error
  }
}
