/**
 * Fills a data folder with a size of the growth bench, through the stores' own ports and the outbox, as capture does,
 * and keeps it in a cache folder: the largest size takes many minutes. Every run works on a copy.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { uuidV7 } from '../../src/lib/ids.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { DAY, HOUR } from '../../src/lib/time/time.ts'
import type { PropertyChange } from '../../src/model/persons/person.ts'
import type { SqlWriters, Stores } from '../../src/model/stores.ts'
import { personUuid } from '../../src/rules/persons/identity.ts'
import { startColumnsPass } from '../../src/stores/duckdb/columns/columns-pass.ts'
import { openParts } from '../../src/stores/duckdb/open-parts.ts'
import { foldAll } from '../../src/stores/duckdb/people/people-projection.ts'
import { LIMITS } from '../../src/stores/duckdb/progress.ts'
import { openApp, PROJECT } from '../seed.ts'
import { tempFolder } from '../temp-folder.ts'
import { eventOf, personOf, type Size } from './world.ts'

/** Raised when the seeded content changes; folders of earlier versions of the stores are migrated, not seeded again. */
const CONTENT = 2
const CACHE = process.env.BENCH_CACHE ?? join(homedir(), '.cache', 'hedgerow-bench')
const SEEDED_AT = 'seeded-at'

const PEOPLE_AT_ONCE = 2_000
const EVENTS_AT_ONCE = 5_000
const EVENTS_PER_RECORDING = 500
/** Batches that may wait in the outbox. */
const MOST_WAITING = 20
const SAY_EVERY = 250_000
const count = (n: number) => n.toLocaleString('en-US')

export interface Seeded {
  dataDir: string
  /** When it was seeded: the end of its 90 days. */
  now: number
}

type Say = (progress: string) => void

async function addPeople(tx: SqlWriters, numbers: number[], size: Size, now: number): Promise<void> {
  const seq = await tx.outbox.nextSeq()
  const rows = numbers.map((n) => {
    const { distinctIds, createdAt, properties } = personOf(n, size, now)
    const uuid = personUuid(PROJECT, distinctIds[0] as string)
    const lastSeenAt = Math.floor(createdAt / HOUR) * HOUR
    const json = JSON.stringify(properties)
    return { distinctIds, set: properties, uuid, properties: json, isIdentified: true, createdAt, lastSeenAt }
  })
  const ids = await tx.intake.addPersons(PROJECT, rows, now)
  const persons = []
  const owners = []
  const changes: PropertyChange[] = []
  for (const [place, { distinctIds, set, ...row }] of rows.entries()) {
    const { uuid, createdAt } = row
    const personId = ids[place] ?? null
    if (personId === null) throw new Error(`Two persons have the uuid ${uuid}.`)
    for (const distinctId of distinctIds) owners.push({ projectId: PROJECT, distinctId, personId })
    changes.push({ personId, set, once: {}, removed: [], at: createdAt, seq, eventUuid: uuid })
    persons.push({ projectId: PROJECT, personId, ...row, updatedAt: now, deleted: false })
  }
  await tx.intake.addDistinctIds(PROJECT, owners)
  await tx.persons.addHistory(PROJECT, changes)
  await tx.outbox.add({ id: uuidV7(now), seq, events: [], persons, distinctIds: owners }, now)
}

async function addRecording(tx: SqlWriters, n: number, size: Size, now: number): Promise<void> {
  const { sessionId, distinctId, timestamp: startAt } = eventOf(n, size, now)
  const endAt = startAt + 60_000 + (n % 600) * 1_000
  const recording = {
    projectId: PROJECT,
    sessionId,
    distinctId,
    startAt,
    endAt,
    activeMs: Math.floor((endAt - startAt) / 2),
    counters: {
      clicks: n % 40,
      keypresses: n % 90,
      mouseActivity: n % 200,
      consoleLogs: n % 3,
      consoleWarns: 0,
      consoleErrors: n % 2,
    },
    startUrl: 'https://app.example.com/',
    snapshotSource: 'web' as const,
    snapshotLibrary: 'posthog-js',
    totalSize: 100_000,
    eventCount: 200,
    retentionDays: 365,
    expiresAt: startAt + 365 * DAY,
    lastIngestAt: endAt,
  }
  await tx.recordings.create(recording, [])
}

async function addEvents(tx: SqlWriters, numbers: number[], size: Size, now: number): Promise<void> {
  const seq = await tx.outbox.nextSeq()
  for (const n of numbers) if (n % EVENTS_PER_RECORDING === 0) await addRecording(tx, n, size, now)
  const made = numbers.map((n) => eventOf(n, size, now))
  const owners = await tx.intake.resolve(PROJECT, [...new Set(made.map(({ distinctId }) => distinctId))])
  const events = made.map((event) => {
    return { projectId: PROJECT, ...event, personId: owners.get(event.distinctId)?.id ?? null }
  })
  await tx.outbox.add({ id: uuidV7(now), seq, events, persons: [], distinctIds: [] }, now)
}

async function untilDrained(stores: Stores, atMost: number): Promise<void> {
  while ((await stores.outbox.backlog()).length > atMost) await sleep(20)
}

type Add = typeof addPeople

async function addAll(
  stores: Stores,
  total: number,
  atOnce: number,
  add: (...a: Parameters<Add>) => Promise<void>,
  parts: { size: Size; now: number; say: (done: number) => void },
): Promise<void> {
  const { size, now, say } = parts
  for (let start = 0; start < total; start += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, total - start) }, (_, i) => start + i)
    await stores.transaction((tx) => add(tx, numbers, size, now))
    await untilDrained(stores, MOST_WAITING)
    if ((start + atOnce) % SAY_EVERY < atOnce) say(start + numbers.length)
  }
}

async function fill(dataDir: string, size: Size, say: Say): Promise<number> {
  const app = await openApp(dataDir)
  const now = systemClock.now()
  try {
    const people = (done: number) => say(`size ${size.name}: ${count(done)} of ${count(size.people)} people`)
    await addAll(app.stores, size.people, PEOPLE_AT_ONCE, addPeople, { size, now, say: people })
    const events = (done: number) => say(`size ${size.name}: ${count(done)} of ${count(size.events)} events`)
    await addAll(app.stores, size.events, EVENTS_AT_ONCE, addEvents, { size, now, say: events })
    await untilDrained(app.stores, 0)
  } finally {
    await app.close()
  }
  return now
}

/** As a server that has run for a while: common properties are in columns. Of all rows, or as far as a server does. */
export async function fillColumns(dataDir: string, ofAll = false): Promise<void> {
  const limits = { ...LIMITS }
  const parts = await openParts(join(dataDir, 'events.duckdb'), limits)
  try {
    const pass = startColumnsPass(parts)
    await pass.finish()
    const left = parts.progress.lastOrd - parts.properties.scanned
    if (ofAll && left > 0) limits.blockEvents = left
    if (ofAll) {
      await parts.database.write(
        (connection) => foldAll(connection, parts),
        (folded) => Object.assign(parts.progress, folded),
      )
    }
    await pass.finish()
  } finally {
    await parts.database.close()
  }
}

/** A copy of a folder with this size, seeded first when the cache has none. */
export async function seededFolder(size: Size, say: Say): Promise<Seeded> {
  const kept = join(CACHE, `growth-${CONTENT}-${size.name}`)
  if (!existsSync(kept)) {
    const unfinished = `${kept}.unfinished`
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    const now = await fill(unfinished, size, say)
    writeFileSync(join(unfinished, SEEDED_AT), String(now))
    renameSync(unfinished, kept)
  }
  say(`size ${size.name}: columns of common properties`)
  await fillColumns(kept)
  const dataDir = tempFolder()
  cpSync(kept, dataDir, { recursive: true })
  return { dataDir, now: Number(readFileSync(join(kept, SEEDED_AT), 'utf8')) }
}
