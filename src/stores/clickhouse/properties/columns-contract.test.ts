/** The contract of the event store with a column for every key that a test uses, made after its first rows were stored. */
import { describe } from 'vitest'
import { newClickhouse, noClickhouse } from '../../../../test/support/clickhouse/databases.ts'
import { PATIENT } from '../../../../test/support/clickhouse/patient.ts'
import type { EventStore } from '../../../model/events/event.ts'
import type { OutboxBatch } from '../../../model/events/outbox.ts'
import { eventStoreContract } from '../../contract/registry.ts'
import { readContent } from '../../outbox/batch-text.ts'
import { createStore } from '../events.ts'
import { openParts } from '../open-parts.ts'
import type { Parts } from '../parts.ts'
import { addColumns, PROPERTY_TABLES, type PropertyTable } from './property-columns.ts'

/** Some tests use keys without number. */
const MOST = 40

const keysOf = (texts: { properties: string }[]): string[] =>
  texts.flatMap(({ properties }) => Object.keys(JSON.parse(properties)))

function keysIn(batches: OutboxBatch[]): Record<PropertyTable, string[]> {
  const contents = batches.map(({ text }) => readContent(text))
  return {
    events: contents.flatMap(({ events }) => keysOf(events)),
    persons: contents.flatMap(({ persons }) => keysOf(persons)),
  }
}

async function giveColumns(parts: Parts, keys: Record<PropertyTable, string[]>): Promise<void> {
  const known = await parts.columns.current()
  for (const table of PROPERTY_TABLES) {
    const news = [...new Set(keys[table])].filter((key) => !known[table].has(key)).slice(0, MOST - known[table].size)
    if (news.length === 0) continue
    await addColumns(
      parts.servers,
      table,
      news.map((key) => ({ key, hasNumber: true, width: 1 })),
    )
    parts.columns.forget()
  }
}

async function openWithColumns(url: string): Promise<EventStore> {
  const parts = await openParts(url, PATIENT)
  const store = createStore(parts)
  return {
    ...store,
    async apply(batches, now) {
      await store.apply(batches, now)
      // Of a batch that is refused there is nothing to see.
      await giveColumns(parts, keysIn(batches))
    },
  }
}

const newPlace = async () => {
  const { url, drop } = await newClickhouse()
  return { open: () => openWithColumns(url), remove: drop }
}

describe.skipIf(noClickhouse)('on two shards', () => {
  eventStoreContract('ClickHouse 18.16 with columns', newPlace, {
    length: 'short',
    // What asks nothing of properties, or the same as others.
    leaveOut: [
      'applying',
      'people',
      'many people',
      'people of an earlier version',
      'timeline',
      'sessions',
      'channel type',
      'session values',
      'listing',
      'reads that nobody waits for',
      'version of the data',
      'funnels',
      'retention',
      'lifecycle',
      'insights of any size',
      'any number of rows',
      'projects',
      'erasing',
    ],
  })
})
