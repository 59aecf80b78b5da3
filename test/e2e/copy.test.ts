/** `hedgerow copy`: a folder with people, recordings and reports goes up to PostgreSQL, ClickHouse and S3, and back down. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { uuidV7 } from '../../src/lib/ids.ts'
import { openSql } from '../../src/stores/open.ts'
import { writeContent } from '../../src/stores/outbox/batch-text.ts'
import { newClickhouse, noClickhouse, type TestClickhouse } from '../support/clickhouse/databases.ts'
import { newDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { launch, type Running, removeFolder, run, start, tempFolder } from '../support/program.ts'
import { type S3Server, startS3 } from '../support/servers/s3.ts'

const KEY = 'phx_copied_key_0123456789'
const TOKEN = 'phc_copied_token_0123456789'
const KEYS = { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN }
const [OWN, DEMO] = [1, 2]
/** Each of them runs the program many times. */
const LONG = 600_000
const ODD = ['a\u0000b', '\ud800 half', '👩‍👩‍👧 Größe', 'it\'s \\ "quoted"', '\u2028', 'ſ İ', ' ']
/** Of the demo that is shown by a copied folder, and is the same whenever it is asked for. */
const FROM = '2026-01-01'

async function ask(server: Running, path: string, method = 'GET', body?: object): Promise<unknown> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  // Links say where they were asked for.
  const text = (await answer.text()).replaceAll(server.url, '')
  const isJson = /^application\/json(?:;|$)/.test(answer.headers.get('content-type') ?? '')
  return [answer.status, isJson ? JSON.parse(text) : text]
}

const send = async (server: Running, batch: object[]): Promise<void> => {
  expect(await ask(server, '/batch/', 'POST', { api_key: TOKEN, batch })).toEqual([200, expect.anything()])
}

interface Listed {
  results: { id: number | string; uuid?: string; distinct_ids?: string[] }[]
}

const listOf = async (server: Running, path: string): Promise<Listed['results']> =>
  ((await ask(server, path)) as [number, Listed])[1].results

/** People who are merged, split and deleted, and texts and numbers that not every engine has. */
async function fillOwnProject(server: Running): Promise<void> {
  const at = (minute: number) => new Date(Date.UTC(2026, 5, 1, 12, minute)).toISOString()
  await send(server, [
    ...ODD.map((text, i) => ({
      event: `odd ${text}`,
      distinct_id: `odd ${text} ${i}`,
      timestamp: at(i),
      properties: { [text || 'empty']: text, list: [text, { [text]: i }], 10: 'ten', 9: 'nine', $set: { text } },
    })),
    {
      event: 'numbers',
      distinct_id: 'numbers',
      timestamp: '2026-06-01T12:00:00.123456Z',
      properties: {
        big: 1e21,
        least: 5e-324,
        most: 1.7976931348623157e308,
        whole: 2 ** 53,
        minus: -0,
        text: '1e5',
      },
    },
    { event: 'long', distinct_id: 'numbers', timestamp: at(30), properties: { long: 'long '.repeat(2_000) } },
    { event: 'early', distinct_id: 'numbers', timestamp: '1971-01-01T00:00:00Z' },
    // One instant: what was sent first comes first.
    ...Array.from({ length: 20 }, (_, i) => ({ event: `tie ${i % 3}`, distinct_id: `tie-${i}`, timestamp: at(40) })),
  ])
  for (const name of ['merged', 'split', 'deleted']) {
    await send(server, [
      { event: 'came', distinct_id: `${name}-anonymous`, timestamp: at(50), properties: { $set: { step: 1 } } },
      {
        event: '$identify',
        distinct_id: `${name}-known`,
        timestamp: at(51),
        properties: { $anon_distinct_id: `${name}-anonymous`, $set: { email: `${name}@example.com` } },
      },
      { event: 'went', distinct_id: `${name}-anonymous`, timestamp: at(52) },
    ])
  }
  const personOf = async (id: string) =>
    (await listOf(server, `/api/environments/${OWN}/persons/?distinct_id=${id}`))[0]?.id
  const split = await personOf('split-known')
  expect(await ask(server, `/api/environments/${OWN}/persons/${split}/split/`, 'POST', {})).toEqual([
    200,
    expect.anything(),
  ])
  const deleted = await personOf('deleted-known')
  await ask(server, `/api/environments/${OWN}/persons/${deleted}/?delete_events=true`, 'DELETE')
}

/** A row of the outbox that waits, and one that is parked, with texts as capture leaves them. */
async function leaveOutbox(dataDir: string, env: Record<string, string>): Promise<void> {
  const { stores, close } = await openSql(readConfig({ ...env, HEDGEROW_DATA_DIR: dataDir }))
  const now = Date.UTC(2026, 5, 2)
  const event = (name: string, seq: number) => ({
    ...{ projectId: OWN, uuid: uuidV7(now), event: name, distinctId: 'numbers', timestamp: now + seq },
    ...{ sessionId: null, properties: { $set: 1, note: ODD.slice(2) }, personId: null },
  })
  const contentOf = (name: string, seq: number) => ({ events: [event(name, seq)], persons: [], distinctIds: [] })
  await stores.transaction(async (tx) => {
    const [waiting, parked] = [await tx.outbox.nextSeq(), await tx.outbox.nextSeq()]
    await tx.outbox.add({ id: uuidV7(now), seq: waiting, ...contentOf('waited', waiting) }, now)
    const id = uuidV7(now)
    await tx.outbox.add({ id, seq: parked, ...contentOf('parked', parked) }, now)
    const text = writeContent(contentOf('parked', parked))
    const refused = { id: uuidV7(now), projectId: OWN, events: 1, changes: 0, error: 'refused', text }
    await tx.outbox.park(id, [refused], now)
  })
  await close()
}

const query = (kind: string, more: object) => ({ query: { kind, dateRange: { date_from: FROM }, ...more } })
const shop = [{ kind: 'EventsNode', event: '$pageview' }]

/** All events, page by page: where the next one begins is each engine's own affair. */
async function eventsOf(server: Running, path: string): Promise<unknown[]> {
  const events: unknown[] = []
  for (let next: string | null = path; next !== null; ) {
    const [, page] = (await ask(server, next)) as [number, Listed & { next: string | null }]
    events.push(...page.results)
    next = page.next
  }
  return events
}

/** What a server answers about all that was stored. */
async function answers(server: Running): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  const get = async (path: string) => {
    found[path] = await ask(server, path)
  }
  for (const project of [OWN, DEMO]) {
    const api = `/api/environments/${project}`
    const limit = project === OWN ? 7 : 500
    found[`${project} events`] = await eventsOf(server, `${api}/events/?limit=${limit}`)
    for (const path of [
      ...['events/values/?key=text', 'event_definitions/'],
      ...[
        'property_definitions/',
        'property_definitions/?type=person',
        'persons/?limit=500',
        'persons/?search=example',
      ],
      ...['persons/values/?key=email', 'persons/deletion_status/', 'sessions/values/?key=$entry_current_url'],
      ...[
        'session_recordings/?limit=50&date_from=all',
        'dashboards/',
        'insights/',
        'subscriptions/',
        'activity_log/?limit=100',
      ],
    ]) {
      await get(`${api}/${path}`)
    }
    for (const [name, body] of Object.entries({
      trend: query('TrendsQuery', { series: shop, interval: 'month', breakdownFilter: { breakdown: '$browser' } }),
      people: query('TrendsQuery', { series: [{ kind: 'EventsNode', event: null, math: 'dau' }], interval: 'month' }),
      funnel: query('FunnelsQuery', { series: [...shop, { kind: 'EventsNode', event: 'signed_up' }] }),
      lifecycle: query('LifecycleQuery', { series: shop, interval: 'month' }),
    })) {
      const [status, answer] = (await ask(server, `${api}/query/`, 'POST', body)) as [number, { results?: unknown }]
      found[`${project} ${name}`] = [status, status === 200 ? answer.results : answer]
    }
  }
  for (const { id } of await listOf(server, `/api/environments/${DEMO}/session_recordings/?date_from=all`)) {
    const path = `/api/environments/${DEMO}/session_recordings/${id}/snapshots/`
    await get(path)
    expect(JSON.stringify(found[path])).toContain('window_id')
    await get(`${path}?source=blob_v2&start_blob_key=0&end_blob_key=0`)
  }
  for (const { id } of await listOf(server, `/api/environments/${DEMO}/subscriptions/`)) {
    await get(`/api/environments/${DEMO}/subscriptions/${id}/deliveries/`)
  }
  return found
}

/** Which answers differ, other than in when they were given. */
function differing(some: Record<string, unknown>, others: Record<string, unknown>): unknown[] {
  const text = (answer: unknown) =>
    JSON.stringify(answer, (name, value) => (['last_refresh', 'last_used_at'].includes(name) ? null : value))
  return Object.keys({ ...some, ...others })
    .map((path) => ({ path, one: text(some[path]) ?? '', other: text(others[path]) ?? '' }))
    .filter(({ one, other }) => one !== other)
    .map(({ path, one, other }) => {
      const at = [...one].findIndex((character, place) => character !== other[place])
      return [path, one.slice(Math.max(0, at - 100), at + 100), other.slice(Math.max(0, at - 100), at + 100)]
    })
}

/** Runs a copy, and kills it when it says this. */
async function killedAt(args: string[], env: Record<string, string>, line: string): Promise<string> {
  const child = launch(args, { env })
  let said = ''
  child.stdout?.on('data', (chunk) => {
    said += chunk
    if (said.includes(line)) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return said
}

describe.skipIf(noClickhouse)('a copy of all stores', () => {
  let folder: string
  let s3: S3Server
  let clickhouse: TestClickhouse
  let postgres: TestDatabase
  beforeAll(async () => {
    folder = tempFolder()
    ;[s3, clickhouse, postgres] = await Promise.all([startS3(), newClickhouse(), newDatabase()])
  })
  afterAll(async () => {
    removeFolder(folder)
    await Promise.all([s3.stop(), clickhouse.drop(), postgres.drop()])
  })

  const inFolder = (name: string) => ({ ...KEYS, HEDGEROW_DATA_DIR: join(folder, name) })
  const up = () => ({
    HEDGEROW_SQL_URL: postgres.url,
    HEDGEROW_EVENTS_URL: clickhouse.url,
    HEDGEROW_BLOBS_URL: s3.url('copied'),
  })
  const upArgs = () => [
    ...['copy', '--to-sql', postgres.url, '--to-events', clickhouse.url],
    ...['--to-blobs', s3.url('copied')],
  ]
  const downArgs = (name: string) =>
    ['to-sql', 'to-events', 'to-blobs'].flatMap((to) => [`--${to}`, join(folder, name)])
  const here = { env: {} as Record<string, string> }
  let server: Running | undefined
  afterEach(() => server?.stop('SIGKILL'))
  const started = (env: Record<string, string>) => start(null, { env: { HEDGEROW_PORT: '0', ...env } })

  it(
    'goes up although it is killed again and again, is the same there, and the same once more below',
    async () => {
      here.env = inFolder('source')
      server = await start(null, { env: { ...here.env, HEDGEROW_PORT: '0' }, args: ['--demo'] })
      await fillOwnProject(server)
      const refused = await run(upArgs(), { env: here.env })
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('Another Hedgerow server already uses'),
      ])
      await server.stop()
      await leaveOutbox(join(folder, 'source'), {})

      for (const line of [
        'Copying tables',
        'Comparing tables',
        'Copying events',
        'Comparing events',
        'Copying recordings',
      ]) {
        expect(await killedAt(upArgs(), here.env, line)).not.toContain('All is the same')
      }
      const half = await run(['serve'], { env: { ...inFolder('elsewhere'), ...up(), HEDGEROW_PORT: '0' } })
      expect([half.code, half.stderr]).toEqual([1, expect.stringContaining('a copy that is not complete')])
      const copied = await run(upArgs(), { env: here.env })
      expect([copied.code, copied.stderr]).toEqual([0, ''])
      expect(copied.stdout).toContain('All is the same.')
      expect(copied.stdout).not.toContain('DIFFERENT')

      const moved = { ...inFolder('elsewhere'), ...up() }
      const down = await run(['copy', ...downArgs('below')], { env: moved })
      expect([down.code, down.stderr]).toEqual([0, ''])

      server = await started(here.env)
      const expected = await answers(server)
      expect(JSON.stringify(expected)).toContain('waited')
      await server.stop()
      for (const env of [moved, inFolder('below')]) {
        server = await started(env)
        expect(differing(expected, await answers(server))).toEqual([])
        // What is parked can be retried, and numbers go on after those that were used.
        const retried = await run(['outbox', 'retry', '--all'], { env })
        expect(retried.code).toBe(0)
        await send(server, [{ event: 'later', distinct_id: 'later', properties: { $set: { late: true } } }])
        const events = await listOf(server, `/api/environments/${OWN}/events/?event=parked`)
        expect(events).toHaveLength(1)
        expect((await listOf(server, `/api/environments/${OWN}/persons/?distinct_id=later`)).length).toBe(1)
        await server.stop()
      }
    },
    LONG,
  )

  it(
    'refuses a target that has other data, or has gone on, and leaves it alone',
    async () => {
      const sentence = async (args: string[], env = here.env) => {
        const { code, stderr } = await run(['copy', ...args], { env })
        expect(code).toBe(1)
        return stderr
      }
      expect(await sentence(['--to-sql', postgres.url])).toContain('The SQL store to copy to is not empty')
      expect(await sentence(['--to-events', clickhouse.url])).toContain('The event store to copy to is not empty')
      expect(await sentence(['--to-blobs', s3.url('copied')])).toContain(
        'The place for recordings to copy to is not empty',
      )
      expect(await sentence(downArgs('source'))).toContain('is not empty')
      expect(await sentence([])).toContain('copy needs --to-sql')
      expect(await sentence(['--to-sql', ''])).toContain('must be a URL or a data folder')
      expect(await sentence(['--to-sql', join(folder, 'a'), '--to-blobs', join(folder, 'b')])).toContain('are two')
      expect(await sentence(downArgs('new'), inFolder('nothing'))).toContain('There is no store to copy')
      expect(existsSync(join(folder, 'nothing', 'hedgerow.db'))).toBe(false)

      // Begun from here, which has changed since.
      const part = ['--to-sql', join(folder, 'part'), '--to-events', join(folder, 'part')]
      await killedAt(['copy', ...part], here.env, 'Comparing tables')
      server = await started(here.env)
      await send(server, [{ event: 'more', distinct_id: 'more' }])
      await server.stop()
      expect(await sentence(part)).toContain('has changed since')
    },
    LONG,
  )

  it('takes one store alone to another engine', async () => {
    const one = await run(['copy', '--to-events', join(folder, 'alone')], { env: inFolder('below') })
    expect([one.code, one.stderr]).toEqual([0, ''])
    expect(existsSync(join(folder, 'alone', 'hedgerow.db'))).toBe(false)
    const rows = one.stdout.split('\n').filter((line) => line.endsWith('same'))
    expect(rows.map((line) => line.split('  ')[0])).toEqual(expect.arrayContaining(['events', 'persons of events']))
  })
})
