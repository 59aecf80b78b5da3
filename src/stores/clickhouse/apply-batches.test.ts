/** What the contract cannot ask: attempts that are cut off between two inserts, and what comes again after it was removed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newClickhouse, noClickhouse, type TestClickhouse } from '../../../test/support/clickhouse/databases.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { DAY } from '../../lib/time/time.ts'
import type { OutboxBatch } from '../../model/events/outbox.ts'
import { EVER, makeBatch, makeEvent, makePerson, NOON } from '../contract/batch-builders.ts'
import { forgetBatches, highestSeq } from './applied-batches.ts'
import { applyBatches } from './apply-batches.ts'
import { versionOf } from './data-versions.ts'
import { timeline } from './event-index.ts'
import { eventTotals } from './listing/event-list.ts'
import { openParts } from './open-parts.ts'
import { type Parts, reading } from './parts.ts'
import type { Servers } from './server/client.ts'

const IDS = ['a', 'b', 'c', 'd', 'e']
let parts: Parts
let projectId = 0
let database: TestClickhouse

/** Of two partitions and several ids, with people. */
const newBatch = (seq: number): OutboxBatch => {
  projectId += 1
  return makeBatch(seq, {
    events: IDS.map((distinctId, i) => makeEvent(projectId, { distinctId, timestamp: NOON - (i % 2) * 40 * DAY })),
    persons: [makePerson(projectId)],
    distinctIds: [{ projectId, distinctId: 'a', personId: 1 }],
  })
}

/** The servers, of which one insert fails: before its rows are stored, or after. */
function cutOffAt(insert: number, when: 'before' | 'after'): { servers: Servers; inserts: () => number } {
  let count = 0
  const servers: Servers = Object.assign(Object.create(parts.servers), {
    rows: (...given: Parameters<Servers['rows']>) => parts.servers.rows(...given),
    async insert(...given: Parameters<Servers['insert']>) {
      count += 1
      const isCut = count === insert
      if (isCut && when === 'before') throw new Error('cut off')
      await parts.servers.insert(...given)
      if (isCut) throw new Error('cut off')
    },
  })
  return { servers, inserts: () => count }
}

const faces = async () => [
  (await eventTotals(await reading(parts), projectId, 0)).count,
  (await timeline(await reading(parts), { projectId, distinctIds: IDS, events: null, ...EVER })).length,
]

describe.skipIf(noClickhouse)('a batch', () => {
  beforeAll(async () => {
    database = await newClickhouse()
    parts = await openParts(database.url)
  })
  afterAll(async () => {
    await parts.servers.close()
    await database.drop()
  })

  it('is stored once, wherever an earlier attempt was cut off', async () => {
    const { servers, inserts } = cutOffAt(Number.POSITIVE_INFINITY, 'before')
    await applyBatches({ ...parts, servers }, [newBatch(1)], NOON)
    expect(inserts()).toBeGreaterThan(4)
    for (let insert = 1; insert <= inserts(); insert++) {
      for (const when of ['before', 'after'] as const) {
        const batch = newBatch(1)
        const before = await versionOf(parts, projectId)
        const cut = cutOffAt(insert, when)
        await expect(applyBatches({ ...parts, servers: cut.servers }, [batch], NOON)).rejects.toThrow('cut off')
        await applyBatches(parts, [batch], NOON)
        expect(await faces(), `${when} ${insert}`).toEqual([IDS.length, IDS.length])
        expect(await versionOf(parts, projectId)).not.toBe(before)
      }
    }
  })

  it('of very many events is sent while it is written, beside other work, and is complete after an insert has failed', async () => {
    projectId += 1
    const events = Array.from({ length: 45_000 }, (_, n) =>
      makeEvent(projectId, { distinctId: IDS[n % IDS.length] as string, timestamp: NOON - n, properties: { n } }),
    )
    const batch = makeBatch(1, { events })
    let turns = 0
    let isEnded = false
    const count = (): void => {
      turns += 1
      if (!isEnded) setImmediate(count)
    }
    count()
    // That of the events, while they are being written.
    const { servers } = cutOffAt(2, 'before')
    await expect(applyBatches({ ...parts, servers }, [batch], NOON)).rejects.toThrow('cut off')
    isEnded = true
    expect(turns).toBeGreaterThan(10)
    await applyBatches(parts, [batch], NOON)
    expect(await faces()).toEqual([events.length, events.length])
  })

  it('is not looked for where nobody tried before', async () => {
    const batch: OutboxBatch = { ...newBatch(1), claim: { shipment: uuidV7(NOON), attempt: 1, sentAt: null } }
    const servers: Servers = Object.assign(Object.create(parts.servers), {
      insert: (...given: Parameters<Servers['insert']>) => parts.servers.insert(...given),
      rows: (sql: string) =>
        /FROM (?:events|moments|applied)\b/.test(sql)
          ? Promise.reject(new Error('It was asked.'))
          : parts.servers.rows(sql),
    })
    await applyBatches({ ...parts, servers }, [batch], NOON)
    expect(await faces()).toEqual([IDS.length, IDS.length])
  })

  it('does not come back after its events were removed, until it is forgotten', async () => {
    const batch = newBatch(70)
    const now = NOON + 5 * DAY
    await applyBatches(parts, [batch], now)
    const version = await versionOf(parts, projectId)
    for (const table of ['events', 'moments']) {
      await parts.servers.onEach(`ALTER TABLE ${table}_local DROP PARTITION ${Math.floor(NOON / DAY / 30)}`)
    }
    const rest = await faces()
    await applyBatches(parts, [batch], now)
    await forgetBatches(parts, now)
    await applyBatches(parts, [batch], now)
    expect(await faces()).toEqual(rest)
    expect(await versionOf(parts, projectId)).toBe(version)
    expect(await highestSeq(parts)).toBe(70)
    await forgetBatches(parts, now + DAY)
    expect(await highestSeq(parts)).toBe(70)
    await applyBatches(parts, [batch], now)
    expect(await faces()).toEqual([IDS.length, IDS.length])
  })
})
