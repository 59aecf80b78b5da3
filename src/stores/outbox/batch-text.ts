/**
 * A batch as text, from the transaction that wrote it to the event store: a line of JSON for everything but the
 * properties, then a line for the properties of each event and of each person. The stores keep properties as text and
 * never have to parse them.
 */
import { lastOfEach } from '../../lib/lists/lists.ts'
import type {
  DistinctIdProjection,
  OutboxContent,
  OutboxEvent,
  OutboxWriter,
  ParkedContent,
  PersonProjection,
} from '../../model/events/outbox.ts'
import type { Properties } from '../../model/persons/person.ts'

export interface WrittenEvent extends Omit<OutboxEvent, 'properties'> {
  /** JSON. */
  properties: string
}

/** A person as it stands in a batch; one that an earlier version wrote lacks these two, and `lastSeenAt`. */
export interface WrittenPerson extends Omit<PersonProjection, 'updatedAt' | 'isIdentified'> {
  updatedAt: number | null
  isIdentified: boolean | null
}

export interface WrittenContent extends Omit<OutboxContent, 'events' | 'persons'> {
  events: WrittenEvent[]
  persons: WrittenPerson[]
}

type Head = [
  projectId: number,
  uuid: string,
  event: string,
  distinctId: string,
  timestamp: number,
  sessionId: string | null,
  personId?: number | null | undefined,
]

type PersonHead = [
  projectId: number,
  personId: number,
  uuid: string,
  createdAt: number,
  updatedAt: number | null,
  lastSeenAt: number | null,
  isIdentified: boolean | null,
  deleted: boolean,
]

type IdHead = [projectId: number, distinctId: string, personId: number | null]

interface FirstLine {
  /** Of the format; absent in texts of versions that had no number for it. */
  version?: number
  ownersAt?: number
  places?: number[]
  heads: Head[]
  people: PersonHead[]
  ids: IdHead[]
}

/** Grows when a reader of today could not read, or would misread, what is written. */
const VERSION = 1

function headOf(row: Omit<OutboxEvent, 'properties'>): Head {
  const head: Head = [row.projectId, row.uuid, row.event, row.distinctId, row.timestamp, row.sessionId]
  // In JSON, undefined would become null.
  if (row.personId !== undefined) head.push(row.personId)
  return head
}

function firstLine({ events, persons, distinctIds, ownersAt, places }: OutboxContent | WrittenContent): string {
  const first: FirstLine = {
    version: VERSION,
    ...(ownersAt === null || ownersAt === undefined ? {} : { ownersAt }),
    ...(places === undefined ? {} : { places }),
    heads: events.map(headOf),
    people: persons.map((person) => [
      person.projectId,
      person.personId,
      person.uuid,
      person.createdAt,
      person.updatedAt,
      person.lastSeenAt,
      person.isIdentified,
      person.deleted,
    ]),
    ids: distinctIds.map((row) => [row.projectId, row.distinctId, row.personId]),
  }
  return JSON.stringify(first)
}

/** Null when it cannot be parsed. */
export function tryReadContent(text: string): WrittenContent | null {
  try {
    return readContent(text)
  } catch {
    return null
  }
}

/** The content with these of its events only, each still in its place. */
export function keepEvents(content: WrittenContent, keep: (event: WrittenEvent) => boolean): WrittenContent {
  const kept = content.events.map((event, index) => ({ event, place: content.places?.[index] ?? index }))
  const stays = kept.filter(({ event }) => keep(event))
  if (stays.length === kept.length) return content
  return { ...content, events: stays.map(({ event }) => event), places: stays.map(({ place }) => place) }
}

/** Where it has a person twice, the last row. */
export const lastPersons = <T extends Pick<WrittenPerson, 'projectId' | 'personId'>>(persons: T[]): T[] =>
  lastOfEach(
    persons,
    ({ projectId }) => projectId,
    ({ personId }) => personId,
  )

/** Where it has an id twice, the last row. */
export const lastDistinctIds = (ids: DistinctIdProjection[]): DistinctIdProjection[] =>
  lastOfEach(
    ids,
    ({ projectId }) => projectId,
    ({ distinctId }) => distinctId,
  )

/** The projects of all that is in them; one may come often. */
export function* projectsOf(contents: WrittenContent[]): Generator<number> {
  for (const { events, persons, distinctIds } of contents) {
    for (const rows of [events, persons, distinctIds]) for (const { projectId } of rows) yield projectId
  }
}

/** How many events, and how many changes to the projection. */
export const sizeOf = ({ events, persons, distinctIds }: WrittenContent) => ({
  events: events.length,
  changes: persons.length + distinctIds.length,
})

/** The error of a parked batch of which a part was deleted: its original error may quote that part. */
const ERROR_OF_THE_REST = 'Part of it was deleted since, and the error with it.'

/** The new content of a parked batch of which only this stays; null: nothing is left. */
export function remainingContent(stays: WrittenContent): ParkedContent | null {
  const size = sizeOf(stays)
  return size.events + size.changes === 0 ? null : { text: rewriteContent(stays), ...size, error: ERROR_OF_THE_REST }
}

/** Reduces a parked batch to what stays of its content; a batch that loses nothing is not touched. */
export async function rewriteParkedBatch(
  outbox: Pick<OutboxWriter, 'rewriteParked' | 'removeParked'>,
  id: string,
  { before, stays }: { before: WrittenContent; stays: WrittenContent },
): Promise<void> {
  const rest = remainingContent(stays)
  const [was, is] = [sizeOf(before), sizeOf(stays)]
  if (rest === null) await outbox.removeParked([id])
  else if (is.events + is.changes < was.events + was.changes) await outbox.rewriteParked(id, rest)
}

/** Serialized JSON contains no line breaks. */
function join(content: OutboxContent | WrittenContent, eventProperties: string[]): string {
  const personProperties = content.persons.map(({ properties }) => properties)
  return [firstLine(content), ...eventProperties, ...personProperties].join('\n')
}

export const writeContent = (content: OutboxContent): string =>
  join(
    content,
    content.events.map((event) => JSON.stringify(event.properties)),
  )

/** Parsed content, or a part of it, as text again. */
export const rewriteContent = (content: WrittenContent): string =>
  join(
    content,
    content.events.map((event) => event.properties),
  )

const NOT_WHOLE = 'The text of the batch is not whole.'
const NEWER = 'A newer version wrote the batch. Start that version, then retry it.'

/** Every element must have a project: batches are split, parked and removed by it. */
const isOwned = ({ events, persons, distinctIds }: WrittenContent): boolean =>
  events.every(({ projectId }) => Number.isInteger(projectId)) &&
  persons.every(({ projectId, personId }) => Number.isInteger(projectId) && Number.isInteger(personId)) &&
  distinctIds.every(({ projectId }) => Number.isInteger(projectId))

function readEvents(heads: Head[], lines: string[]): WrittenEvent[] {
  return heads.map(([projectId, uuid, event, distinctId, timestamp, sessionId, personId], i) => ({
    projectId,
    uuid,
    event,
    distinctId,
    timestamp,
    sessionId,
    personId,
    properties: lines[i + 1] as string,
  }))
}

function readPeople(heads: PersonHead[], lines: string[], before: number): WrittenPerson[] {
  return heads.map(([projectId, personId, uuid, createdAt, updatedAt, lastSeenAt, isIdentified, deleted], i) => ({
    projectId,
    personId,
    uuid,
    properties: lines[before + i] as string,
    createdAt,
    updatedAt,
    lastSeenAt,
    isIdentified,
    deleted,
  }))
}

type Later = 'updatedAt' | 'lastSeenAt' | 'isIdentified'

/** As earlier versions wrote it, with its properties in the first line; older ones without these three. */
interface EarlierPerson extends Omit<PersonProjection, 'properties' | Later>, Partial<Pick<PersonProjection, Later>> {
  properties: Properties
}

interface EarlierLine extends Omit<WrittenContent, 'events' | 'persons'> {
  heads: Head[]
  persons: EarlierPerson[]
}

/** Before that, one line for everything. */
interface EarliestLine extends Omit<OutboxContent, 'persons'> {
  persons: EarlierPerson[]
}

const ofEarlier = ({ properties, updatedAt, lastSeenAt, isIdentified, ...person }: EarlierPerson): WrittenPerson => ({
  ...person,
  properties: JSON.stringify(properties),
  updatedAt: updatedAt ?? null,
  lastSeenAt: lastSeenAt ?? null,
  isIdentified: isIdentified ?? null,
})

/** Batches that earlier versions wrote may still wait, or be parked. */
function readLine(read: FirstLine | EarlierLine | EarliestLine, lines: string[]): WrittenContent {
  if ('events' in read) {
    const events = read.events.map((event) => ({ ...event, properties: JSON.stringify(event.properties) }))
    return { events, persons: read.persons.map(ofEarlier), distinctIds: read.distinctIds }
  }
  if ('version' in read && read.version > VERSION) throw new Error(NEWER)
  const after = 1 + read.heads.length
  const isEarlier = 'persons' in read
  if (lines.length !== after + (isEarlier ? 0 : read.people.length)) throw new Error(NOT_WHOLE)
  const events = readEvents(read.heads, lines)
  if (isEarlier) return { events, persons: read.persons.map(ofEarlier), distinctIds: read.distinctIds }
  const distinctIds = read.ids.map(([projectId, distinctId, personId]) => ({ projectId, distinctId, personId }))
  const { ownersAt, places } = read
  return {
    ...(ownersAt === undefined ? {} : { ownersAt }),
    ...(places === undefined ? {} : { places }),
    events,
    persons: readPeople(read.people, lines, after),
    distinctIds,
  }
}

/** Throws when it is not JSON, or of another shape. */
export function readContent(text: string): WrittenContent {
  const lines = text.split('\n')
  const content = readLine(JSON.parse(lines[0] as string), lines)
  if (!isOwned(content)) throw new Error(NOT_WHOLE)
  return content
}
