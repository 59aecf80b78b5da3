import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newClickhouse, noClickhouse } from '../../../../test/support/clickhouse/databases.ts'
import { makeBatch, makeEvent, makePerson, NOON } from '../../contract/batch-builders.ts'
import { copyEvents, sumEvents } from '../../copy/copy-events.ts'
import type { EventsFill, EventsWalk, MovedEvent, MovedPage } from '../../copy/moved-rows.ts'
import { fillDuckdb } from '../../duckdb/copy/fill-store.ts'
import { walkDuckdb } from '../../duckdb/copy/walk-store.ts'
import { openDuckdbEvents } from '../../duckdb/events.ts'
import { storeRows } from '../apply-batches.ts'
import { connect } from '../server/client.ts'
import { readClickhouseUrl } from '../server/read-url.ts'
import { fillClickhouse } from './fill-store.ts'
import { walkClickhouse } from './walk-store.ts'

const MEMORY = 256_000_000
const SOURCE = JSON.stringify({ id: '0197f3c2-7d5e-7000-8000-000000000001' })
const [BATCHES, EVENTS] = [20, 25]
const nothing = () => {}
const current = { owners: 'current', takenPlaces: new Map<number, number>() } as const
const stored = { ...current, owners: 'stored' } as const

/** Pages of a few events each, as if there were many. */
function inSmallPages(walk: EventsWalk, most: number): EventsWalk {
  async function* pages(from: string | null): AsyncGenerator<MovedPage<MovedEvent>> {
    const start = from === null ? 0 : Number(from)
    const all: MovedEvent[] = []
    for await (const { rows } of walk.pages('events', null)) all.push(...rows)
    for (let at = start; at < all.length; at += most) {
      const rows = all.slice(at, at + most)
      yield { rows, next: `${at + rows.length}` }
    }
  }
  return { ...bound(walk), pages: (kind, from) => (kind === 'events' ? pages(from) : walk.pages(kind, from)) as never }
}

const bound = (walk: EventsWalk) => ({ count: walk.count.bind(walk), close: () => walk.close() })

/** Ends after so many pages of events, of which the last is stored and not noted. */
function cutOff(fill: EventsFill, pages: number, storeOnly: (rows: MovedEvent[]) => Promise<void>): EventsFill {
  let added = 0
  return {
    ...fill,
    async add(kind, rows, note) {
      if (kind === 'events' && ++added > pages) {
        await storeOnly(rows as unknown as MovedEvent[])
        throw new Error('killed')
      }
      return fill.add(kind, rows, note)
    },
  }
}

describe.skipIf(noClickhouse)('a copy of events', () => {
  let folder: string
  let url: string
  let drop: () => Promise<void>
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hedgerow-copy-'))
    const store = await openDuckdbEvents(file('source'))
    for (let seq = 1; seq <= BATCHES; seq++) await store.apply([batchOf(seq)], NOON)
    await store.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeEach(async () => {
    ;({ url, drop } = await newClickhouse())
  })
  afterEach(() => drop())
  const file = (name: string) => join(folder, `${name}.duckdb`)

  /** Ids move from one person to the next, and some have none in the end. */
  const batchOf = (seq: number) =>
    makeBatch(seq, {
      events: Array.from({ length: EVENTS }, (_, i) =>
        makeEvent((seq % 2) + 1, {
          distinctId: `id-${i}`,
          timestamp: NOON + (seq % 7) * 86_400_000 + (i % 3),
          properties: { i, text: i === 0 ? 'long '.repeat(4_000) : `${i} '\\ ü` },
          sessionId: i % 2 === 0 ? '0197f3c2-7d5e-7000-8000-00000000000a' : null,
          personId: seq,
        }),
      ),
      persons: [makePerson((seq % 2) + 1, { personId: seq, deleted: seq % 5 === 0, properties: { seq } })],
      distinctIds: [{ projectId: (seq % 2) + 1, distinctId: `id-${seq % 9}`, personId: seq % 4 === 0 ? null : seq }],
    })

  async function sumsOf(walk: EventsWalk) {
    const sums = await sumEvents(walk, nothing)
    await walk.close()
    return sums
  }

  async function copied(walk: EventsWalk, fill: EventsFill) {
    try {
      return await copyEvents(walk, fill, SOURCE, nothing)
    } finally {
      await walk.close()
      await fill.close()
    }
  }

  /** Half of the rows, in one of the tables. */
  const storeHalf = async (rows: MovedEvent[]) => {
    const servers = await connect(readClickhouseUrl(url))
    const half = rows.filter((_, i) => i % 2 === 0).map((event) => ({ event, seq: event.seq, place: event.place }))
    await storeRows(servers, half, false, NOON)
    await servers.close()
  }

  it('goes on where it was cut off, with rows that are there already, up and down', async () => {
    const source = () => walkDuckdb(file('source'), MEMORY, current)
    const expected = await sumsOf(await source())
    expect(expected.events?.['1']?.[0]).toBe((BATCHES / 2) * EVENTS)
    for (const pages of [0, 2]) {
      const fill = cutOff(await fillClickhouse(url), pages, storeHalf)
      await expect(copied(inSmallPages(await source(), 100), fill)).rejects.toThrow('killed')
    }
    expect(await copied(inSmallPages(await source(), 100), await fillClickhouse(url))).toEqual(expected)
    expect(await sumsOf(await walkClickhouse(url, stored))).toEqual(expected)

    const down = cutOff(await fillDuckdb(file('down'), MEMORY), 3, async () => {})
    await expect(copied(inSmallPages(await walkClickhouse(url, current), 100), down)).rejects.toThrow('killed')
    const below = await fillDuckdb(file('down'), MEMORY)
    expect(await copied(inSmallPages(await walkClickhouse(url, current), 100), below)).toEqual(expected)
    expect(await sumsOf(await walkDuckdb(file('down'), MEMORY, stored))).toEqual(expected)
  })

  it('is told apart from the source by one event too few, or another owner', async () => {
    const walk = await walkDuckdb(file('source'), MEMORY, current)
    const expected = await sumEvents(walk, nothing)
    const fill = await fillClickhouse(url)
    await copyEvents(walk, { ...fill, add: (kind, rows, note) => fill.add(kind, rows.slice(1), note) }, SOURCE, nothing)
    await Promise.all([walk.close(), fill.close()])
    const there = await sumsOf(await walkClickhouse(url, stored))
    for (const table of Object.keys(expected)) expect(there[table]).not.toEqual(expected[table])
  })

  it('keeps places free that events have which are parked', async () => {
    const walk = await walkDuckdb(file('source'), MEMORY, { ...current, takenPlaces: new Map([[7, 3]]) })
    const places = new Map<number, number[]>()
    for await (const { rows } of walk.pages('events', null)) {
      for (const { seq, place } of rows) places.set(seq, [...(places.get(seq) ?? []), place])
    }
    await walk.close()
    expect(places.get(6)).toEqual(Array.from({ length: EVENTS }, (_, i) => i))
    expect(places.get(7)).toEqual(Array.from({ length: EVENTS }, (_, i) => i + 3))
  })
})
