/** The check on real stores: wherever a crash interrupts the writes, it must not look like a mismatch. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uuidV7 } from '../lib/ids.ts'
import { type BlobStore, wholeKey } from '../model/blob.ts'
import type { EventStore } from '../model/events/event.ts'
import type { SqlStores } from '../model/stores.ts'
import { checkInstallation, type InstallationStores } from './check-installation.ts'
import { newRecording } from './contract/recording-builders.ts'
import { insertProject } from './contract/sql-builders.ts'
import { openDuckdbEvents } from './duckdb/events.ts'
import { openFileBlobs } from './fs/blobs.ts'
import { openSql } from './open.ts'

const NOW = Date.UTC(2026, 2, 4, 12)
/** What a check may write: a stamp in the event store, one in the blob store, and the row of the SQL store. */
const WRITES = 3

let folder: string
let sql: SqlStores
let events: EventStore
let blobs: BlobStore
let closes: (() => Promise<void>)[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hedgerow-installation-'))
  const opened = await openSql({ dataDir: folder, sqlUrl: null, eventsUrl: null, blobsUrl: null })
  sql = opened.stores
  events = await openDuckdbEvents(':memory:')
  blobs = openFileBlobs(join(folder, 'blobs'))
  closes = [opened.close, () => events.close()]
})
afterEach(async () => {
  for (const close of closes) await close()
  rmSync(folder, { recursive: true, force: true })
})

const stores = (): InstallationStores => ({ sql, events, blobs })
const check = () => checkInstallation(stores(), null)

/** The stores of a process that crashes at its write number `at`, before or after doing it. */
function dying(at: number, done: boolean): InstallationStores {
  let writes = 0
  const die = async (write: () => Promise<unknown>) => {
    writes += 1
    if (writes < at || done) await write()
    if (writes >= at) throw new Error('killed')
  }
  return {
    sql: { ...sql, transaction: (work) => die(() => sql.transaction(work)) as never },
    events: { ...events, setStamp: (stamp) => die(() => events.setStamp(stamp)) },
    blobs: { ...blobs, setStamp: (stamp) => die(() => blobs.setStamp(stamp)) },
  }
}

/** Relays batches up to the point that `stop` names. */
async function handOn(stop: 'committed' | 'applied' | 'removed'): Promise<void> {
  const id = uuidV7(NOW)
  const content = { events: [], persons: [], distinctIds: [] }
  const seq = await sql.transaction(async (tx) => {
    const next = await tx.outbox.nextSeq()
    await tx.outbox.add({ id, seq: next, ...content }, NOW)
    return next
  })
  if (stop === 'committed') return
  const [batch] = (await sql.outbox.peek(1_000)).filter((one) => one.seq === seq)
  if (batch) await events.apply([batch], NOW)
  if (stop === 'removed') await sql.relaxed((tx) => tx.outbox.remove([id]))
}

describe('a process that crashes while it stamps the stores', () => {
  const moments = Array.from({ length: WRITES }, (_, i) => [i + 1, true] as const)
  it.each([...moments, ...moments.map(([at]) => [at, false] as const)])(
    'at write %i (done: %s) leaves stores that belong together',
    async (at, done) => {
      for (let start = 0; start < 3; start++) {
        await checkInstallation(dying(at, done), null).catch((error: Error) => expect(error.message).toBe('killed'))
        await check()
        await handOn('removed')
        const key = `1/recordings/s${start}/0`
        await blobs.append(key, Buffer.from('x'), 0)
      }
      await check()
      expect((await blobs.stamp())?.id).toBe((await sql.installation.find()).id)
    },
  )
})

describe('a batch that is being relayed', () => {
  it.each(['committed', 'applied', 'removed'] as const)(
    'that was %s when the process died is no mismatch',
    async (stop) => {
      await check()
      await handOn('removed')
      await handOn(stop)
      await check()
      expect(await events.stamp()).toMatchObject({ reached: stop === 'committed' ? 1 : 2 })
    },
  )
  it('that was removed from the outbox, which a power cut undid, is not a mismatch', async () => {
    await check()
    await handOn('removed')
    await handOn('applied')
    await handOn('applied')
    expect((await sql.installation.find()).handedSeq).toBe(1)
    await check()
  })
  it('that another process hands on while a start looks is no mismatch', async () => {
    await check()
    await handOn('removed')
    const kept = events
    let handed = 0
    events = {
      ...kept,
      async stamp() {
        handed += 1
        await handOn('removed')
        return kept.stamp()
      },
    }
    await check()
    events = kept
    expect([handed, await events.stamp()]).toEqual([1, expect.objectContaining({ reached: 2 })])
  })
  it('that the event store lost, or never got from this SQL store, is one', async () => {
    await check()
    await handOn('removed')
    const { id } = await sql.installation.find()
    const kept = events
    events = { ...kept, stamp: async () => ({ id, reached: 0 }) }
    await expect(check()).rejects.toThrow(/^The event store is an older copy/)
    events = { ...kept, stamp: async () => ({ id, reached: 2 }) }
    await expect(check()).rejects.toThrow(/^The SQL store is an older copy/)
    events = kept
    await check()
  })
})

describe('bytes that are joined by another process', () => {
  const recorded = async () => {
    const key = '1/recordings/s/0'
    const recording = newRecording({ projectId: (await insertProject(sql)).id, sessionId: 's' })
    const block = {
      index: 0,
      blobKey: key,
      offset: 0,
      length: 3,
      firstAt: NOW,
      lastAt: NOW,
      follows: null,
      fullSnapshots: '',
    }
    await blobs.append(key, Buffer.from('abc'), 0)
    await sql.transaction((tx) => tx.recordings.create(recording, [block]))
    await check()
    return { block, projectId: recording.projectId }
  }

  it('while a start looks for them are not missing; others are', async () => {
    const { block, projectId } = await recorded()
    const to = { blobKey: wholeKey('1/recordings/s/1'), offset: 0 }
    let isJoined = false
    const joining: BlobStore = {
      ...blobs,
      async read(...args) {
        if (!isJoined) {
          isJoined = true
          await blobs.put(to.blobKey, Buffer.from('abc'))
          await sql.transaction((tx) => tx.recordings.moveBlocks(projectId, 's', [{ from: block, to }]))
          await blobs.remove(block.blobKey)
        }
        return blobs.read(...args)
      },
    }
    await checkInstallation({ ...stores(), blobs: joining }, null)
    expect(isJoined).toBe(true)
    await blobs.remove(to.blobKey)
    await expect(check()).rejects.toThrow('Bytes of recordings are missing, such as those of the session s.')
  })
})
