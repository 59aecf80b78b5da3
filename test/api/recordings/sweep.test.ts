/** The nightly sweep: bytes that belong to no recording go, those that are missing are counted; in files and in S3. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweepBytes } from '../../../src/features/recordings/sweep-bytes.ts'
import { wholeKey } from '../../../src/model/blob.ts'
import { recordingFolder } from '../../../src/rules/recordings/recording.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { testClock } from '../../support/clock.ts'
import { makeProject, makeRecording } from '../../support/make.ts'
import { click, linesOf, makeSnapshot, send } from '../../support/replay/replay.ts'
import { type S3Server, startS3 } from '../../support/servers/s3.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.stop())

describe.each(['files', 'S3'])('the sweep of %s', (engine) => {
  let app: TestApp
  let tests = 0
  beforeEach(async () => {
    tests += 1
    // Files and objects have the time of the machine.
    const clock = testClock(Date.now())
    const HEDGEROW_BLOBS_URL = engine === 'S3' ? s3.url(`sweep-${tests}`) : undefined
    app = await makeApp({ clock, env: { HEDGEROW_BLOBS_URL } })
  })
  afterEach(async () => {
    s3.behave(() => 'pass')
    await app.end()
  })

  const record = async (session: string, blocks = 3) => {
    for (let i = 0; i < blocks; i++) {
      const answer = await send(app, [makeSnapshot({ session, events: [click(app.clock.now() + i)] })])
      expect(answer.statusCode).toBe(200)
    }
  }
  const put = (key: string, text = 'bytes') => app.stores.blobs.put(key, Buffer.from(text))
  const keys = () => app.stores.blobs.list('')
  const sweep = (now = app.clock.now()) => app.features.recordings.sweepBytes(now, new AbortController().signal)
  const swept = () =>
    app.logs
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => /bytes that belonged to no|bytes of recordings are missing/.test(msg))
  const counted = async () => {
    const { body } = await app.call('GET', '/metrics', { key: null })
    return ['orphans', 'orphan_bytes', 'missing_blocks'].map((name) =>
      Number(new RegExp(`^hedgerow_sweep_${name}_total (\\d+)$`, 'm').exec(body)?.[1]),
    )
  }

  it('removes what no recording names once it is a day old, at night, and says how much', async () => {
    await record('kept')
    await record('another-kept', 1)
    const other = await makeProject(app)
    await put(`${recordingFolder(1, 'kept')}9-left`, '12345')
    await put(wholeKey(`${recordingFolder(1, 'kept')}0-left`), '123')
    await put(`${recordingFolder(1, 'never')}0`, '1')
    await app.stores.blobs.append(`${recordingFolder(other.id, 'never')}0`, Buffer.from('12'), 0)
    await put(`${recordingFolder(777, 'no-project')}0`, '1')
    await sweep(app.clock.now() + DAY - HOUR)
    expect((await keys()).filter((key) => /left|never|no-project/.test(key))).toHaveLength(5)
    expect(swept()).toEqual([])
    app.clock.advance(2 * DAY)
    await app.runner.runDue()
    expect(await keys()).toHaveLength(2)
    expect(swept()).toMatchObject([{ level: 40, orphans: 5, orphanBytes: 12, missing: 0 }])
    expect(await counted()).toEqual([5, 12, 0])
    expect(await linesOf(app, 'kept')).toHaveLength(3)
    await sweep()
    expect(swept()).toHaveLength(1)
  })

  it('leaves alone what is not in the folder of a recording', async () => {
    const foreign = [
      'notes.txt',
      '1/notes',
      '1/recordings/notes',
      '1/other/s/0',
      'x/recordings/s/0',
      '01/recordings/s/0',
    ]
    for (const key of [...foreign, '12345678901/recordings/s/0']) await put(key)
    await sweep(app.clock.now() + 9 * DAY)
    expect(await keys()).toEqual([...foreign, '12345678901/recordings/s/0'].sort())
    expect(swept()).toEqual([])
  })

  it('counts blocks whose bytes are missing or too short, each night again, and the others play', async () => {
    await record('whole')
    await record('damaged', 3)
    const gone = await makeRecording(app, { bytes: 'x' })
    await app.stores.blobs.removeAll(recordingFolder(1, gone.sessionId))
    const short = await makeRecording(app, { bytes: 'long enough' })
    await app.stores.blobs.removeAll(recordingFolder(1, short.sessionId))
    await app.stores.blobs.append(`${recordingFolder(1, short.sessionId)}0`, Buffer.from('long'), 0)
    const [{ blobKey = '', offset = 0, length = 0 } = {}] = (await app.stores.recordings.blocks(1, 'damaged')).slice(-1)
    if (engine === 'S3') await app.stores.blobs.removeParts([{ key: blobKey, offset }])
    else await app.stores.blobs.append(blobKey, Buffer.alloc(length - 1), offset)
    for (let nights = 1; nights <= 2; nights++) {
      await sweep()
      expect(swept()).toHaveLength(nights)
      expect(swept().at(-1)).toMatchObject({ level: 50, orphans: 0, missing: 3, example: { projectId: 1 } })
      expect(await counted()).toEqual([0, 0, nights * 3])
    }
    expect(await linesOf(app, 'damaged')).toHaveLength(2)
    expect(await linesOf(app, 'whole')).toHaveLength(3)
  })

  it('finds its way among ids that begin alike, and more blocks than it reads at once', async () => {
    const ids = ['a', 'a-b', 'a-b-c', 'a0', 'A', 'b-', 'b']
    for (const sessionId of ids) await makeRecording(app, { sessionId, bytes: 'xyz' })
    const one = await makeRecording(app, { sessionId: 'a-one', bytes: 'xyz' })
    const blobKey = wholeKey(`${recordingFolder(1, 'a-many')}0`)
    await app.stores.blobs.put(blobKey, Buffer.alloc(4_500))
    const blocks = Array.from({ length: 4_500 }, (_, index) => {
      return { index, blobKey, offset: index, length: 1, firstAt: 0, lastAt: 0, follows: null, fullSnapshots: '' }
    })
    await app.stores.transaction((tx) => tx.recordings.create({ ...one, sessionId: 'a-many' }, blocks))
    for (const id of [10, 2, 11]) await put(`${recordingFolder(id, 'a')}0`)
    const before = await keys()
    await sweep(app.clock.now() + 2 * DAY)
    expect(swept()).toMatchObject([{ orphans: 3, missing: 0 }])
    expect(await keys()).toEqual(before.filter((name) => name.startsWith('1/')))
  })

  it('never removes what a row written meanwhile names, and misses nothing that was deleted meanwhile', async () => {
    const late = `${recordingFolder(1, 'late')}0`
    await put(late, 'abc')
    const gone = await makeRecording(app, { bytes: 'x', sessionId: 'gone' })
    const { recordings } = app.stores
    let isFirst = true
    const stores = {
      ...app.stores,
      recordings: {
        ...recordings,
        async blockPlaces(...args: Parameters<typeof recordings.blockPlaces>) {
          const found = await recordings.blockPlaces(...args)
          if (isFirst) {
            isFirst = false
            // After the rows were read, and before what is stored is.
            await makeRecording(app, { bytes: 'abc', sessionId: 'late' })
            await app.stores.transaction((tx) =>
              tx.recordings.replaceByTombstone(1, [gone.sessionId], { userId: null, at: 0 }),
            )
            await app.stores.blobs.removeAll(recordingFolder(1, gone.sessionId))
          }
          return found
        },
      },
    }
    const results: unknown[] = []
    const run = { now: app.clock.now() + 2 * DAY, signal: new AbortController().signal }
    await sweepBytes({ stores, join: null, swept: (result) => results.push(result) }, run)
    expect(results).toEqual([{ orphans: 0, orphanBytes: 0, missing: 0, example: null }])
    expect(await keys()).toEqual([late])
  })

  it.runIf(engine === 'files')(
    'says what it did before it was stopped, and does the rest in the next night',
    async () => {
      for (let i = 0; i < 1_005; i++) await app.stores.blobs.put(`${recordingFolder(1, `s-${i}`)}0`, Buffer.from('x'))
      const stop = new AbortController()
      const { blobs } = app.stores
      let removed = 0
      const removeParts = async (...args: Parameters<typeof blobs.removeParts>) => {
        await blobs.removeParts(...args)
        removed += 1
        if (removed === 1_000) stop.abort()
      }
      const results: { orphans: number }[] = []
      const stores = { ...app.stores, blobs: { ...blobs, removeParts } }
      const parts = { stores, join: null, swept: (result: { orphans: number }) => results.push(result) }
      const now = app.clock.now() + 2 * DAY
      await expect(sweepBytes(parts, { now, signal: stop.signal })).rejects.toThrow()
      expect(results).toMatchObject([{ orphans: 1_000 }])
      await sweep(now)
      expect(swept()).toMatchObject([{ orphans: 5 }])
      expect(await keys()).toEqual([])
    },
  )

  it.runIf(engine === 'S3')('joins what the hourly run has not met', async () => {
    app.clock.set(Date.now() - 5 * DAY)
    await record('old', 4)
    app.clock.set(Date.now())
    await app.features.recordings.joinBlocks?.(app.clock.now(), new AbortController().signal)
    const before = await linesOf(app, 'old')
    const isJoined = async () => new Set((await app.stores.recordings.blocks(1, 'old')).map((b) => b.blobKey)).size
    expect((await app.stores.recordings.blocks(1, 'old')).every(({ blobKey }) => !blobKey.endsWith('.whole'))).toBe(
      true,
    )
    await sweep()
    expect([await isJoined(), (await keys()).every((key) => key.endsWith('.whole'))]).toEqual([1, true])
    expect(await linesOf(app, 'old')).toEqual(before)
    expect(swept()).toEqual([])
  })
})
