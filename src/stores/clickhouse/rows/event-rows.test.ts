/** Rows of events, compared with the same values written one by one. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readNumeric } from '../../../lib/text/numeric.ts'
import { readInstant } from '../../../lib/time/time.ts'
import { idHash } from '../../id-hash.ts'
import { textForm } from '../../property-filter.ts'
import { microsOf } from '../values/literal.ts'
import { RowWriter } from '../values/row-binary.ts'
import { dayOf, type EventRow, NO_SESSION, periodOf, writeEvents } from './event-rows.ts'

const NOW = Date.UTC(2026, 2, 1)

/** Longer texts, and white space around numbers, are for the contract of filters. */
function numberIn(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? (readNumeric(value) ?? Number.NaN) : Number.NaN
}

function instantIn(text: string): number {
  if (/^\d{9,10}(?:\.\d+)?$/.test(text)) return Number(text) * 1_000
  if (/^\d{12,13}(?:\.\d+)?$/.test(text)) return Number(text)
  return readInstant(text) ?? Number.NaN
}

function plainly(rows: EventRow[]): { events: Buffer; moments: Buffer } {
  const [events, moments] = [new RowWriter(), new RowWriter()]
  for (const { event, seq, place } of rows) {
    const { projectId, distinctId, personId, timestamp } = event
    const hash = idHash(projectId, distinctId)
    const entries = Object.entries(JSON.parse(event.properties) as Record<string, unknown>)
    const texts = entries.map(([, value]) => textForm(value))
    events.uint32(projectId)
    events.int32(periodOf(timestamp, NOW))
    events.int32(dayOf(timestamp))
    events.text(event.event)
    events.int64(hash)
    events.int64(microsOf(timestamp))
    events.int64(BigInt(seq))
    events.uint32(place)
    events.int64(personId == null ? hash : BigInt(personId))
    events.uuid(event.uuid)
    events.uuid(NO_SESSION)
    events.text(distinctId)
    const before = events.length
    events.list(entries, ([key]) => events.text(key))
    events.list(entries, ([, value]) => events.text(typeof value === 'string' ? `"${value}` : textForm(value)))
    events.list(entries, ([, value]) => events.double(numberIn(value)))
    events.list(texts, (text) => events.double(instantIn(text)))
    const size = events.length - before
    events.list([], () => {})
    events.uint32(size)
    moments.uint32(projectId)
    moments.int32(periodOf(timestamp, NOW))
    moments.int64(hash)
    moments.text(distinctId)
    moments.text(event.event)
    moments.int64(microsOf(timestamp))
    moments.int64(BigInt(seq))
    moments.uint32(place)
    moments.uuid(event.uuid)
    moments.uint32(size)
  }
  return { events: events.bytes(), moments: moments.bytes() }
}

const key = fc.constantFrom('a', 'b', 'c', '$browser', 'größe')
const value = fc.oneof(
  fc.constantFrom('', '12', '-7.5', '2026-01-05', '2026-01-05T08:00:00.5Z', '1700000000', '1700000000000', 'é', 'text'),
  fc.constantFrom(0, -1, 1e21, 0.5, 1_700_000_000, true, false, null),
  fc.constantFrom([1, 'x'], { deep: [null] }),
  fc.string({ maxLength: 70 }).filter((text) => !/^[\s\d.+-]/.test(text)),
  fc.uuid(),
  fc.stringMatching(/^\d[\de.:TZ]{7}-[\de.:TZ]{4}-[\de.:TZ+-]{22}$/),
  fc.stringMatching(/^\d{7}e-\d{4}[\d ]{23}$/),
  fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{10}[+-]\d\d:\d\d$/),
)
const row = fc.record({
  properties: fc.dictionary(key, value, { maxKeys: 5 }).map((given) => JSON.stringify(given)),
  distinctId: fc.string({ minLength: 1, maxLength: 70 }),
  sessionId: fc.constantFrom(null, 'none', NO_SESSION),
  personId: fc.constantFrom(null, undefined, 1, 5_000_000_000, 2 ** 53 - 1),
  timestamp: fc.constantFrom(NOW, NOW - 0.001, NOW + 0.125, -1.5, 0, 8.64e15, -8.64e15, 9e12, 9e12 - 1),
})

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

it('are the same as values written one by one', async () => {
  const some = fc.array(row, { minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(some, async (given) => {
      const rows = given.map((one, place) => ({
        event: { projectId: 7, uuid: randomUUID(), event: 'opened', ...one },
        seq: 2 ** 40 + place,
        place,
      }))
      const [found, expected] = [writeEvents(rows, NOW), plainly(rows)]
      expect((await bytesOf(found.moments)).equals(expected.moments)).toBe(true)
      expect((await bytesOf(found.events)).equals(expected.events)).toBe(true)
    }),
    { numRuns: 300 },
  )
})
