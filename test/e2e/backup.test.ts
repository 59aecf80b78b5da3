/** Backed up under load and restored: what was acknowledged before the backup began is there, once and unchanged. */
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import type { Backup } from '../../src/model/backup.ts'
import type { Stores } from '../../src/model/stores.ts'
import { openStores } from '../../src/stores/open.ts'
import { ENV, KEY, Load, listedFullSnapshots, playedSnapshots, storedEvents, TOKEN } from '../support/backup-load.ts'
import { type Finished, type Running, run, start, useFolder } from '../support/program.ts'
import { size } from '../support/size.ts'

const BEFORE = size(3_000, 200_000)

const folder = useFolder()
const live = () => join(folder(), 'live')
const copy = () => join(folder(), 'copy')
const restored = () => join(folder(), 'restored')
const hedgerow = (dataDir: string, ...args: string[]): Promise<Finished> =>
  run(args, { env: { HEDGEROW_DATA_DIR: dataDir } })
const manifest = (): Backup => JSON.parse(readFileSync(join(copy(), 'manifest.json'), 'utf8'))
const fails = (what: string) => (reason: unknown) => {
  throw new Error(`${what}: ${reason}`)
}

async function withStores<T>(dataDir: string, work: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = await openStores(readConfig({ HEDGEROW_DATA_DIR: dataDir }), {
    clock: systemClock,
    drainFailed: fails('not drained'),
    batchesParked: fails('parked'),
    parkedDropped: fails('dropped'),
    noteFailure: () => false,
    lossAccepted: null,
  })
  try {
    return await work(stores)
  } finally {
    await stores.close()
  }
}

const call = (server: Running, path: string, method = 'GET', body?: unknown) =>
  fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const capture = async (server: Running, distinctId: string, count: number) => {
  const batch = Array.from({ length: count }, () => ({
    event: 'seen',
    distinct_id: distinctId,
    properties: { $set: { a: 1 } },
  }))
  expect((await call(server, '/batch/', 'POST', { api_key: TOKEN, batch })).status).toBe(200)
}

function modesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const { mode } = lstatSync(join(entry.parentPath, entry.name))
    return (mode & 0o077) === 0 ? [] : [entry.name]
  })
}

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 20 }).toBe(true)
}

describe('hedgerow backup and restore', () => {
  it('keeps all that was acknowledged before, while capture goes on', {
    timeout: size(400_000, 3_600_000),
  }, async () => {
    const server = await start(live(), { env: ENV })
    const load = new Load(server.url)
    load.begin()
    await until(() => load.events.size >= BEFORE && load.snapshots.length >= 40)

    const events = new Map(load.events)
    const snapshots = [...load.snapshots]
    const deleting = hedgerow(live(), 'deletions', 'run', '--project', '1')
    const made = await hedgerow(live(), 'backup', copy())
    expect([made.code, made.stderr]).toEqual([0, ''])
    expect(made.stdout).toContain(`Complete in ${copy()}`)
    const after = load.events.size
    await until(() => load.events.size > after)
    await load.end()
    expect(load.refused).toEqual([])
    expect((await deleting).code).toBe(0)
    await server.stop()
    expect([modesBelow(copy()), lstatSync(copy()).mode & 0o777]).toEqual([[], 0o700])

    const back = await hedgerow(restored(), 'restore', copy())
    expect([back.code, back.stderr]).toEqual([0, ''])
    const again = await start(restored(), { env: ENV })
    const played = new Map<string, number[]>()
    for (const session of new Set(snapshots.map((one) => one.session))) {
      played.set(session, await playedSnapshots(again.url, session))
      for (const found of await listedFullSnapshots(again.url, session)) expect(found).toBeGreaterThan(0)
    }
    for (const { session, n } of snapshots) expect(played.get(session)?.filter((other) => other === n).length).toBe(3)
    expect((await call(again, '/_ready')).status).toBe(200)
    await again.stop()

    await withStores(restored(), async (stores) => {
      const found = await storedEvents(stores, 'seen')
      const byUuid = new Map(found)
      expect(byUuid.size).toBe(found.length)
      const wrong = [...events].filter(([uuid, digest]) => byUuid.get(uuid) !== digest)
      expect(wrong).toEqual([])
      expect([...byUuid.keys()].filter((uuid) => !load.sent.has(uuid))).toEqual([])
      // The manifest counts what had been applied; the rest was in the outbox.
      const { rows } = manifest()
      expect(rows.events.events).toBeLessThanOrEqual(found.length + (rows.sql.deletions ?? 0))
      expect(rows.sql.event_uuids).toBeGreaterThanOrEqual(events.size)
      for (const id of ['person-0', 'person-39']) expect(await stores.events.personOf(1, id)).not.toBeNull()
    })
  })

  it('deletes again what was deleted after the backup, and says so', async () => {
    const server = await start(live(), { env: ENV })
    for (const id of ['ann', 'bob', 'cy', 'dot']) await capture(server, id, 3)
    const load = new Load(server.url)
    load.begin()
    await until(() => load.snapshots.length >= 12)
    await load.end()
    expect((await hedgerow(live(), 'backup', copy())).code).toBe(0)

    const remove = (distinct_ids: string[], options: object) =>
      call(server, '/api/environments/1/persons/bulk_delete/', 'POST', { distinct_ids, ...options })
    expect((await remove(['ann'], { delete_events: true })).status).toBe(202)
    expect((await remove(['cy'], { delete_events: true, keep_person: true })).status).toBe(202)
    expect((await hedgerow(live(), 'deletions', 'run', '--project', '1')).code).toBe(0)
    expect((await remove(['bob'], {})).status).toBe(202)
    const gone = load.snapshots[0] as { session: string }
    const recording = `/api/environments/1/session_recordings/${gone.session}/`
    expect((await call(server, recording, 'DELETE')).status).toBe(204)
    await capture(server, 'eve', 1)
    await server.stop()

    const back = await hedgerow(live(), 'restore', copy())
    expect([back.code, back.stderr]).toEqual([0, ''])
    expect(back.stdout.match(/person \S+: deleted again, its events are queued again/g)?.length).toBe(1)
    expect(back.stdout.match(/person \S+: stays, its events are queued again/g)?.length).toBe(1)
    expect(back.stdout.match(/person \S+: deleted again\n/g)?.length).toBe(1)
    expect(back.stdout).toContain(`recording ${gone.session}: deleted again`)
    const [aside] = readdirSync(live()).filter((name) => name.startsWith('replaced-'))
    expect(back.stdout).toContain(join(live(), aside ?? 'none'))
    expect(existsSync(join(live(), aside ?? '', 'hedgerow.db'))).toBe(true)

    const again = await start(live(), { env: ENV })
    const status = async () => {
      const page = await (await call(again, '/api/environments/1/persons/deletion_status/?limit=200')).json()
      const { results } = page as { results: { status: string; events_deleted: number }[] }
      // Others, of the load, have one event each.
      return results.filter((one) => one.events_deleted !== 1).map((one) => `${one.status} ${one.events_deleted}`)
    }
    await expect.poll(status).toEqual(['completed 3', 'completed 3'])
    expect((await call(again, recording)).status).toBe(404)
    const left = async (id: string) => {
      const page = await (await call(again, `/api/environments/1/events/?distinct_id=${id}`)).json()
      return (page as { results: unknown[] }).results.length
    }
    expect([await left('ann'), await left('bob'), await left('cy'), await left('dot'), await left('eve')]).toEqual([
      0, 3, 0, 3, 0,
    ])
    const persons = (await (await call(again, '/api/environments/1/persons/?limit=100')).json()) as {
      results: { distinct_ids: string[] }[]
    }
    const ids = persons.results.flatMap((person) => person.distinct_ids)
    expect([ids.includes('ann'), ids.includes('bob'), ids.includes('cy')]).toEqual([false, false, true])
    expect(existsSync(join(live(), 'blobs/1/recordings', gone.session))).toBe(false)
    await again.stop()
    // Erased from the files too, not only from what is listed.
    const bytes = readFileSync(join(live(), 'hedgerow.db'))
    expect(bytes.includes(Buffer.from('"distinct_id":"ann"'))).toBe(false)
  })

  it('refuses what is not a complete backup of which every byte is right', async () => {
    const server = await start(live(), { env: ENV })
    await capture(server, 'ann', 5)
    expect((await hedgerow(live(), 'backup', copy())).code).toBe(0)
    const twice = await hedgerow(live(), 'backup', copy())
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('has a backup already')])
    const inside = await hedgerow(live(), 'backup', join(live(), 'here'))
    expect([inside.code, inside.stderr]).toEqual([1, expect.stringContaining('inside the data folder')])
    const running = await hedgerow(live(), 'restore', copy())
    expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('Stop it, then restore.')])
    await server.stop()

    const before = readdirSync(live()).sort()
    const refused = async (words: string) => {
      const back = await hedgerow(live(), 'restore', copy())
      expect([back.code, back.stderr]).toEqual([1, expect.stringContaining(words)])
      expect(readdirSync(live()).sort()).toEqual(before)
    }
    const changed = async (name: string, words: string) => {
      const path = join(copy(), name)
      const good = readFileSync(path)
      const bad = Buffer.from(good)
      bad[bad.length >> 1] = (bad[bad.length >> 1] ?? 0) ^ 1
      writeFileSync(path, bad)
      await refused(words)
      rmSync(path)
      await refused(name === 'manifest.json' ? 'no complete backup' : 'missing')
      writeFileSync(path, good)
    }
    await changed('events.duckdb', 'events.duckdb does not have its checksum')
    await changed('hedgerow.db', 'hedgerow.db does not have its checksum')
    await changed('SHA256SUMS', 'SHA256SUMS is missing or was changed')
    rmSync(join(copy(), 'manifest.json'))
    await refused('no complete backup')
    expect((await hedgerow(live(), 'restore', join(folder(), 'nowhere'))).stderr).toContain('no complete backup')
  })
})
