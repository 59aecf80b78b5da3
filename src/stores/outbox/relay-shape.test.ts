/**
 * Batches that are JSON of another shape, on real stores: they are parked, hold up no other row, and can be removed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { uuidV7 } from '../../lib/ids.ts'
import type { EventStore } from '../../model/events/event.ts'
import { makeEvent, NOON } from '../contract/batch-builders.ts'
import { openDuckdbEvents } from '../duckdb/events.ts'
import { type OpenSql, openSql } from '../open.ts'
import { ownRows } from './outbox-rows.ts'
import { removeParkedToo } from './parked-removal.ts'
import { Relay } from './relay.ts'

const PERSON = 7

let dataDir: string
let sql: OpenSql
let events: EventStore
const openStore = () => openSql({ dataDir, sqlUrl: null, eventsUrl: null, blobsUrl: null })
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-shape-'))
  sql = await openStore()
  events = await openDuckdbEvents(':memory:')
})
afterEach(async () => {
  await events.close()
  await sql.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const add = (name: string): Promise<string> =>
  sql.stores.transaction(async (tx) => {
    const id = uuidV7(NOON)
    const content = { events: [makeEvent(1, { event: name })], persons: [], distinctIds: [] }
    await tx.outbox.add({ id, seq: await tx.outbox.nextSeq(), ...content }, NOON)
    return id
  })

/** Changes the bytes of a row directly in the file. */
async function rewrite(id: string, text: string): Promise<void> {
  await sql.close()
  const file = new Database(join(dataDir, 'hedgerow.db'))
  file.prepare('update outbox set payload = ? where id = ?').run(deflateRawSync(text), id)
  file.close()
  sql = await openStore()
}

const relay = () =>
  new Relay({
    rows: ownRows(sql.stores),
    change: (work) => sql.stores.transaction((tx) => work(tx.outbox)),
    events,
    clock: { now: () => NOON, steady: () => NOON },
    gone: () => {},
    parked: () => {},
  })

it.each([
  ['nothing', '{}', null],
  ['no lists', '{"heads":1,"persons":2,"distinctIds":3}', null],
  ['only one list', '{"heads":[]}', null],
  ['no object', 'null', null],
  ['an event of no project', '{"heads":[[]],"persons":[],"distinctIds":[]}\n{}', null],
  ['no person', '{"heads":[],"persons":[null],"distinctIds":[]}', null],
  ['a person without ids', '{"heads":[],"persons":[{}],"distinctIds":[]}', null],
  ['a distinct id of no project', '{"heads":[],"persons":[],"distinctIds":[{}]}', null],
  [
    'a person without properties',
    '{"heads":[],"persons":[{"projectId":1,"personId":7,"deleted":true}],"distinctIds":[]}',
    1,
  ],
  ['a distinct id without its text', '{"heads":[],"persons":[],"distinctIds":[{"projectId":1}]}', 1],
])('%s', async (_, text, projectId) => {
  await rewrite(await add('a'), text)
  await add('b')
  const carrying = relay()
  for (let i = 0; i < 5; i++) await carrying.run(new AbortController().signal)
  expect(await sql.stores.outbox.pending()).toEqual([])
  const { events: stored } = await events.listEvents(1, {}, { limit: 10 })
  expect(stored.map(({ event }) => event)).toEqual(['b'])
  const parked = async () => (await sql.stores.outbox.parked({ limit: 10, offset: 0 })).items
  expect(await parked()).toMatchObject([{ projectId }])
  const removing = removeParkedToo(events, sql.stores, () => {})
  await removing.erase([{ id: 1, projectId: 1, personId: PERSON, distinctIds: ['ann'], cutoffSeq: 1_000 }])
  await removing.removeProject(1)
  expect(await parked()).toEqual([])
})
