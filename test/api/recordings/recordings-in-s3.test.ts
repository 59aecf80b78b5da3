/** Recordings in S3: taken, played and deleted as in files, also while the service misbehaves. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import { doctorSays } from '../../support/doctor.ts'
import {
  click,
  expectedOf,
  FIXTURE_NOW,
  FIXTURE_TOKEN,
  linesOf,
  makeSnapshot,
  RECORDINGS,
  recordingPath,
  requestsOf,
  send,
} from '../../support/replay/replay.ts'
import { type S3Server, startS3 } from '../../support/servers/s3.ts'

let s3: S3Server
let app: TestApp
let tests = 0
const OK = '{"status":"Ok"}'

beforeAll(async () => {
  s3 = await startS3()
})
beforeEach(async () => {
  tests += 1
  app = await makeApp({ env: { HEDGEROW_BLOBS_URL: url() } })
})
afterEach(async () => {
  s3.behave(() => 'pass')
  await app.end()
})
afterAll(() => s3.stop())

const url = () => s3.url(`test-${tests}`)
const again = async () => {
  await app.close()
  app = await makeApp({ dataDir: app.dataDir, clock: app.clock, env: { HEDGEROW_BLOBS_URL: url() } })
}
const one = (session = 'session-1') =>
  makeSnapshot({ session, events: [click(app.clock.now()), click(app.clock.now() + 1)] })
const objects = () => app.stores.blobs.list('')

it.each(RECORDINGS)('has what a real SDK has sent, event for event: %s', async (file) => {
  await app.stores.transaction((tx) => tx.projects.update(1, { apiToken: FIXTURE_TOKEN }))
  app.clock.set(FIXTURE_NOW)
  for (const body of requestsOf(file)) expect((await send(app, body)).body).toBe(OK)
  for (const { session_id, rrweb_events } of expectedOf(file)) {
    expect(await linesOf(app, session_id)).toHaveLength(rrweb_events)
  }
})

it('keeps recordings over restarts, and nothing of them once they are deleted', async () => {
  for (let starts = 1; starts <= 3; starts++) {
    for (let block = 0; block < 3; block++) expect((await send(app, [one()])).body).toBe(OK)
    expect(await linesOf(app, 'session-1')).toHaveLength(starts * 6)
    expect(await objects()).toHaveLength(starts)
    await again()
  }
  expect((await send(app, [one('other')])).body).toBe(OK)
  expect((await app.call('DELETE', recordingPath('session-1'))).statusCode).toBe(204)
  expect(await objects()).toEqual([expect.stringMatching(/^1\/recordings\/other\//)])
  expect(await linesOf(app, 'other')).toHaveLength(2)
})

it('answers 503 while the service is away, loses and repeats nothing, and takes events all the while', async () => {
  await send(app, [one()])
  const late = one()
  s3.behave(({ method }) => (method === 'PUT' ? 'cut' : { status: 503, code: 'SlowDown' }))
  for (let tries = 0; tries < 2; tries++) {
    const answer = await send(app, [late])
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
  }
  const event = { api_key: PROJECT_TOKEN, event: 'e', distinct_id: 'jane', properties: {} }
  expect((await app.call('POST', '/i/v0/e/', { key: null, body: event })).statusCode).toBe(200)
  const query = { source: 'blob_v2', blob_key: '0' }
  expect((await app.call('GET', recordingPath('session-1', 'snapshots/'), { query })).statusCode).toBe(503)
  const away = () => app.logs.filter((line) => line.includes('the store of recordings cannot be reached'))
  expect(away()).toHaveLength(1)
  s3.behave(() => 'pass')
  for (let tries = 0; tries < 2; tries++) expect((await send(app, [late])).body).toBe(OK)
  expect(await linesOf(app, 'session-1')).toHaveLength(4)
  expect(app.logs.join('')).toContain('the store of recordings answers again')
  expect(away()).toHaveLength(1)
})

it('keeps a block although a request for its place that was given up arrives later', async () => {
  await send(app, [one()])
  const before = await objects()
  s3.behave(({ method }) => (method === 'PUT' ? 'cut' : 'pass'))
  expect((await send(app, [one()])).statusCode).toBe(503)
  s3.behave(() => 'pass')
  expect((await send(app, [one()])).body).toBe(OK)
  const last = (await app.stores.recordings.standing(1, 'session-1'))?.lastBlock
  expect(before).not.toContain(last?.blobKey)
  expect(await linesOf(app, 'session-1')).toHaveLength(4)
})

it('refuses the bucket of another installation, and one that cannot be used', async () => {
  const start = (blobsUrl: string) => makeApp({ env: { HEDGEROW_BLOBS_URL: blobsUrl } })
  await send(app, [one()])
  await expect(start(url())).rejects.toThrow('The folder of recordings belongs to another installation')
  await expect(start(url().replace('@recordings', '@nowhere'))).rejects.toThrow('there is no such bucket')
  await expect(start('s3://a:b@bucket/?endpoint=http://127.0.0.1:9')).rejects.toThrow('nobody answers')
  await expect(start('s3://bucket/?colour=red')).rejects.toThrow('has the parameter colour')
})

it('refuses backups with a sentence', async () => {
  await expect(app.stores.backUp('/tmp/nowhere')).rejects.toThrow('a copy of the bucket')
})

it('is looked at by the doctor, who warns of a bucket that keeps what is deleted', async () => {
  const env = { HEDGEROW_BLOBS_URL: url() }
  const said = (isRunning: boolean) => doctorSays(app, 'bucket', { env, isRunning })
  s3.behave(({ query }) => (query.has('versioning') ? { status: 403, code: 'AccessDenied' } : 'pass'))
  expect(await said(true)).toBe('warn: the key may not do that.')
  s3.behave(() => ({ status: 403, code: 'SignatureDoesNotMatch' }))
  expect(await said(false)).toBe('warn: the secret does not belong to the id of the key.')
})
