/** Objects of quiet recordings are joined in S3: they play as before, whatever comes in between. */
import type { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { joinQuiet } from '../../../src/features/recordings/join-blocks.ts'
import { createSnapshotsFeature } from '../../../src/features/snapshots/snapshots.feature.ts'
import { StoreUnavailable } from '../../../src/lib/errors.ts'
import { isWhole } from '../../../src/model/blob.ts'
import type { RecordingBlock } from '../../../src/model/recordings/recording.ts'
import { recordingFolder } from '../../../src/rules/recordings/recording.ts'
import { makeApp, PROJECT_TOKEN, type TestApp } from '../../support/app.ts'
import {
  click,
  expectedOf,
  FIXTURE_NOW,
  FIXTURE_TOKEN,
  linesOf,
  makeSnapshot,
  mutation,
  RECORDINGS,
  recordingPath,
  requestsOf,
  send,
} from '../../support/replay/replay.ts'
import { type S3Server, startS3 } from '../../support/servers/s3.ts'

const HOUR = 3_600_000
const OK = '{"status":"Ok"}'

let s3: S3Server
let app: TestApp
let tests = 0
let session: string
beforeAll(async () => {
  s3 = await startS3()
  app = await makeApp({ env: { HEDGEROW_BLOBS_URL: s3.url('joined') } })
})
beforeEach(() => {
  tests += 1
  session = `session-${tests}`
  app.logs.length = 0
})
afterEach(() => s3.behave(() => 'pass'))
afterAll(async () => {
  await app.end()
  await s3.stop()
})

const text = () => Array.from({ length: 20 }, () => Math.random().toString(36)).join('')
const grow = async (blocks: number, of = session) => {
  for (let i = 0; i < blocks; i++) {
    app.clock.advance(1_000)
    const events = [click(app.clock.now()), mutation(app.clock.now() + 1, text())]
    expect((await send(app, [makeSnapshot({ session: of, events })])).body).toBe(OK)
  }
}
const join = () => app.features.recordings.joinBlocks?.(app.clock.now(), new AbortController().signal)
const quiet = () => app.clock.advance(HOUR + 1)
const blocks = (of = session) => app.stores.recordings.blocks(1, of)
const keys = async () => new Set((await blocks()).map(({ blobKey }) => blobKey))
/** Names of objects. */
const objects = async (of = session) => {
  const found: string[] = []
  for await (const { key, offset } of await app.stores.blobs.parts(recordingFolder(1, of)))
    found.push(`${key}~${offset}`)
  return found
}
const exported = async (of: string) => (await app.call('GET', recordingPath(of, 'snapshots/export/'))).body
const listed = async (of: string) => (await app.call('GET', recordingPath(of, 'snapshots/'))).json()
const played = async (of = session) => [await linesOf(app, of), await exported(of), await listed(of)]
const counted = async () => {
  const { body } = await app.call('GET', '/metrics', { key: null })
  return ['objects', 'bytes'].map((name) =>
    Number(new RegExp(`^hedgerow_joined_${name}_total (\\d+)$`, 'm').exec(body)?.[1]),
  )
}
const lost = () => app.logs.filter((line) => /are missing|could not be/.test(line))
const inOneBlob = (found: RecordingBlock[]) => {
  const [first] = found
  let end = 0
  for (const { blobKey, offset, length } of found) {
    expect([blobKey, offset]).toEqual([first?.blobKey, end])
    end += length
  }
  expect(isWhole(first?.blobKey ?? '')).toBe(true)
}

describe('a quiet recording', () => {
  it.each(RECORDINGS)('of a real SDK plays as before, byte by byte: %s', async (file) => {
    await app.stores.transaction((tx) => tx.projects.update(1, { apiToken: FIXTURE_TOKEN }))
    app.clock.set(Math.max(FIXTURE_NOW, app.clock.now()))
    for (const body of requestsOf(file)) expect((await send(app, body)).body).toBe(OK)
    await app.stores.transaction((tx) => tx.projects.update(1, { apiToken: PROJECT_TOKEN }))
    const sessions = expectedOf(file).map(({ session_id }) => session_id)
    const before = await Promise.all(sessions.map((one) => played(one)))
    quiet()
    await join()
    for (const [i, one] of sessions.entries()) {
      inOneBlob(await blocks(one))
      expect(await objects(one)).toHaveLength(1)
      expect(await played(one)).toEqual(before[i])
      expect(JSON.stringify(await listed(one))).toContain('window_id')
    }
    expect(lost()).toEqual([])
  })

  it('is joined by the schedule once an hour has passed since its last block, and counted', async () => {
    await grow(5)
    const before = await played()
    const countedBefore = await counted()
    app.clock.advance(HOUR / 2)
    await app.runner.runDue()
    expect((await objects()).length).toBe(5)
    app.clock.advance(HOUR + HOUR / 2)
    await app.runner.runDue()
    expect((await objects()).length).toBe(1)
    inOneBlob(await blocks())
    expect(await played()).toEqual(before)
    const size = (await blocks()).reduce((sum, { length }) => sum + length, 0)
    expect(await counted()).toEqual([(countedBefore[0] ?? 0) + 5, (countedBefore[1] ?? 0) + size])
    s3.requests.length = 0
    await join()
    expect(s3.requests).toEqual([])
  })

  it('is read with one request for all of its blocks', async () => {
    await grow(20)
    quiet()
    await join()
    s3.requests.length = 0
    expect(await linesOf(app, session)).toHaveLength(40)
    expect(s3.requests.map(({ method }) => method)).toEqual(['GET'])
    const query = { source: 'blob_v2', blob_key: '7' }
    expect((await app.call('GET', recordingPath(session, 'snapshots/'), { query })).statusCode).toBe(200)
  })

  it('of one block is left as it is', async () => {
    await grow(1)
    const before = await objects()
    quiet()
    await join()
    expect(await objects()).toEqual(before)
  })

  it('goes on in a new file when its session resumes, and is joined again', async () => {
    await grow(3)
    quiet()
    await join()
    await grow(3)
    const [joined, ...others] = await keys()
    expect([isWhole(joined ?? ''), others.length]).toEqual([true, 1])
    expect(await linesOf(app, session)).toHaveLength(12)
    const before = await played()
    quiet()
    await join()
    inOneBlob(await blocks())
    expect((await objects()).length).toBe(1)
    expect(await played()).toEqual(before)
    expect(lost()).toEqual([])
  })

  it('that is deleted afterwards leaves no object', async () => {
    await grow(3)
    quiet()
    await join()
    expect((await app.call('DELETE', recordingPath(session))).statusCode).toBe(204)
    expect(await objects()).toEqual([])
  })

  it('starts again with its blob, also after a restart', async () => {
    await grow(3)
    quiet()
    await join()
    const before = await played()
    await app.close()
    app = await makeApp({ dataDir: app.dataDir, clock: app.clock, env: { HEDGEROW_BLOBS_URL: s3.url('joined') } })
    expect(await played()).toEqual(before)
  })
})

type Step = 'read' | 'put' | 'transaction' | 'removeParts'

/** Joins, with something done before or after the first time of a step; what failed. */
async function joinWith(step: Step, when: 'before' | 'after', work: () => Promise<unknown>): Promise<unknown[]> {
  const failures: unknown[] = []
  let isDone = false
  const once = async () => {
    if (isDone) return
    isDone = true
    await work()
  }
  const around =
    <A extends unknown[], R>(name: Step, original: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (name === step && when === 'before') await once()
      const result = await original(...args)
      if (name === step && when === 'after') await once()
      return result
    }
  const { blobs } = app.stores
  const stores = {
    ...app.stores,
    blobs: {
      ...blobs,
      read: around('read', blobs.read),
      put: around('put', blobs.put),
      removeParts: around('removeParts', blobs.removeParts),
    },
    transaction: around('transaction', app.stores.transaction) as typeof app.stores.transaction,
  }
  const parts = { stores, clock: app.clock, joined: () => {}, notJoined: (error: unknown) => failures.push(error) }
  await joinQuiet(parts, app.clock.now(), new AbortController().signal)
  expect(isDone).toBe(true)
  return failures
}

const STEPS = [
  ['read', 'before'],
  ['put', 'before'],
  ['put', 'after'],
  ['transaction', 'before'],
  ['transaction', 'after'],
  ['removeParts', 'before'],
  ['removeParts', 'after'],
] as const

describe.each(STEPS)('what happens while it is joined, at %s, %s it', (step, when) => {
  let before: unknown
  beforeEach(async () => {
    await grow(4)
    before = await played()
    quiet()
  })
  /** What the sweep makes of it two days later, by the clock of the store. */
  const sweep = () => app.features.recordings.sweepBytes(Date.now() + 48 * HOUR, new AbortController().signal)

  it('an end of the process loses nothing, and what it leaves is swept', async () => {
    const failure = new Error('killed')
    expect(await joinWith(step, when, () => Promise.reject(failure))).toEqual([failure])
    expect(await played()).toEqual(before)
    await sweep()
    expect(await played()).toEqual(before)
    await join()
    await sweep()
    expect((await objects()).length).toBe(1)
    inOneBlob(await blocks())
    expect(await played()).toEqual(before)
    expect(lost()).toEqual([])
  })

  it('a block that comes is kept', async () => {
    expect(await joinWith(step, when, () => grow(2))).toEqual([])
    expect(await linesOf(app, session)).toHaveLength(12)
    before = await played()
    quiet()
    await join()
    inOneBlob(await blocks())
    expect((await objects()).length).toBe(1)
    expect(await played()).toEqual(before)
    expect(lost()).toEqual([])
  })

  it('a deletion leaves nothing', async () => {
    const erase = async () => expect((await app.call('DELETE', recordingPath(session))).statusCode).toBe(204)
    expect(await joinWith(step, when, erase)).toEqual([])
    expect(await objects()).toEqual([])
    expect(await blocks()).toEqual([])
  })

  it('another process that joins it, too, does not harm', async () => {
    expect(await joinWith(step, when, async () => join())).toEqual([])
    expect((await objects()).length).toBe(1)
    inOneBlob(await blocks())
    expect(await played()).toEqual(before)
  })

  it('a reader that has read the rows before gets every line', async () => {
    const { blobs } = app.stores
    let joining: Promise<unknown> | undefined
    const stores = {
      ...app.stores,
      blobs: {
        ...blobs,
        // The rows are read; now all is done up to the step.
        read: async (key: string, offset: number, length: number) => {
          joining ??= joinWith(step, when, async () => {})
          await joining
          return blobs.read(key, offset, length)
        },
      },
    }
    const failed: Error[] = []
    const parts = { stores, clock: app.clock, inflated: 1_000_000, lost: (error: Error) => failed.push(error) }
    const answer = await createSnapshotsFeature(parts).export({ projectId: 1, sessionId: session })
    const body = await textOf(answer.body as Readable)
    expect(body).toBe((before as unknown[])[1])
    expect(failed).toEqual([])
  })
})

it('two processes that join many at once leave one object of each', async () => {
  const many = Array.from({ length: 8 }, (_, i) => `${session}-${i}`)
  for (const one of many) await grow(3, one)
  const before = await Promise.all(many.map((one) => played(one)))
  quiet()
  await Promise.all([join(), join(), join()])
  for (const one of many) expect(await objects(one)).toHaveLength(1)
  expect(await Promise.all(many.map((one) => played(one)))).toEqual(before)
  expect(lost()).toEqual([])
})

it('a transaction whose answer got lost loses nothing, whether it was carried out or not', async () => {
  await grow(4)
  const before = await played()
  quiet()
  for (const isDone of [false, true]) {
    const transaction = async (work: Parameters<typeof app.stores.transaction>[0]) => {
      if (isDone) await app.stores.transaction(work)
      throw new StoreUnavailable('sql_away', new Error('cut off'))
    }
    const stores = { ...app.stores, transaction: transaction as typeof app.stores.transaction }
    const failures: unknown[] = []
    const parts = { stores, clock: app.clock, joined: () => {}, notJoined: (error: unknown) => failures.push(error) }
    await joinQuiet(parts, app.clock.now(), new AbortController().signal)
    expect(failures).toHaveLength(1)
    expect(await played()).toEqual(before)
  }
  await app.features.recordings.sweepBytes(Date.now() + 48 * HOUR, new AbortController().signal)
  expect(await played()).toEqual(before)
  expect((await objects()).length).toBe(1)
})

it('ends early while the service is away, says so, and goes on later', async () => {
  const many = Array.from({ length: 5 }, (_, i) => `${session}-${i}`)
  for (const one of many) await grow(2, one)
  quiet()
  s3.behave(({ method }) => (method === 'PUT' ? { status: 403, code: 'AccessDenied' } : 'pass'))
  await join()
  expect(app.logs.filter((line) => line.includes('could not be joined'))).toHaveLength(3)
  s3.behave(() => 'pass')
  await join()
  for (const one of many) expect(await objects(one)).toHaveLength(1)
})

it('leaves files alone', async () => {
  const files = await makeApp({ env: { HEDGEROW_BLOBS_URL: undefined } })
  expect(files.features.recordings.joinBlocks).toBeNull()
  await files.end()
})
