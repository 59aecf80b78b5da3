/**
 * A batch as text, from the transaction that wrote it to the event store: a line of JSON for all but the properties of
 * events, then one for those of each. The stores keep such properties as text and never have to read them.
 */
import type { OutboxContent, OutboxWriter, ParkedContent } from '../../model/events/outbox.ts'
import type { StoredEvent } from '../../model/events/stored-event.ts'

export interface WrittenEvent extends Omit<StoredEvent, 'seq' | 'properties'> {
  /** JSON. */
  properties: string
}

export interface WrittenContent extends Omit<OutboxContent, 'events'> {
  events: WrittenEvent[]
}

type Head = [
  projectId: number,
  uuid: string,
  event: string,
  distinctId: string,
  timestamp: number,
  sessionId: string | null,
]

interface FirstLine extends Omit<OutboxContent, 'events'> {
  heads: Head[]
}

function firstLine({ events, persons, distinctIds }: OutboxContent | WrittenContent): string {
  const heads = events.map(
    (event): Head => [event.projectId, event.uuid, event.event, event.distinctId, event.timestamp, event.sessionId],
  )
  const first: FirstLine = { heads, persons, distinctIds }
  return JSON.stringify(first)
}

/** Null when it cannot be read. */
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

/** The error of a parked batch of which a part was deleted: the one it had may quote that part. */
const ERROR_OF_THE_REST = 'Part of it was deleted since, and the error with it.'

/** What a parked batch holds from now on, of which only this stays; null: nothing is left. */
export function restOf(stays: WrittenContent): ParkedContent | null {
  const size = sizeOf(stays)
  return size.events + size.changes === 0 ? null : { text: writeAgain(stays), ...size, error: ERROR_OF_THE_REST }
}

/** Leaves of a parked batch what stays of its content; one of which nothing goes is not touched. */
export async function rewriteParkedBatch(
  outbox: Pick<OutboxWriter, 'rewriteParked' | 'removeParked'>,
  id: string,
  { before, stays }: { before: WrittenContent; stays: WrittenContent },
): Promise<void> {
  const rest = restOf(stays)
  const [was, is] = [sizeOf(before), sizeOf(stays)]
  if (rest === null) await outbox.removeParked([id])
  else if (is.events + is.changes < was.events + was.changes) await outbox.rewriteParked(id, rest)
}

/** JSON has no line breaks but those it is given. */
export const writeContent = (content: OutboxContent): string =>
  [firstLine(content), ...content.events.map((event) => JSON.stringify(event.properties))].join('\n')

/** What was read, or a part of it, as text again. */
export const writeAgain = (content: WrittenContent): string =>
  [firstLine(content), ...content.events.map((event) => event.properties)].join('\n')

const NOT_WHOLE = 'The text of the batch is not whole.'

/** Everything has to say whose it is: that is what batches are parted, parked and removed by. */
const isOwned = ({ events, persons, distinctIds }: WrittenContent): boolean =>
  events.every(({ projectId }) => Number.isInteger(projectId)) &&
  persons.every(({ projectId, personId }) => Number.isInteger(projectId) && Number.isInteger(personId)) &&
  distinctIds.every(({ projectId }) => Number.isInteger(projectId))

/** Throws when it is no JSON, or of another shape. */
export function readContent(text: string): WrittenContent {
  const [first = '', ...lines] = text.split('\n')
  const read = JSON.parse(first) as FirstLine | OutboxContent
  // One line for everything: from before 0.1, should such a batch still wait.
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
