/**
 * Splits a batch into parts: each event and each change to the projection becomes a batch of its own, with an id
 * derived from the batch's id and the part's place. The same batch is always split in the same way, so that a part that
 * was applied is recognized by any later pass.
 */
import { uuidV5 } from '../../lib/ids.ts'
import type { NewParkedBatch, OutboxBatch } from '../../model/events/outbox.ts'
import { lastDistinctIds, lastPersons, readContent, rewriteContent, sizeOf, type WrittenContent } from './batch-text.ts'

export interface BatchPart {
  projectId: number
  /** Exactly one event or one change. */
  content: WrittenContent
  batch: OutboxBatch
}

export interface RefusedPart {
  part: BatchPart
  error: string
}

const NOTHING: WrittenContent = { events: [], persons: [], distinctIds: [] }

/** Throws when the batch cannot be read. */
export function partsOf({ id, seq, text, hold }: OutboxBatch): BatchPart[] {
  const { events, persons, distinctIds, places, ...rest } = readContent(text)
  const part = (name: string, projectId: number, content: Partial<WrittenContent>): BatchPart => {
    const whole = { ...NOTHING, ...rest, ...content }
    const own = { id: uuidV5(id, name), seq, text: rewriteContent(whole), partOf: id }
    const batch = hold ? { ...own, hold } : own
    return { projectId, content: whole, batch }
  }
  // Of two for one key the last: parts have the same `seq`, so that nothing else would decide which counts.
  return [
    ...lastPersons(persons).map((row) =>
      part(`person ${row.projectId}/${row.personId}`, row.projectId, { persons: [row] }),
    ),
    ...lastDistinctIds(distinctIds).map((row) =>
      part(`distinct id ${row.projectId}/${row.distinctId}`, row.projectId, { distinctIds: [row] }),
    ),
    ...events.map((event, index) =>
      part(`event ${index}`, event.projectId, { events: [event], places: [places?.[index] ?? index] }),
    ),
  ]
}

/** What to park of a batch: one batch for each project and error. */
export function joinRefused(refused: RefusedPart[], newId: () => string): NewParkedBatch[] {
  const groups = new Map<string, RefusedPart[]>()
  for (const one of refused) {
    const key = `${one.part.projectId} ${one.error}`
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return [...groups.values()].map((group) => {
    const contents = group.map(({ part }) => part.content)
    const places = contents.flatMap(({ places = [] }) => places)
    const content: WrittenContent = {
      // All are parts of one batch.
      ...contents[0],
      ...(places.length > 0 ? { places } : {}),
      events: contents.flatMap(({ events }) => events),
      persons: contents.flatMap(({ persons }) => persons),
      distinctIds: contents.flatMap(({ distinctIds }) => distinctIds),
    }
    const [first] = group as [RefusedPart]
    return {
      id: newId(),
      projectId: first.part.projectId,
      text: rewriteContent(content),
      ...sizeOf(content),
      error: first.error,
    }
  })
}
