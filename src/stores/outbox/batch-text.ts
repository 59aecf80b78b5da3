/**
 * A batch as text, from the transaction that wrote it to the event store: a line of JSON for everything but the
 * properties of events, then a line for the properties of each event. The stores keep these properties as text and
 * never have to parse them.
 */
import type { OutboxContent, OutboxWriter, ParkedContent, PersonProjection } from '../../model/events/outbox.ts'
import type { StoredEvent } from '../../model/events/stored-event.ts'

export interface WrittenEvent extends Omit<StoredEvent, 'seq' | 'properties'> {
  /** JSON. */
  properties: string
}

type Later = 'updatedAt' | 'lastSeenAt' | 'isIdentified'

/** A person as it stands in a batch; one that an earlier version wrote lacks these three. */
export type WrittenPerson = Omit<PersonProjection, Later> & Partial<Pick<PersonProjection, Later>>

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
]

interface FirstLine extends Omit<WrittenContent, 'events'> {
  heads: Head[]
}

function firstLine({ events, persons, distinctIds }: OutboxContent | WrittenContent): string {
  const heads = events.map(
    (event): Head => [event.projectId, event.uuid, event.event, event.distinctId, event.timestamp, event.sessionId],
  )
  const first: FirstLine = { heads, persons, distinctIds }
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
export const writeContent = (content: OutboxContent): string =>
  [firstLine(content), ...content.events.map((event) => JSON.stringify(event.properties))].join('\n')

/** Parsed content, or a part of it, as text again. */
export const rewriteContent = (content: WrittenContent): string =>
  [firstLine(content), ...content.events.map((event) => event.properties)].join('\n')

const NOT_WHOLE = 'The text of the batch is not whole.'

/** Every element must have a project: batches are split, parked and removed by it. */
const isOwned = ({ events, persons, distinctIds }: WrittenContent): boolean =>
  events.every(({ projectId }) => Number.isInteger(projectId)) &&
  persons.every(({ projectId, personId }) => Number.isInteger(projectId) && Number.isInteger(personId)) &&
  distinctIds.every(({ projectId }) => Number.isInteger(projectId))

/** Throws when it is not JSON, or of another shape. */
export function readContent(text: string): WrittenContent {
  const [first = '', ...lines] = text.split('\n')
  const read = JSON.parse(first) as FirstLine | OutboxContent
  // One line for everything: the format before 0.1, in case such a batch still waits.
  if ('events' in read) return readContent(writeContent(read))
  const { heads, persons, distinctIds } = read
  if (lines.length !== heads.length) throw new Error(NOT_WHOLE)
  const events = heads.map(([projectId, uuid, event, distinctId, timestamp, sessionId], i) => ({
    projectId,
    uuid,
    event,
    distinctId,
    timestamp,
    sessionId,
    properties: lines[i] as string,
  }))
  const content = { events, persons, distinctIds }
  if (!isOwned(content)) throw new Error(NOT_WHOLE)
  return content
}
