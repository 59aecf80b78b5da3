/** Parked batches for tests: what the event store refused, as it is left in the SQL store. */
import { randomUUID } from 'node:crypto'
import { uuidV7 } from '../../../src/lib/ids.ts'
import type { OutboxContent } from '../../../src/model/events/outbox.ts'
import type { SqlStores, Stores } from '../../../src/model/stores.ts'
import { readContent, type WrittenContent, writeContent } from '../../../src/stores/outbox/batch-text.ts'
import type { TestClock } from '../clock.ts'

interface Host {
  stores: SqlStores
  clock: Pick<TestClock, 'now'>
}

export interface ParkedInput extends Partial<OutboxContent> {
  projectId?: number
  error?: string
  /** Its bytes are unreadable; nor is its project known, unless it is given. */
  unreadable?: boolean
}

/** Parks a batch of this content under the next `seq`; returns its id. */
export function makeParked({ stores, clock }: Host, input: ParkedInput): Promise<string> {
  const {
    projectId = input.unreadable ? null : 1,
    events = [],
    persons = [],
    distinctIds = [],
    error = 'refused',
    unreadable = false,
  } = input
  const content = { events, persons, distinctIds }
  return stores.transaction(async (tx) => {
    const [row, id] = [uuidV7(clock.now()), uuidV7(clock.now())]
    await tx.outbox.add({ id: row, seq: await tx.outbox.nextSeq(), ...content }, clock.now())
    const size = { events: events.length, changes: persons.length + distinctIds.length }
    const text = unreadable ? 'no batch' : writeContent(content)
    const batch = { id, projectId, error, text, ...size }
    await tx.outbox.park(row, [batch], clock.now())
    return id
  })
}

export const parkedEvent = (distinctId: string, given: Partial<OutboxContent['events'][number]> = {}) => ({
  projectId: 1,
  uuid: randomUUID(),
  event: 'parked',
  distinctId,
  timestamp: 0,
  sessionId: null,
  properties: {},
  ...given,
})

/** What is parked, all batches together. */
export async function parkedContent(stores: Stores): Promise<WrittenContent> {
  const texts = await stores.transaction((tx) => tx.outbox.parkedTexts({ after: '', limit: 1_000 }))
  const contents = texts.map(({ text }) => readContent(text))
  return {
    events: contents.flatMap(({ events }) => events),
    persons: contents.flatMap(({ persons }) => persons),
    distinctIds: contents.flatMap(({ distinctIds }) => distinctIds),
  }
}

/** Retries all of them, as the command does. */
export async function retryParked(stores: Stores): Promise<void> {
  const { items } = await stores.outbox.parked({ limit: 1_000, offset: 0 })
  await stores.transaction(async (tx) => {
    for (const { id } of items) await tx.outbox.unpark(id, 0)
  })
}
