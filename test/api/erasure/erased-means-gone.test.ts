/**
 * After a person was deleted with events and recordings, and the run of Sunday is done, nothing that identified the
 * person is in any file of the data folder, or in any row or object elsewhere: not its ids, not its e-mail, not its properties. Its integer id and uuid
 * stay in deletion_status. The data of others is untouched.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDeletions } from '../../../src/features/deletions/deletions.ts'
import { uuidV7 } from '../../../src/lib/ids.ts'
import { nextDeletionRun } from '../../../src/rules/erasure/deletion-schedule.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import { makeChange, wholeHistory } from '../../../src/stores/contract/history-builders.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { eventStoreContents, filesOf, usedFreePages } from '../../support/data-folder/inspect-data-folder.ts'
import { click, linesOf, makeSnapshot, mutation, page, send, type WireEvent } from '../../support/replay/replay.ts'
import { rowsOnServers } from '../../support/stores/event-tables.ts'
import { atScale, blobsBucket, needsSqlite, onPostgres } from '../../support/stores/stores.ts'
import { bytesOfRows, withTables } from '../../support/stores/tables.ts'

const API = '/api/environments/1'

let app: TestApp
beforeEach(async () => {
  app = await makeApp()
})
afterEach(() => app.end())

/** Texts that identify a person; long enough that they are found nowhere by chance. */
const wordsOf = (who: string) => ({
  email: `${who}-9b21@example.com`,
  anonymous: `${who}-anonymous-4c77`,
  alias: `${who}-alias-e03d`,
  phone: `${who}-phone-77aa`,
  city: `${who}-city-c5d9`,
  before: `${who}-city-before-11e8`,
  typed: `${who}-typed-5a60`,
  long: `${who}-long-0f3e`,
  logged: `${who}-logged-8d14`,
  shown: `${who}-shown-2b6c`,
  wrong: `${who}-wrong-3e41`,
})
type Words = ReturnType<typeof wordsOf>

const capture = async (event: string, distinctId: string, properties: object = {}, more: object = {}) => {
  const batch = [{ event, distinct_id: distinctId, properties, ...more }]
  const answer = await app.call('POST', '/batch/', { key: null, body: { api_key: PROJECT_TOKEN, batch } })
  expect(answer.statusCode, answer.body).toBe(200)
}

const log = (timestamp: number, text: string): WireEvent => ({
  type: 6,
  data: { plugin: 'rrweb/console@1', payload: { level: 'log', payload: [text], trace: [] } },
  timestamp,
})

const personOf = async (distinctId: string): Promise<{ id: number; uuid: string }> => {
  const { results } = (await app.call('GET', `${API}/persons/`, { query: { distinct_id: distinctId } })).json()
  return results[0]
}

async function record(words: Words, session: string): Promise<void> {
  const now = app.clock.now()
  const url = `https://shop.example.com/${words.shown}?mail=${words.email}`
  const first = [page(now - 5_000, url), mutation(now - 4_000, words.shown), log(now - 3_000, words.logged)]
  for (const events of [first, [click(now - 2_000), mutation(now - 1_000, words.email)]]) {
    const sent = await send(app, [makeSnapshot({ session, distinctId: words.email, events })])
    expect(sent.statusCode, sent.body).toBe(200)
  }
}

/** A history: captured, identified, aliased, edited, split and merged again, recorded, warned about, counted. */
async function live(words: Words, session: string): Promise<number[]> {
  const long = `${words.long} `.repeat(3_000)
  await capture('seen', words.anonymous, { $set: { city: words.before }, typed: words.typed })
  await capture('seen', words.alias, { $process_person_profile: false })
  await capture('$identify', words.email, { $anon_distinct_id: words.anonymous, $set: { email: words.email, long } })
  await capture('$create_alias', words.email, { alias: words.alias })
  await capture('$create_alias', words.email, { alias: words.phone })
  await capture('typed', words.email, { text: long, typed: words.typed, $set: { city: words.city } })
  await capture('doubted', words.email, { $process_person_profile: words.wrong })
  await capture('late', words.email, {}, { timestamp: words.wrong })
  await capture('$identify', words.email, { $anon_distinct_id: 'guest' })
  await record(words, session)
  const { id } = await personOf(words.email)
  const path = `${API}/persons/${id}/`
  await app.call('PATCH', path, { body: { properties: { nick: words.typed } } })
  await app.call('POST', `${path}split/`, { body: { distinct_ids_to_split: [words.phone, words.anonymous] } })
  await app.call('PATCH', `/api/environments/1/session_recordings/${session}/`, { body: { person: id } })
  await capture('$merge_dangerously', words.email, { alias: words.anonymous })
  await app.call('GET', `${API}/persons/`, { query: { search: words.email } })
  const source = {
    kind: 'TrendsQuery',
    dateRange: { date_from: '-1d' },
    series: [{ kind: 'EventsNode', event: 'typed' }],
    breakdownFilter: { breakdown: 'email', breakdown_type: 'person' },
  }
  const computed = await app.call('POST', `${API}/query/`, { body: { query: source } })
  expect(computed.body).toContain(words.email)
  return [id, (await personOf(words.phone)).id]
}

const sunday = async () => {
  app.clock.set(nextDeletionRun(app.clock.now()))
  await app.runner.runDue()
}

/** What is stored, byte by byte. Of servers the rows: what was in removed ones goes from their files by their own rhythm. */
const stored = async (): Promise<[place: string, bytes: Buffer][]> => [
  ...filesOf(app.dataDir),
  ...(onPostgres ? [['sql', await withTables(app, bytesOfRows)] as [string, Buffer]] : []),
  ...(atScale ? [['event store', await rowsOnServers(app.dataDir)] as [string, Buffer]] : []),
  ...(atScale ? filesOf((await blobsBucket(app.dataDir)).path) : []),
]

/** Of an event store in a file, whose bytes are compressed. */
const textsOfFile = async (): Promise<string> =>
  atScale ? '' : (await eventStoreContents(join(app.dataDir, 'events.duckdb'))).texts

/** Where a word is found, and the word. */
async function found(words: Words): Promise<string[]> {
  const needles = Object.entries(words)
  const places = (await stored()).flatMap(([path, bytes]) =>
    needles.filter(([, word]) => bytes.includes(word)).map(([name]) => `${path}: ${name}`),
  )
  const texts = await textsOfFile()
  places.push(...needles.filter(([, word]) => texts.includes(word)).map(([name]) => `event store: ${name}`))
  const { results } = (await app.call('GET', `${API}/session_recordings/`, { query: { date_from: '-30d' } })).json()
  for (const { id } of results) {
    const lines = JSON.stringify(await linesOf(app, id))
    places.push(...needles.filter(([, word]) => lines.includes(word)).map(([name]) => `recording ${id}: ${name}`))
  }
  return places
}

/** The pages of the SQLite file that nothing uses are empty. */
const expectNoRemains = () => {
  if (!onPostgres) expect(usedFreePages(join(app.dataDir, 'hedgerow.db'))).toEqual([])
}

const WAYS: [string, (ids: number[]) => Promise<unknown>][] = [
  [
    'DELETE',
    async (ids) => {
      const query = { delete_events: 'true', delete_recordings: 'true' }
      for (const id of ids) {
        expect((await app.call('DELETE', `${API}/persons/${id}/`, { query })).statusCode).toBe(204)
      }
    },
  ],
  [
    'bulk_delete',
    async (ids) => {
      const body = { ids, delete_events: true, delete_recordings: true }
      expect((await app.call('POST', `${API}/persons/bulk_delete/`, { body })).statusCode).toBe(202)
    },
  ],
]

describe.each(WAYS)('after %s and the batch of Sunday', (_, remove) => {
  it('nothing of the person is in any file', async () => {
    const [ann, bob] = [wordsOf('ann'), wordsOf('bob')]
    const [annSession, bobSession] = [uuidV7(app.clock.now()), uuidV7(app.clock.now() + 1)]
    const ids = await live(ann, annSession)
    await live(bob, bobSession)
    // As when the server has been running for a while.
    await countEvents(app.stores.events, 1)
    expect(new Set((await found(ann)).map((place) => place.split(' ')[1]))).toContain('email')
    await remove(ids)
    await sunday()

    expect(await found(ann)).toEqual([])
    expect(existsSync(join(app.dataDir, 'blobs', '1', annSession))).toBe(false)
    if (!atScale) {
      const store = await eventStoreContents(join(app.dataDir, 'events.duckdb'))
      expect({ ...store, texts: '' }).toEqual({ texts: '', freeBlocks: 0, removedRows: 0 })
    }
    expectNoRemains()

    const status = (await app.call('GET', `${API}/persons/deletion_status/`)).json().results
    expect(status.map((row: { person_id: number }) => row.person_id).sort()).toEqual([...ids].sort())
    expect(status).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
    const left = await found(bob)
    for (const word of Object.keys(bob)) expect(left.join('\n')).toContain(word)
    const events = (await app.call('GET', `${API}/events/`, { query: { distinct_id: bob.email } })).json().results
    expect(events).toHaveLength(8)
  })
})

describe('of a person with a long history', () => {
  const ann = wordsOf('ann')
  /** More than is deleted with the request. */
  async function makeLong(): Promise<number> {
    await capture('seen', ann.email, { $set: { city: ann.before } })
    const { id } = await personOf(ann.email)
    const changes = Array.from({ length: 6_000 }, (_, at) => makeChange(id, at, { set: { city: ann.city }, seq: 0 }))
    await app.stores.transaction((tx) => tx.persons.addHistory(1, changes))
    return id
  }

  it('nothing is left after the batch of Sunday, though the job has not run yet', async () => {
    const id = await makeLong()
    await app.call('DELETE', `${API}/persons/${id}/`, { query: { delete_events: 'true' } })
    expect(await wholeHistory(app.stores.persons, 1, id)).not.toEqual([])
    await app.features.deletions.run({ dueAt: nextDeletionRun(app.clock.now()) })
    expect(await found(ann)).toEqual([])
    expectNoRemains()
  })

  it('nothing of the history is left after the job, though no batch of Sunday follows', async () => {
    // Recurring work has been done, and is not due again.
    await app.runner.runDue()
    const id = await makeLong()
    await app.call('DELETE', `${API}/persons/${id}/`)
    expect((await found(ann)).join()).toContain('city')
    await app.runner.runDue()
    expect((await found(ann)).filter((place) => /^(?:hedgerow\.db|sql).*: city$/.test(place))).toEqual([])
  })
})

/** A person to be erased, and a reader that holds the log until it is released. */
async function removedWhileRead() {
  const ann = wordsOf('ann')
  await capture('seen', ann.email, { $set: { city: ann.city } })
  const { id } = await personOf(ann.email)
  await app.call('DELETE', `${API}/persons/${id}/`, { query: { delete_events: 'true' } })
  const reader = new Database(join(app.dataDir, 'hedgerow.db'), { readonly: true })
  const rows = reader.prepare('select * from sqlite_master').iterate()
  rows.next()
  const release = () => {
    rows.return?.()
    reader.close()
  }
  return { ann, release }
}

it.skipIf(needsSqlite('its log'))('the SQL store’s log is emptied as soon as nobody reads it any more', async () => {
  const { ann, release } = await removedWhileRead()
  const running = sunday()
  await expect.poll(async () => (await app.stores.deletions.pendingIds()).length).toBe(0)
  release()
  await running
  expect(await found(ann)).toEqual([])
  expect(await app.stores.truncateLog()).toBe(true)
  expect(statSync(join(app.dataDir, 'hedgerow.db-wal')).size).toBe(0)
})

it.skipIf(needsSqlite('its log'))(
  'a log that readers hold does not fail the deletion: a job empties it later',
  async () => {
    const { ann, release } = await removedWhileRead()
    const calls: string[] = []
    const { run } = createDeletions({
      stores: app.stores,
      clock: app.clock,
      done: () => calls.push('done'),
      late: () => {},
      compacted: () => {},
      logHeld: () => calls.push('held'),
      logTries: 2,
    })
    expect(await run({ projectId: 1 })).toMatchObject({ requests: 1 })
    expect(calls).toEqual(['done', 'held'])
    expect(await app.stores.jobs.find('empty-log', 'sql')).not.toBeNull()
    release()
    app.clock.advance(61_000)
    await app.runner.runDue()
    expect(await app.stores.jobs.find('empty-log', 'sql')).toBeNull()
    expect(await found(ann)).toEqual([])
  },
)
