/** Builders for the contract of the event store: batches and their parts with plain defaults. */
import { uuidV7 } from '../../lib/ids.ts'
import { UuidSet } from '../../lib/lists/uuid-set.ts'
import type { EventStore, FoundSessions } from '../../model/events/event.ts'
import type { OutboxBatch, OutboxContent, OutboxEvent, PersonProjection } from '../../model/events/outbox.ts'
import type { EventSelector } from '../../model/insights/insight-question.ts'
import type { Properties } from '../../model/persons/person.ts'
import { writeContent } from '../outbox/batch-text.ts'

export const NOON = Date.UTC(2026, 2, 1, 12)
export const EVER = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** A store and a project of the test's own, so that tests can share the store. */
export interface Opened {
  store: EventStore
  projectId: number
  /** Closes the store and opens it again; absent where nothing survives that. */
  reopen?: () => Promise<EventStore>
}

let lastErasure = 0

/** The id of a request to erase: the store keeps its counts by it, and tests share the store. */
export const newErasureId = () => ++lastErasure

export const makeEvent = (projectId: number, given: Partial<OutboxEvent> = {}): OutboxEvent => ({
  projectId,
  uuid: uuidV7(NOON),
  event: 'opened',
  distinctId: 'ann',
  timestamp: NOON,
  sessionId: null,
  properties: {},
  ...given,
})

/** A person of the projection with its properties as they are read. */
export interface MadePerson extends Omit<PersonProjection, 'properties'> {
  properties: Properties
}

export interface MadeContent extends Omit<OutboxContent, 'persons'> {
  persons: MadePerson[]
}

export const makePerson = (projectId: number, given: Partial<MadePerson> = {}): MadePerson => ({
  projectId,
  personId: 1,
  uuid: uuidV7(NOON),
  properties: {},
  createdAt: NOON,
  updatedAt: NOON,
  lastSeenAt: null,
  isIdentified: false,
  deleted: false,
  ...given,
})

/** The same as a transaction hands it to the outbox. */
export const toProjection = (person: MadePerson): PersonProjection => ({
  ...person,
  properties: JSON.stringify(person.properties),
})

type MadeBatch = Omit<OutboxBatch, 'text'> & MadeContent

/** A batch as the outbox returns it. */
const sealBatch = ({ id, seq, persons, ...content }: MadeBatch): OutboxBatch => ({
  id,
  seq,
  text: writeContent({ ...content, persons: persons.map(toProjection) }),
})

export const makeBatch = (seq: number, given: Partial<MadeContent> = {}): OutboxBatch =>
  sealBatch({ id: uuidV7(NOON), seq, events: [], persons: [], distinctIds: [], ...given })

/** A batch that is the same in every process: `events` events, a person and its id, all derived from `n`. */
export function numberedBatch(n: number, events: number, properties: Record<string, unknown> = {}): OutboxBatch {
  const uuid = (kind: number, number: number) => `0000000${kind}-0000-7000-8000-${String(number).padStart(12, '0')}`
  const distinctId = `id-${n}`
  const rows = Array.from({ length: events }, (_, i) =>
    makeEvent(1, { uuid: uuid(1, n * events + i), distinctId, timestamp: n, properties }),
  )
  const persons = [makePerson(1, { personId: n, uuid: uuid(2, n), createdAt: n, properties: { n } })]
  const distinctIds = [{ projectId: 1, distinctId, personId: n }]
  return sealBatch({ id: uuid(3, n), seq: n, events: rows, persons, distinctIds })
}

/** Applies one batch of these events; returns them as they were applied. */
export async function applyEvents(
  { store, projectId }: Opened,
  given: Partial<OutboxEvent>[],
  seq = 1,
): Promise<OutboxEvent[]> {
  const events = given.map((event) => makeEvent(projectId, event))
  await store.apply([makeBatch(seq, { events })], NOON)
  return events
}

/** Any event at all. */
export const ANY_EVENT: EventSelector = { event: null, filter: null }

/** One event of a session: `at` seconds after it began. */
export interface SessionEvent {
  at?: number
  event?: string
  properties?: Record<string, unknown>
}

let sessions = 0

/** Applies the events of one new session in one batch; returns its id. */
export async function applySession(opened: Opened, events: SessionEvent[], seq = 1): Promise<string> {
  const start = NOON + ++sessions
  const sessionId = uuidV7(start)
  const rows = events.map(({ at = 0, event = '$pageview', properties = {} }) => ({
    event,
    sessionId,
    properties,
    timestamp: start + at * 1_000,
  }))
  await applyEvents(opened, rows, seq)
  return sessionId
}

/** The timestamps of all events under these ids. */
export async function timesOf({ store, projectId }: Opened, ...distinctIds: string[]): Promise<number[]> {
  const moments = await store.timeline({ projectId, distinctIds, events: null, ...EVER })
  return moments.map((moment) => moment.timestamp)
}

/** `name: count` of one session property's values. */
export async function valuesOf({ store, projectId }: Opened, key: string, search: string | null = null) {
  const values = await store.sessionValues({ projectId, keys: [key], search, limit: 100 })
  return values.map(({ name, count }) => `${name}: ${count}`)
}

/** The found ids as texts, in their order. */
export async function sessionsOf(found: Promise<FoundSessions>): Promise<string[]> {
  return new UuidSet((await found).ids).texts()
}
