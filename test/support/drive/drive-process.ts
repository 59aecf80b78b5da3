/**
 * One of several processes on one PostgreSQL, for tests that kill them or the server: captures, changes, splits, merges
 * and deletes people, works on jobs, drains the outbox into a table and tries passwords, all at once, until SIGTERM.
 * What is committed it acknowledges by a line on stdout. What fails is tried again, events with the same uuids.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createCapture } from '../../../src/features/capture/capture.ts'
import { createPersonsFeature } from '../../../src/features/persons/persons.feature.ts'
import { checkPassword } from '../../../src/features/sharing/check-password.ts'
import { systemClock as clock } from '../../../src/lib/time/clock.ts'
import type { Stores } from '../../../src/model/stores.ts'
import { openSql } from '../../../src/stores/open.ts'
import { readContent } from '../../../src/stores/outbox/batch-text.ts'
import {
  type Acknowledged,
  type DriveOptions,
  JOB_KIND,
  LEASE_MS,
  SHARE_TOKEN,
  STABLE,
  VISITORS,
} from './drive-plan.ts'

const { sqlUrl, dataDir, actor }: DriveOptions = JSON.parse(process.argv[2] ?? '')
const token = actor.project.apiToken
const own = randomUUID()
const { stores, close } = await openSql({ dataDir, sqlUrl, eventsUrl: null, blobsUrl: null })
const drained = new pg.Pool({ connectionString: sqlUrl, max: 2 })
drained.on('error', () => {})

let isStopping = false
process.once('SIGTERM', () => {
  isStopping = true
})

const acknowledge = (line: Acknowledged): void => void writeSync(1, `${JSON.stringify(line)}\n`)

const capture = createCapture({
  stores,
  clock,
  findProject: () => actor.project,
  meters: { step: () => {}, dropped: () => {}, accepted: () => {} },
  limits: { queuedEvents: 10_000, outboxRows: 1_000_000 },
  hasRoom: () => true,
})
const persons = createPersonsFeature({ stores: stores as unknown as Stores, clock, deleteRecordings: async () => [] })

const anyVisitor = (): string => `visitor-${randomInt(VISITORS)}`
const anyStable = (): string => `stable-${randomInt(STABLE)}`

function newEvent() {
  const [uuid, chance] = [randomUUID(), randomInt(10)]
  const distinctId = chance < 3 ? anyStable() : anyVisitor()
  if (chance === 9) {
    const properties = { $anon_distinct_id: anyVisitor() }
    return { uuid, event: '$identify', distinct_id: anyVisitor(), properties }
  }
  return { uuid, event: 'seen', distinct_id: distinctId, properties: { $set: { [`k${randomInt(5)}`]: uuid } } }
}

/** Sent again until it is accepted, and now and then once more. */
async function captureSome(): Promise<void> {
  const items = Array.from({ length: 1 + randomInt(4) }, newEvent)
  const send = () => capture.accept({ token, sentAt: null, items, isPlain: true })
  for (let isAccepted = false; !isAccepted; ) {
    if (isStopping) return
    isAccepted = await send().then(
      () => true,
      () => sleep(50, false),
    )
  }
  acknowledge({ events: items.map(({ uuid }) => uuid) })
  if (randomInt(5) === 0) await send()
}

async function personOf(distinctId: string): Promise<string | null> {
  return (await stores.persons.findByDistinctIds(actor.project.id, [distinctId])).get(distinctId)?.uuid ?? null
}

/** Of a person that is never merged, split or deleted: its keys stay. */
async function patchStable(): Promise<void> {
  const [distinctId, key] = [anyStable(), randomUUID()]
  const uuid = await personOf(distinctId)
  if (uuid === null) return
  await persons.patch(actor, uuid, { [key]: 1 })
  acknowledge({ patched: { distinctId, key } })
}

async function splitOrDelete(): Promise<void> {
  const uuid = await personOf(anyVisitor())
  if (uuid === null) return
  if (randomInt(3) > 0) await persons.split(actor, uuid, { main: null, chosen: null })
  else await persons.remove(actor, uuid, { deleteEvents: true, deleteRecordings: false, keepPerson: false })
  acknowledge({ changed: uuid })
}

async function workOnJobs(): Promise<void> {
  const claim = { kinds: [JOB_KIND], now: clock.now(), owner: own, leaseMs: LEASE_MS, limit: 3 }
  for (const { id } of await stores.transaction((tx) => tx.jobs.claim(claim))) {
    acknowledge({ claimed: id, at: claim.now })
    if (await stores.transaction((tx) => tx.jobs.complete(id, own))) acknowledge({ done: id })
  }
  await sleep(20)
}

/** The table stands for the event store: it knows the ids of batches that it has. */
async function drain(): Promise<void> {
  const batches = await stores.outbox.peek(1 + randomInt(20))
  for (const { id, text } of batches) {
    const uuids = readContent(text).events.map(({ uuid }) => uuid)
    await drained.query('insert into drained values ($1, $2) on conflict do nothing', [id, uuids])
  }
  await stores.relaxed((tx) => tx.outbox.remove(batches.map(({ id }) => id)))
  await sleep(20)
}

async function tryPassword(): Promise<void> {
  await checkPassword({ stores, clock }, SHARE_TOKEN, 'wrong')
  await sleep(20)
}

const loop = async (work: () => Promise<void>): Promise<void> => {
  while (!isStopping) await work().catch(() => sleep(50))
}

const WORK = [captureSome, captureSome, captureSome, patchStable, splitOrDelete, workOnJobs, drain, tryPassword]
await Promise.all(WORK.map(loop))
await capture.close().catch(() => {})
await drained.end()
await close()
