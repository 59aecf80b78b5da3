/** What the event store refuses is parked and nothing else is, on real stores, with kills between all steps. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import { uuidV7 } from '../../lib/ids.ts'
import type { EventStore } from '../../model/events/event.ts'
import type { OutboxBatch } from '../../model/events/outbox.ts'
import type { StoredEvent } from '../../model/events/stored-event.ts'
import { EVER, type MadeContent, makeEvent, makePerson, NOON, toProjection } from '../contract/batch-builders.ts'
import { countEvents } from '../contract/count-events.ts'
import { openDuckdbEvents } from '../duckdb/events.ts'
import { type OpenSql, openSql } from '../open.ts'
import { readContent } from './batch-text.ts'
import { ownRows } from './outbox-rows.ts'
import { Relay, type RelayParts } from './relay.ts'

let dataDir: string
let sql: OpenSql
let events: EventStore
/** What was reported of parking. */
let reported: string[]

async function open(): Promise<void> {
  sql = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  events = await openDuckdbEvents(join(dataDir, 'events.duckdb'))
}
async function close(): Promise<void> {
  await events.close()
  await sql.close()
}
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-carrier-'))
  reported = []
  await open()
})
afterEach(async () => {
  await close()
  rmSync(dataDir, { recursive: true, force: true })
})

type Row = Partial<MadeContent>

/** Adds a row to the outbox; returns its id. */
const add = ({ events = [], persons = [], distinctIds = [] }: Row): Promise<string> =>
  sql.stores.transaction(async (tx) => {
    const id = uuidV7(NOON)
    const content = { events, persons: persons.map(toProjection), distinctIds }
    await tx.outbox.add({ id, seq: await tx.outbox.nextSeq(), ...content }, NOON)
    return id
  })

const event = (name: string, given: Partial<StoredEvent> = {}) => makeEvent(1, { event: name, ...given })
/**
 * Events that DuckDB never accepts: a value of another type than its column, or a missing value where one is required.
 */
const badUuid = (name: string) => event(name, { uuid: 'no uuid' })
const badTime = (name: string) => event(name, { timestamp: Number.NaN })

/** A person in the SQL store. */
const inSql = (distinctId: string) =>
  sql.stores.transaction((tx) => {
    const person = { projectId: 1, uuid: uuidV7(NOON), properties: {}, isIdentified: true, createdAt: NOON }
    return tx.persons.create(person, [distinctId])
  })

const parts = (given: Partial<RelayParts> = {}): RelayParts => ({
  rows: ownRows(sql.stores),
  change: (work) => sql.stores.transaction((tx) => work(tx.outbox)),
  events,
  clock: { now: () => NOON, steady: () => NOON },
  gone: () => {},
  parked: (batches, error) => void reported.push(`${batches}: ${error}`),
  ...given,
})
const going = new AbortController().signal
const run = async (relay: Relay, times: number): Promise<void> => {
  for (let i = 0; i < times; i++) await relay.run(going).catch(() => {})
}

/** Names of all stored events, sorted. */
async function stored(): Promise<string[]> {
  const { events: listed } = await events.listEvents(1, {}, { limit: 10_000 })
  return listed.map((one) => one.event).sort()
}
const waiting = () => sql.stores.outbox.pending()
const parkedRows = async () => (await sql.stores.outbox.parked({ limit: 1_000, offset: 0 })).items
/** Names of all parked events, sorted. */
const parkedNames = () =>
  sql.stores.transaction(async (tx) => {
    const texts = await tx.outbox.parkedTexts({ after: '', limit: 1_000 })
    return texts.flatMap(({ text }) => readContent(text).events.map((one) => one.event)).sort()
  })
const retryAll = async () => {
  const rows = await parkedRows()
  await sql.stores.transaction(async (tx) => {
    for (const { id } of rows) expect(await tx.outbox.unpark(id, NOON)).toBe(true)
  })
}

/** The event store, refusing batches that match, as if because of their content. */
const refusing = (isBad: (batch: OutboxBatch) => boolean, words?: string): RelayParts['events'] => ({
  ...events,
  apply: async (batches, now) => {
    const bad = batches.find(isBad)
    if (bad) throw new AppError('unprocessable', 'refused_rows', words ?? `no: ${bad.text.slice(0, 20)}`)
    await events.apply(batches, now)
  },
})
const hasBad = ({ text }: OutboxBatch) => text.includes('"bad')

describe('a row that is refused', () => {
  it('holds up no other row, not for one pass', async () => {
    await add({ events: [event('a')] })
    const bad = await add({ events: [badUuid('bad')] })
    await add({ events: [event('b')] })
    expect(await new Relay(parts()).run(going)).toMatchObject({ rows: 2, refusal: { kind: 'unprocessable' } })
    expect(await stored()).toEqual(['a', 'b'])
    expect(await waiting()).toEqual([bad])
  })

  it('is parked at the fifth refusal: its bad parts and nothing else', async () => {
    const relay = new Relay(parts())
    const person = makePerson(1, { personId: 7, properties: { plan: 'free' } })
    const distinctIds = [{ projectId: 1, distinctId: 'ann', personId: 7 }]
    await add({
      events: [event('a'), badUuid('x'), event('b'), badTime('y'), event('c')],
      persons: [person],
      distinctIds,
    })
    await run(relay, 4)
    expect([await waiting(), await stored(), await parkedRows()]).toMatchObject([[expect.any(String)], [], []])
    await run(relay, 1)
    expect([await waiting(), await stored(), await parkedNames()]).toEqual([[], ['a', 'b', 'c'], ['x', 'y']])
    expect(await events.personOf(1, 'ann')).toMatchObject({ personId: 7, properties: { plan: 'free' } })
    const rows = (await parkedRows()).sort((a, b) => a.error.localeCompare(b.error))
    expect(rows).toMatchObject([
      { projectId: 1, events: 1, changes: 0, error: expect.stringMatching(/NOT NULL constraint failed: events.ts/) },
      { projectId: 1, events: 1, changes: 0, error: expect.stringMatching(/expected UUID/) },
    ])
    expect(reported).toHaveLength(1)
    expect(await countEvents(events, 0)).toBe(0)
  })

  it('keeps refused changes to people, and the last change of each of the others', async () => {
    const relay = new Relay(parts())
    const bad = await inSql('bad')
    const persons = [
      makePerson(1, { personId: 100, properties: { n: 1 } }),
      makePerson(1, { personId: bad.id, uuid: 'no uuid' }),
      makePerson(1, { personId: 100, properties: { n: 2 } }),
    ]
    const distinctIds = [
      { projectId: 1, distinctId: 'ann', personId: 9 },
      { projectId: 1, distinctId: 'ann', personId: 100 },
    ]
    await add({ persons, distinctIds })
    await run(relay, 5)
    expect(await events.personOf(1, 'ann')).toMatchObject({ personId: 100, properties: { n: 2 } })
    expect(await parkedRows()).toMatchObject([{ events: 0, changes: 1 }])
  })

  it('is parked separately for each of its projects', async () => {
    await add({ events: [badUuid('x'), makeEvent(2, { uuid: 'no uuid' }), makeEvent(2, { event: 'good' })] })
    await run(new Relay(parts()), 5)
    expect((await parkedRows()).map(({ projectId, events }) => [projectId, events]).sort()).toEqual([
      [1, 1],
      [2, 1],
    ])
    expect(await countEvents(events, 2)).toBe(1)
  })

  it('is parked completely when it is unreadable, and holds up no other row: cut text, broken bytes', async () => {
    const ids = [
      await add({ events: [event('a')] }),
      await add({ events: [event('b')] }),
      await add({ events: [event('c')] }),
    ]
    await sql.close()
    const file = new Database(join(dataDir, 'hedgerow.db'))
    const set = file.prepare('update outbox set payload = ? where id = ?')
    set.run(Buffer.from('these are no compressed bytes'), ids[0])
    set.run(deflateRawSync('{"heads":[[1,"'), ids[1])
    file.close()
    sql = await openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
    await run(new Relay(parts()), 5)
    expect([await waiting(), await stored()]).toEqual([[], ['c']])
    const rows = await parkedRows()
    expect(rows).toHaveLength(2)
    for (const row of rows)
      expect(row).toMatchObject({ projectId: null, error: expect.stringMatching(/cannot be read/) })
  })

  it('cuts a long error at whole characters', async () => {
    await add({ events: [event('bad')] })
    await run(new Relay(parts({ events: refusing(hasBad, `x${'😀'.repeat(3_000)}`) })), 5)
    expect(await parkedRows()).toMatchObject([{ error: `x${'😀'.repeat(1_999)}` }])
  })

  it('of thousands of events loses none of the good ones', async () => {
    const all = Array.from({ length: 3_000 }, (_, i) => (i % 500 === 7 ? badUuid(`bad${i}`) : event(`good${i}`)))
    await add({ events: all })
    await run(new Relay(parts()), 5)
    expect(await stored()).toEqual(all.flatMap(({ uuid, event }) => (uuid === 'no uuid' ? [] : event)).sort())
    expect(await parkedNames()).toEqual(all.flatMap(({ uuid, event }) => (uuid === 'no uuid' ? event : [])).sort())
  })

  it('may be one of many: more of them than one pass reads hold up no good row for long', async () => {
    for (let i = 0; i < 60; i++) await add({ events: [badUuid(`bad${i}`)] })
    await add({ events: [event('good')] })
    await run(new Relay(parts()), 6)
    expect([await waiting(), await stored()]).toEqual([expect.anything(), ['good']])
    await run(new Relay(parts()), 6)
    expect([(await waiting()).length, (await parkedRows()).length]).toEqual([0, 60])
  })
})

describe('nothing is parked', () => {
  const rows = async () => {
    await add({ events: [event('a')] })
    await add({ events: [badUuid('bad')] })
    await add({ events: [event('c')] })
  }

  it('when the event store refuses everything', async () => {
    await rows()
    await run(new Relay(parts({ events: refusing(() => true) })), 20)
    expect([(await waiting()).length, await parkedRows(), await stored()]).toEqual([3, [], []])
    // And all rows are applied as soon as it works again.
    await run(new Relay(parts()), 5)
    expect([await waiting(), await stored(), await parkedNames()]).toEqual([[], ['a', 'c'], ['bad']])
  })

  it.each([
    'IO Error: Could not write file "events.duckdb.wal": No space left on device',
    'TransactionContext Error: Failed to commit: Could not write file "x": No space left on device',
    'Out of Memory Error: could not allocate block of size 256.0 KiB',
    'FATAL Error: database has been invalidated',
  ])('for a fault of the event store itself, whatever else goes in: %s', async (message) => {
    await rows()
    const faulty: RelayParts['events'] = {
      ...events,
      apply: async (batches, now) => {
        if (batches.some(hasBad)) throw new Error(message)
        await events.apply(batches, now)
      },
    }
    const relay = new Relay(parts({ events: faulty }))
    for (let i = 0; i < 10; i++) await expect(relay.run(going)).rejects.toThrow(message)
    expect(await parkedRows()).toEqual([])
  })

  it('when bad parts become acceptable while they are tried', async () => {
    let refusals = 0
    const healing = refusing((batch) => hasBad(batch) && ++refusals <= 6)
    await add({ events: [event('bad1'), event('good')] })
    await run(new Relay(parts({ events: healing })), 8)
    expect([await waiting(), await stored(), await parkedRows()]).toEqual([[], ['bad1', 'good'], []])
  })

  it('when the server stops in the middle', async () => {
    await add({ events: [event('bad1'), event('good')] })
    const stop = new AbortController()
    const relay = new Relay(parts({ events: refusing(hasBad) }))
    await run(relay, 4)
    stop.abort()
    await relay.run(stop.signal)
    expect([(await waiting()).length, await parkedRows()]).toEqual([1, []])
  })
})

describe('a retry', () => {
  it('stores once what the event store accepts by now, and parks the rest again', async () => {
    await add({ events: [event('bad1'), event('good'), event('bad2')] })
    await run(new Relay(parts({ events: refusing(hasBad) })), 5)
    expect([await stored(), await parkedNames()]).toEqual([['good'], ['bad1', 'bad2']])
    await retryAll()
    expect([(await waiting()).length, await parkedRows()]).toEqual([1, []])
    await run(new Relay(parts({ events: refusing(({ text }) => text.includes('bad2')) })), 5)
    expect([await stored(), await parkedNames()]).toEqual([['bad1', 'good'], ['bad2']])
    await retryAll()
    await run(new Relay(parts()), 1)
    expect([await stored(), await waiting(), await parkedRows()]).toEqual([['bad1', 'bad2', 'good'], [], []])
    const moments = await events.timeline({ projectId: 1, distinctIds: ['ann'], events: null, ...EVER })
    expect(moments).toHaveLength(3)
  })

  it('of an old change does not replace a newer one', async () => {
    const { id: personId } = await inSql('ann')
    await add({ persons: [makePerson(1, { personId, properties: { bad: 'old' } })] })
    await run(new Relay(parts({ events: refusing(hasBad) })), 5)
    const distinctIds = [{ projectId: 1, distinctId: 'ann', personId }]
    await add({ persons: [makePerson(1, { personId, properties: { is: 'new' } })], distinctIds })
    expect(await parkedRows()).toHaveLength(1)
    await retryAll()
    await run(new Relay(parts()), 1)
    expect(await events.personOf(1, 'ann')).toMatchObject({ properties: { is: 'new' } })
  })
})

describe('a kill', () => {
  /** Ends the process in effect: nothing done after it has an effect, until the stores are opened again. */
  class Killed extends Error {}

  /** The steps of a relay, of which the one numbered `killAt` ends everything: before it takes effect, or after. */
  function killed(killAt: number, isBefore: boolean): { given: Partial<RelayParts>; steps: () => number } {
    let step = 0
    const point = async <T>(work: () => Promise<T>): Promise<T> => {
      step += 1
      if (step > killAt || (step === killAt && isBefore)) throw new Killed()
      const result = await work()
      if (step === killAt) throw new Killed()
      return result
    }
    const base = parts()
    const store = refusing(hasBad)
    const given: Partial<RelayParts> = {
      change: (work) => point(() => base.change(work)),
      rows: { ...base.rows, applied: (ids) => point(() => base.rows.applied(ids)) },
      events: {
        apply: (batches, now) => point(() => store.apply(batches, now)),
        removeProject: (projectId) => point(() => events.removeProject(projectId)),
      },
    }
    return { given, steps: () => step }
  }

  const content = (): Row => ({
    events: [event('a'), event('bad1'), event('b'), event('c'), event('bad2')],
    persons: [makePerson(1, { personId: 3 })],
    distinctIds: [{ projectId: 1, distinctId: 'ann', personId: 3 }],
  })

  /** Steps of a relay that is not killed. */
  async function allSteps(): Promise<number> {
    await add(content())
    await add({ events: [event('other')] })
    const { given, steps } = killed(Number.POSITIVE_INFINITY, false)
    await run(new Relay(parts(given)), 6)
    expect(await parkedNames()).toEqual(['bad1', 'bad2'])
    return steps()
  }

  it.each([true, false])('at any step loses and duplicates nothing (before it takes effect: %s)', async (isBefore) => {
    const steps = await allSteps()
    expect(steps).toBeGreaterThan(15)
    for (let killAt = 1; killAt <= steps; killAt++) {
      await close()
      rmSync(dataDir, { recursive: true, force: true })
      await open()
      await add(content())
      await add({ events: [event('other')] })
      await run(new Relay(parts(killed(killAt, isBefore).given)), 6)
      await close()
      await open()
      // The next process may be a newer version, which accepts everything: then nothing is left to park.
      const isHealed = killAt % 2 === 0
      await run(new Relay(parts(isHealed ? {} : { events: refusing(hasBad) })), 6)
      const all = [...(await stored()), ...(await parkedNames())].sort()
      expect([killAt, all]).toEqual([killAt, ['a', 'b', 'bad1', 'bad2', 'c', 'other']])
      expect([killAt, await waiting()]).toEqual([killAt, []])
      expect(await events.personOf(1, 'ann')).toMatchObject({ personId: 3 })
      await retryAll()
      await run(new Relay(parts()), 2)
      expect([killAt, await stored()]).toEqual([killAt, ['a', 'b', 'bad1', 'bad2', 'c', 'other']])
    }
  })

  it('after which a row turns out to be stored completely applies no part of it again', async () => {
    await add({ events: [event('a'), event('b')] })
    const [row] = await sql.stores.outbox.peek(1)
    // As when a commit succeeded and its answer was lost.
    await events.apply([row as OutboxBatch], NOON)
    await sql.stores.transaction((tx) => tx.outbox.beginParts(row?.id ?? ''))
    await run(new Relay(parts()), 1)
    expect([await stored(), await waiting()]).toEqual([['a', 'b'], []])
  })
})
