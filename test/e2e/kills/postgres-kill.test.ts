/**
 * Three processes on one PostgreSQL, of which one is killed again and again, and the same while the server itself is
 * killed: nothing that was acknowledged is lost, doubled or left without an owner. Counted in the database at the end.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DAY, SECOND } from '../../../src/lib/time/time.ts'
import type { Actor } from '../../../src/model/accounts/caller.ts'
import { insertRecording } from '../../../src/stores/contract/recording-builders.ts'
import { insertProject, insertUser, NOW } from '../../../src/stores/contract/sql-builders.ts'
import { openSql } from '../../../src/stores/open.ts'
import { readContent } from '../../../src/stores/outbox/batch-text.ts'
import {
  type Acknowledged,
  type DriveOptions,
  JOB_KIND,
  LEASE_MS,
  SHARE_TOKEN,
} from '../../support/drive/drive-plan.ts'
import { startServer } from '../../support/postgres/databases.ts'
import type { PostgresServer } from '../../support/postgres/server.ts'
import { size } from '../../support/size.ts'

const PROCESSES = 3
const JOBS = size(60, 2_000)
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url))
/** Not what it takes: a busy machine starts a process in seconds. */
const LONG = { timeout: size(300_000, 3_600_000) }
const PATIENT = { timeout: 120_000, interval: 50 }

interface Driven {
  child: ChildProcess
  /** Lines since its start. */
  lines: number
}

let folder: string
let program: string
let server: PostgresServer
let options: DriveOptions
let running: Driven[]
let acknowledged: Acknowledged[]

const open = () => openSql({ dataDir: folder, sqlUrl: server.url, eventsUrl: null, blobsUrl: null })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hedgerow-drive-'))
  mkdirSync(CACHE, { recursive: true })
  program = join(mkdtempSync(join(CACHE, 'drive-')), 'drive.mjs')
  const source = fileURLToPath(new URL('../../support/drive/drive-process.ts', import.meta.url))
  const format = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const
  await build({ ...format, entryPoints: [source], outfile: program, logLevel: 'error' })
  server = await startServer()
  running = []
  acknowledged = []
  const { stores, close } = await open()
  const [project, user] = [await insertProject(stores), await insertUser(stores)]
  const { id: projectId } = project
  const sessionId = await insertRecording(stores, { projectId, expiresAt: Date.now() + DAY })
  await stores.transaction(async (tx) => {
    await tx.sharing.ensure(projectId, sessionId, SHARE_TOKEN, NOW)
    await tx.sharing.update(projectId, sessionId, { enabled: true })
    for (let n = 0; n < JOBS; n++) {
      await tx.jobs.add({ kind: JOB_KIND, key: `${n}`, projectId: null, payload: null, runAt: 0 })
    }
  })
  options = { sqlUrl: server.url, dataDir: folder, actor: { project, caller: { user } as Actor['caller'] } }
  await close()
  await query('create table drained (id text primary key, uuids text[] not null)')
})
afterEach(async () => {
  await Promise.all(running.map((driven) => end(driven, 'SIGKILL')))
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
  rmSync(join(program, '..'), { recursive: true, force: true })
})

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client(server.url)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

function start(): Driven {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const driven: Driven = { child, lines: 0 }
  createInterface({ input: child.stdout }).on('line', (line) => {
    // The last line of a killed process may be cut off.
    if (!line.endsWith('}')) return
    acknowledged.push(JSON.parse(line))
    driven.lines++
  })
  running.push(driven)
  return driven
}

async function end(driven: Driven, signal: NodeJS.Signals): Promise<void> {
  running = running.filter((other) => other !== driven)
  const { child } = driven
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  child.kill(signal)
  await ended
}

/** A second later, and every process has something committed once more. */
async function untilAllWork(): Promise<void> {
  await sleep(SECOND)
  const before = new Map(running.map((driven) => [driven, driven.lines]))
  const works = () => running.every((driven) => driven.lines >= (before.get(driven) ?? 0) + 10)
  await vi.waitFor(() => expect(works()).toBe(true), PATIENT)
}

async function finish(): Promise<void> {
  await untilAllWork()
  await Promise.all(running.map((driven) => end(driven, 'SIGTERM')))
}

const of = <K extends string>(name: K) =>
  acknowledged.filter((line): line is Extract<Acknowledged, Record<K, unknown>> => name in line)

/** Every event of each batch, drained or not. */
async function storedEvents(): Promise<string[]> {
  const rows = await query<{ id: string; uuids: string[] }>('select id, uuids from drained')
  const batches = new Map(rows.map(({ id, uuids }) => [id, uuids]))
  const { stores, close } = await open()
  for (const { id, text } of await stores.outbox.peek(1_000_000)) {
    batches.set(
      id,
      readContent(text).events.map(({ uuid }) => uuid),
    )
  }
  await close()
  return [...batches.values()].flat()
}

async function checkEvents(): Promise<void> {
  const drained = await query<{ count: string }>('select count(*) from drained')
  expect(Number(drained[0]?.count)).toBeGreaterThan(0)
  const stored = await storedEvents()
  const distinct = new Set(stored)
  expect(stored.length).toBe(distinct.size)
  const noted = await query<{ count: string }>('select count(*) from event_uuids')
  expect(Number(noted[0]?.count)).toBe(distinct.size)
  const sent = of('events').flatMap(({ events }) => events)
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.filter((uuid) => !distinct.has(uuid))).toEqual([])
}

async function checkPeople(): Promise<void> {
  const [people] = await query(`select
    (select count(*) from persons) = (select sum(persons) from person_counts) as "areCounted",
    (select count(*) from distinct_ids where not exists (
      select 1 from persons where persons.id = person_id and persons.project_id = distinct_ids.project_id)) as orphans`)
  expect(people).toEqual({ areCounted: true, orphans: '0' })
  const rows = await query<{
    distinct_id: string
    properties: string
  }>(`select distinct_id, properties from distinct_ids
    join persons on persons.id = person_id where distinct_id like 'stable-%'`)
  const keys = new Map(rows.map((row) => [row.distinct_id, new Set(Object.keys(JSON.parse(row.properties)))]))
  expect(of('changed').length).toBeGreaterThan(0)
  const patches = of('patched').map(({ patched }) => patched)
  expect(patches.length).toBeGreaterThan(0)
  expect(patches.filter(({ distinctId, key }) => !keys.get(distinctId)?.has(key))).toEqual([])
}

async function checkJobs(): Promise<void> {
  const done = of('done').map((line) => line.done)
  expect(new Set(done).size).toBe(done.length)
  const left = await query<{ id: string }>(`select id from jobs where kind = '${JOB_KIND}'`)
  expect(left.map(({ id }) => Number(id)).filter((id) => done.includes(id))).toEqual([])
  const claims = of('claimed').toSorted((a, b) => a.claimed - b.claimed || a.at - b.at)
  expect(claims.length).toBeGreaterThan(0)
  const early = claims.filter((claim, n) => {
    const before = claims[n - 1]
    return before?.claimed === claim.claimed && claim.at < before.at + LEASE_MS
  })
  expect(early).toEqual([])
  const tries = await query<{ count: string }>('select count(*) from password_tries')
  expect(Number(tries[0]?.count)).toBeGreaterThan(0)
  expect(Number(tries[0]?.count)).toBeLessThanOrEqual(10)
}

async function checkAll(): Promise<void> {
  await checkEvents()
  await checkPeople()
  await checkJobs()
  if (process.env.SOAK !== undefined) console.log(`  … ${acknowledged.length} acknowledged, all there once`)
}

it('holds what processes have acknowledged that were killed', LONG, async () => {
  for (let n = 0; n < PROCESSES; n++) start()
  for (let kills = 0; kills < size(3, 60); kills++) {
    await untilAllWork()
    const [victim] = running
    if (victim) await end(victim, 'SIGKILL')
    start()
  }
  await finish()
  await checkAll()
})

it('holds what it has acknowledged to processes when it is killed itself', LONG, async () => {
  for (let n = 0; n < PROCESSES; n++) start()
  for (let kills = 0; kills < size(2, 20); kills++) {
    await untilAllWork()
    await server.kill()
    await server.start()
  }
  await finish()
  await checkAll()
})
