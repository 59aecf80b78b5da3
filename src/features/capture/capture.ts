/**
 * Accepted means stored: requests that arrive within a few milliseconds share one SQL transaction, in which
 * duplicates are left out, people are changed in event order, and one outbox row carries the batch to the event
 * store. A request is answered only after that transaction is on the disk.
 */
import type { Found } from '../../http/access/auth.ts'
import { Batcher } from '../../lib/concurrency/batcher.ts'
import { Slices } from '../../lib/concurrency/time-slices.ts'
import { overloaded } from '../../lib/errors.ts'
import { uuidV7 } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Project } from '../../model/accounts/project.ts'
import type { OutboxContent, OutboxEvent } from '../../model/events/outbox.ts'
import type { SqlWriters, Stores } from '../../model/stores.ts'
import { ingestionWarning, MAX_WARNINGS } from '../../rules/capture/ingestion-warning.ts'
import { refuseRemoved, unknownToken } from '../../rules/capture/unknown-token.ts'
import { addressRule } from './client-address.ts'
import { findPeople, type LoadedPeople, lockPeople } from './load-people.ts'
import { People } from './people.ts'
import { type Arrival, type Drop, type ReadyEvent, readEvents, readManyEvents, type Warning } from './pipeline.ts'
import { type CaptureRequest, checkToken } from './request.ts'

interface CaptureMeters {
  step(step: string, ms: number): void
  dropped(reason: string, count: number): void
  accepted(count: number): void
}

interface CaptureLimits {
  /** Events waiting for the transaction. */
  queuedEvents: number
  /** Outbox rows beyond which no more events are accepted. */
  outboxRows: number
}

export interface CaptureParts {
  stores: Pick<Stores, 'peopleTransaction' | 'transactionsAtOnce' | 'outbox'>
  clock: Clock
  findProject: (token: string) => Found<Project>
  meters: CaptureMeters
  limits: CaptureLimits
  /** Whether the disk has room for more events. */
  hasRoom: () => boolean
}

/** The events of one request for the transaction. */
interface Delivery {
  projectId: number
  events: ReadyEvent[]
  weight: number
  warnings: Warning[]
  /** What its transaction left for another one. */
  rest: Delivery | null
}

/** How the endpoints differ; see Arrival. */
export type Protocol = Partial<Pick<Arrival, 'defaultName' | 'isStrict'>>

/** Of a request, as RawCall has it. */
interface Sender {
  ip: () => string
  note: (project: Project) => void
}

const SERVER: Sender = { ip: () => '', note: () => {} }

export interface Accepted {
  stored: ReadyEvent[]
  drops: Drop[]
}

/** Limit of work in one transaction, so that other writers do not wait long for it. */
const WEIGHT_PER_COMMIT = 2_000
/**
 * A merge takes as long as this many events; this many properties of a person above the usual number count as one
 * event.
 */
const MERGE_WEIGHT = 5
const USUAL_PROPERTIES = 100
const PROPERTIES_PER_WEIGHT = 10
/** Nor does a transaction go on once merges have moved this many ids and other rows, which is not known beforehand. */
const MOVED_PER_COMMIT = 2_000
/** Up to this many events of a plain request are read without yielding. */
const READ_AT_ONCE = 200
const WAIT_MS = 2
const BACKLOG_EVERY_MS = 1_000
const PERSON_KEYS = new Set(['$set', '$set_once', '$unset'])

const withoutPerson = (event: ReadyEvent) =>
  Object.fromEntries(Object.entries(event.properties).filter(([key]) => !PERSON_KEYS.has(key)))

const toStored = (projectId: number, event: ReadyEvent, hasPerson: boolean): OutboxEvent => ({
  projectId,
  uuid: event.uuid,
  event: event.event,
  distinctId: event.distinctId,
  timestamp: event.timestamp,
  sessionId: event.sessionId,
  personId: null,
  properties: hasPerson ? event.properties : withoutPerson(event),
})

const countOf = (properties: object): number => {
  let count = 0
  for (const _ in properties) count++
  return count
}

function weightOf({ mergeWith, update }: ReadyEvent): number {
  const properties = countOf(update.set) + countOf(update.setOnce) + update.unset.length
  const unusual = Math.max(0, properties - USUAL_PROPERTIES)
  return 1 + (mergeWith === null ? 0 : MERGE_WEIGHT) + Math.floor(unusual / PROPERTIES_PER_WEIGHT)
}

type Portion = Pick<Delivery, 'events' | 'weight'>

/**
 * The events in order, in groups that fit one transaction; a heavier event is a group of its own. At least one group,
 * even without events.
 */
function portionsOf(events: ReadyEvent[]): Portion[] {
  let last: Portion = { events: [], weight: 0 }
  const portions = [last]
  for (const event of events) {
    const weight = weightOf(event)
    if (last.weight > 0 && last.weight + weight > WEIGHT_PER_COMMIT) {
      last = { events: [], weight: 0 }
      portions.push(last)
    }
    last.events.push(event)
    last.weight += weight
  }
  return portions
}

/** What a request brings, in portions for one transaction each; the first also has the warnings. */
function deliveriesOf({ id: projectId }: Project, ready: ReadyEvent[], drops: Drop[]): Delivery[] {
  const warnings = drops
    .slice(0, MAX_WARNINGS)
    .map((drop) => ({ type: drop.reason, details: { index: drop.index, step: drop.step } }))
  if (ready.length + warnings.length === 0) return []
  // Written out field by field: objects made by spread have a hidden class each, which all that read them pay for.
  return portionsOf(ready).map(({ events, weight }, i) => ({
    projectId,
    events,
    weight,
    warnings: i === 0 ? warnings : [],
    rest: null,
  }))
}

/** What a transaction stores of a project. */
interface Taken {
  projectId: number
  deliveries: Delivery[]
  events: ReadyEvent[]
  /** The uuids of the events that are no duplicates. */
  fresh: Set<string>
  people: LoadedPeople
  /** Whether it waited for others that change the same people. */
  hasLocked: boolean
  /** Whether the project has taken no event before. */
  isFirst: boolean
}

/** Asks for all at once, which is one round trip where there are any. */
async function take(tx: SqlWriters, projectId: number, deliveries: Delivery[], now: number): Promise<Taken> {
  const events = deliveries.flatMap((delivery) => delivery.events)
  const uuids = [...new Set(events.map((event) => event.uuid))]
  const [fresh, people, project] = await Promise.all([
    tx.intake.freshUuids(projectId, uuids, now),
    findPeople(tx, projectId, events),
    refuseRemoved(tx, projectId),
  ])
  const news = events.filter((event) => fresh.has(event.uuid))
  const hasLocked = await lockPeople(tx, projectId, news, people)
  const isFirst = !project.ingestedEvent && news.length > 0
  return { projectId, deliveries, events, fresh, people, hasLocked, isFirst }
}

async function takeAll(tx: SqlWriters, groups: Map<number, Delivery[]>, now: number): Promise<Taken[]> {
  const taken: Taken[] = []
  for (const [projectId, group] of groups) taken.push(await take(tx, projectId, group, now))
  return taken
}

interface Commit {
  seq: number
  now: number
  /** How much of MOVED_PER_COMMIT is left. */
  mayMove: number
}

interface Part {
  content: OutboxContent
  /** How many of all the events, in order, were processed. */
  done: number
  moved: number
}

async function storeProject(tx: SqlWriters, taken: Taken, { seq, now, mayMove }: Commit): Promise<Part> {
  const { projectId, deliveries, events, fresh, people: loaded } = taken
  const warnings = deliveries.flatMap((delivery) => delivery.warnings)
  const slices = new Slices({ isUrgent: true })
  const people = new People({ tx, projectId, loaded, seq, now, slices, warn: (warning) => void warnings.push(warning) })
  const stored: OutboxEvent[] = []
  let done = 0
  for (const event of events) {
    if (people.moved >= mayMove) break
    done++
    if (!fresh.delete(event.uuid)) continue
    stored.push(toStored(projectId, event, await people.apply(event)))
    warnings.push(...event.warnings)
    // The transaction stays open meanwhile: writers wait for it, all other work goes on.
    if (slices.isOver) await slices.rest()
  }
  // If we crash before the rest is stored, it must not count as a duplicate when it is sent again.
  if (fresh.size > 0) await tx.intake.withdrawUuids(projectId, [...fresh])
  const kept = warnings.slice(0, MAX_WARNINGS).map((warning) => ingestionWarning(projectId, warning, now))
  if (kept.length > 0) await tx.intake.addWarnings(projectId, kept)
  if (taken.isFirst) await tx.projects.noteEvent(projectId)
  const changes = await people.save()
  for (const event of stored) event.personId = people.ownerOf(event.distinctId)
  return { content: { events: stored, ...changes }, done, moved: people.moved }
}

type Rests = Map<Delivery, Delivery>

/** What is left after `done` events. The delivery that was cut goes alone, so that it holds up no other. */
function noteRests(rests: Rests, deliveries: Delivery[], done: number): void {
  let left = done
  for (const delivery of deliveries) {
    const { events, weight } = delivery
    if (left < events.length) {
      const rest = { events: events.slice(left), weight: left > 0 ? WEIGHT_PER_COMMIT : weight, warnings: [] }
      rests.set(delivery, { ...delivery, ...rest })
    }
    left = Math.max(0, left - events.length)
  }
}

/** By project, in ascending order: two transactions never wait for each other's projects. */
function byProject(deliveries: Delivery[]): Map<number, Delivery[]> {
  const groups = new Map<number, Delivery[]>()
  for (const delivery of deliveries) {
    const group = groups.get(delivery.projectId)
    if (group) group.push(delivery)
    else groups.set(delivery.projectId, [delivery])
  }
  return groups.size < 2 ? groups : new Map([...groups].sort(([a], [b]) => a - b))
}

/** Stores a group of requests in one transaction. Returns what is left of them for another one. */
async function store(tx: SqlWriters, groups: Map<number, Delivery[]>, now: number): Promise<Rests> {
  // In this order: owners are read after the number up to which they are known.
  const [seenAt, early, taken] = await Promise.all([tx.outbox.seenSeq(), tx.outbox.nextSeq(), takeAll(tx, groups, now)])
  // Of two that change one person the later one must have the greater number.
  const seq = taken.some(({ hasLocked }) => hasLocked) ? await tx.outbox.nextSeq() : early
  // The first number is nobody else's.
  const ownersAt = seenAt === early - 1 ? early : seenAt
  const content: OutboxContent = { events: [], persons: [], distinctIds: [], ownersAt }
  const rests: Rests = new Map()
  let mayMove = MOVED_PER_COMMIT
  for (const project of taken) {
    const { content: part, done, moved } = await storeProject(tx, project, { seq, now, mayMove })
    mayMove -= moved
    noteRests(rests, project.deliveries, done)
    content.events = content.events.concat(part.events)
    content.persons = content.persons.concat(part.persons)
    content.distinctIds = content.distinctIds.concat(part.distinctIds)
  }
  if (content.events.length + content.persons.length === 0) return rests
  await tx.outbox.add({ id: uuidV7(now), seq, ...content }, now)
  return rests
}

function countDrops(drops: Drop[], { dropped }: CaptureMeters): void {
  if (drops.length === 0) return
  const counts = new Map<string, number>()
  for (const { reason } of drops) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  for (const [reason, count] of counts) dropped(reason, count)
}

function knownProject(project: Project | null): Project {
  if (!project) throw unknownToken()
  return project
}

export function createCapture({ stores, clock, findProject, meters, limits, hasRoom }: CaptureParts) {
  const backlog = { fresh: 0, at: Number.NEGATIVE_INFINITY }
  const batcher = new Batcher<Delivery>({
    flush: async (deliveries) => {
      const before = performance.now()
      const groups = byProject(deliveries)
      const rests = await stores.peopleTransaction([...groups.keys()], (tx) => store(tx, groups, clock.now()))
      // Not before it is committed: a group that fails is tried again.
      for (const delivery of deliveries) delivery.rest = rests.get(delivery) ?? null
      meters.step('store', performance.now() - before)
    },
    atOnce: stores.transactionsAtOnce,
    weigh: ({ weight }) => weight,
    maxWeight: WEIGHT_PER_COMMIT,
    maxQueued: limits.queuedEvents,
    waitMs: WAIT_MS,
    full: () => overloaded('queue'),
  })
  /** One after the other. What a transaction left goes to the end of the queue, again until nothing is left. */
  const deliver = async (deliveries: Delivery[]): Promise<void> => {
    for (const delivery of deliveries) {
      for (let next: Delivery | null = delivery; next; next = next.rest) await batcher.add(next)
    }
  }
  /** A stuck event store fills the outbox to its limit; then no more events are accepted. */
  const lookAtBacklog = async (at: number): Promise<void> => {
    // Those that come meanwhile go by the last length.
    backlog.at = at
    try {
      // Those that wait again after a restart of a server have been counted before.
      const { length, again } = await stores.outbox.backlog()
      backlog.fresh = length - again
    } catch (error) {
      backlog.at = Number.NEGATIVE_INFINITY
      throw error
    }
  }
  return {
    /** Refuses an unknown token. */
    async projectOf(token: string): Promise<Project> {
      return knownProject(await findProject(checkToken(token)))
    },
    /**
     * Stores the valid events of a request, in several transactions when there are many, and reports the others.
     * Rejects when not all valid events were stored; when the request is sent again, events with a uuid count once.
     * `sender`: where the request came from, which is told the project as soon as it is known; none when the server
     * itself sends.
     */
    async accept(request: CaptureRequest, protocol: Protocol = {}, sender: Sender = SERVER): Promise<Accepted> {
      const found = findProject(request.token)
      const project = knownProject(found instanceof Promise ? await found : found)
      sender.note(project)
      if (!hasRoom()) throw overloaded('disk_space')
      const now = clock.now()
      const steady = clock.steady()
      if (steady - backlog.at >= BACKLOG_EVERY_MS) await lookAtBacklog(steady)
      if (backlog.fresh >= limits.outboxRows) throw overloaded('outbox')
      const { sentAt, isPlain } = request
      const { defaultName = null, isStrict = false } = protocol
      const address = addressRule(project, sender.ip)
      const arrival: Arrival = { now, sentAt, defaultName, isPlain, isStrict, address }
      const { items } = request
      const { ready, drops } =
        isPlain && items.length <= READ_AT_ONCE
          ? readEvents(items, arrival, meters.step)
          : await readManyEvents(items, arrival, meters.step)
      countDrops(drops, meters)
      await deliver(deliveriesOf(project, ready, drops))
      meters.accepted(ready.length)
      return { stored: ready, drops }
    },
    /** Stores everything that waits. */
    close: () => batcher.close(),
  }
}
