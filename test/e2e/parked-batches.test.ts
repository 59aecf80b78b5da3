/**
 * A running server that gets a batch its event store never accepts, as a fault of an earlier version could have left
 * it: reads and capture go on, the operator is informed, and a retry stores what can be stored, once.
 */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { uuidV7 } from '../../src/lib/ids.ts'
import type { StoredEvent } from '../../src/model/events/stored-event.ts'
import { openSql } from '../../src/stores/open.ts'
import { readContent, rewriteContent } from '../../src/stores/outbox/batch-text.ts'
import { type Running, run, start, useFolder } from '../support/program.ts'

const KEY = 'phx_e2e_key_0123456789abcdef'
const TOKEN = 'phc_e2e_token_0123456789'

const folder = useFolder()
const hedgerow = (...args: string[]) => run(args, { env: { HEDGEROW_DATA_DIR: folder() } })
const withSql = async <T>(work: (sql: Awaited<ReturnType<typeof openSql>>['stores']) => Promise<T>): Promise<T> => {
  const sql = await openSql({ dataDir: folder(), sqlUrl: null, eventsUrl: null, blobsUrl: null })
  try {
    return await work(sql.stores)
  } finally {
    await sql.close()
  }
}

const event = (name: string, given: Partial<StoredEvent> = {}) => ({
  projectId: 1,
  uuid: randomUUID(),
  event: name,
  distinctId: 'ann',
  timestamp: Date.now(),
  sessionId: null,
  properties: {},
  ...given,
})

/** Puts a batch into the outbox while the server runs, as another process does. */
const addBatch = (events: ReturnType<typeof event>[]) =>
  withSql((stores) =>
    stores.transaction(async (tx) => {
      const seq = await tx.outbox.nextSeq()
      await tx.outbox.add({ id: uuidV7(Date.now()), seq, events, persons: [], distinctIds: [] }, Date.now())
    }),
  )

const call = (server: Running, path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${KEY}` } })
const namesOf = async (server: Running) => {
  const answer = await call(server, '/api/environments/1/events/?limit=100')
  const { results } = (await answer.json()) as { results?: { event: string }[] }
  return {
    status: answer.status,
    header: answer.headers.get('hedgerow-parked-batches'),
    names: results?.map((one) => one.event).sort(),
  }
}
const capture = async (server: Running, name: string) => {
  const body = JSON.stringify({ api_key: TOKEN, event: name, distinct_id: 'bob' })
  return (await fetch(`${server.url}/i/v0/e/`, { method: 'POST', body })).status
}

it('continues without what is refused, reports it, and applies it when it can', async () => {
  const server = await start(folder(), { env: { HEDGEROW_API_KEY: KEY, HEDGEROW_PROJECT_TOKEN: TOKEN } })
  await addBatch([event('a'), event('poison', { uuid: 'no uuid' }), event('b')])
  expect(await capture(server, 'c')).toBe(200)
  await expect.poll(async () => (await namesOf(server)).status).toBe(200)
  expect(await namesOf(server)).toEqual({ status: 200, header: '1', names: ['a', 'b', 'c'] })
  expect(await capture(server, 'd')).toBe(200)
  expect((await namesOf(server)).names).toEqual(['a', 'b', 'c', 'd'])
  const ready = await call(server, '/_ready')
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { status: 'ok', checks: { outbox: '1 parked: "hedgerow outbox list" shows them' } },
  ])
  expect(server.stderr()).toContain('the event store refuses part of a batch')

  const listed = await hedgerow('outbox', 'list')
  expect(listed.stdout).toMatch(/^ID +PROJECT +EVENTS +CHANGES +CREATED +PARKED +ERROR\n\S+ +1 +1 +0 .*expected UUID/)
  expect((await hedgerow('doctor')).stdout).toMatch(/^warn +outbox +1 batches are refused by the event store/m)

  // With the error corrected, as a newer version might.
  await withSql((stores) =>
    stores.transaction(async (tx) => {
      const [parked] = await tx.outbox.parkedTexts({ after: '', limit: 1 })
      const content = readContent(parked?.text ?? '')
      const events = content.events.map((one) => ({ ...one, uuid: randomUUID() }))
      const text = rewriteContent({ ...content, events })
      await tx.outbox.rewriteParked(parked?.id ?? '', { text, events: 1, changes: 0, error: 'mended' })
    }),
  )
  expect((await hedgerow('outbox', 'retry', '--all')).stdout).toBe('1 to be tried again.\n')
  expect(await namesOf(server)).toEqual({ status: 200, header: null, names: ['a', 'b', 'c', 'd', 'poison'] })
  expect((await hedgerow('outbox', 'list')).stdout).toBe('No batch is parked.\n')
  await server.stop()
})
