/** Who did an event, whatever owners did after it was captured: compared with owners that the test keeps by itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newClickhouse, noClickhouse, type TestClickhouse } from '../../../../test/support/clickhouse/databases.ts'
import type { DistinctIdProjection, OutboxBatch } from '../../../model/events/outbox.ts'
import { makeBatch, makeEvent, makePerson, NOON } from '../../contract/batch-builders.ts'
import { idHash } from '../../id-hash.ts'
import { applyBatches } from '../apply-batches.ts'
import { erase } from '../erasure/erase.ts'
import { openParts } from '../open-parts.ts'
import type { Parts } from '../parts.ts'
import type { Servers } from '../server/client.ts'
import { foldChecks } from './fold-checks.ts'
import { foldOverrides } from './fold-overrides.ts'
import { ACTOR, eventsWithOwners } from './owners.ts'
import { settleOverrides } from './settle-overrides.ts'

let database: TestClickhouse
let parts: Parts
let projectId = 0

/** The same numbers each time. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Known {
  owners?: Map<string, number>
  ownersAt?: number
  deleted?: number[]
}

/** People as capture knows them, and the batches that it writes. */
class World {
  readonly owner = new Map<string, number>()
  readonly captured: string[] = []
  readonly deleted: { personId: number; distinctIds: string[]; cutoffSeq: number }[] = []
  seq = 0
  #persons = 0
  /** What an overlapping transaction knows: the owners before the last change. */
  #before = { seq: 0, owner: new Map<string, number>() }

  #write(events: string[], ids: string[], given: Known = {}): OutboxBatch {
    const { owners = this.owner, ownersAt, deleted = [] } = given
    this.seq += 1
    this.captured.push(...events)
    return makeBatch(this.seq, {
      events: events.map((distinctId) =>
        makeEvent(projectId, { distinctId, timestamp: NOON + this.seq, personId: owners.get(distinctId) ?? null }),
      ),
      persons: deleted.map((personId) => makePerson(projectId, { personId, deleted: true })),
      distinctIds: ids.map(
        (distinctId): DistinctIdProjection => ({ projectId, distinctId, personId: this.owner.get(distinctId) ?? null }),
      ),
      ...(ownersAt === undefined ? {} : { ownersAt }),
    })
  }

  #remember(): void {
    this.#before = { seq: this.seq, owner: new Map(this.owner) }
  }

  capture(ids: string[], hasProfiles: boolean): OutboxBatch {
    this.#remember()
    const news = hasProfiles ? [...new Set(ids.filter((id) => !this.owner.has(id)))] : []
    for (const id of news) this.owner.set(id, ++this.#persons)
    return this.#write(ids, news)
  }

  /** Events of a transaction that overlaps with the last change, and knows nothing of it. */
  captureUnaware(ids: string[]): OutboxBatch {
    const { owner, seq } = this.#before
    return this.#write(ids, [], { owners: owner, ownersAt: seq })
  }

  merge(from: string, into: string): OutboxBatch {
    this.#remember()
    const loser = this.owner.get(from)
    const winner = this.owner.get(into) ?? ++this.#persons
    const moved = [...this.owner].filter(([, person]) => person === loser).map(([id]) => id)
    const ids = [...new Set([from, into, ...moved])]
    for (const id of ids) this.owner.set(id, winner)
    return this.#write([into], ids)
  }

  split(id: string): OutboxBatch {
    this.#remember()
    if (this.owner.has(id)) this.owner.set(id, ++this.#persons)
    return this.#write([], this.owner.has(id) ? [id] : [])
  }

  remove(id: string): OutboxBatch {
    const personId = this.owner.get(id)
    const ids = [...this.owner].filter(([, person]) => person === personId).map(([each]) => each)
    for (const each of ids) this.owner.delete(each)
    this.#remember()
    if (personId === undefined) return this.#write([], [])
    const batch = this.#write([], ids, { deleted: [personId] })
    this.deleted.push({ personId, distinctIds: ids, cutoffSeq: this.seq })
    return batch
  }

  /** Who did all events, one after the other in the order of ids. */
  actors(ids: string[]): string[] {
    return ids.map((id) => `${id} ${this.owner.get(id) ?? idHash(projectId, id)}`).sort()
  }
}

async function actorsFound(): Promise<string[]> {
  const rows = await parts.servers.rows(`SELECT distinct_id, toString(${ACTOR}) FROM ${eventsWithOwners(projectId)}
    WHERE project_id = ${projectId}`)
  return rows.map((row) => row.join(' ')).sort()
}

const countOverrides = async (): Promise<number> => {
  const [[count] = []] = await parts.servers.rows(`SELECT count() FROM overrides WHERE project_id = ${projectId}`)
  return Number(count)
}

/** The servers, with something else before each statement. */
function meddled(meddle: (statement: 'rows' | 'insert' | 'onEach') => Promise<void>): Servers {
  const { servers } = parts
  return Object.assign(Object.create(servers), {
    async rows(...given: Parameters<Servers['rows']>) {
      await meddle('rows')
      return servers.rows(...given)
    },
    async insert(...given: Parameters<Servers['insert']>) {
      await meddle('insert')
      await servers.insert(...given)
    },
    async onEach(...given: Parameters<Servers['onEach']>) {
      await meddle('onEach')
      await servers.onEach(...given)
    },
    rowsOfEach: (...given: Parameters<Servers['rowsOfEach']>) => servers.rowsOfEach(...given),
  })
}

describe.skipIf(noClickhouse)('who did an event', () => {
  beforeAll(async () => {
    database = await newClickhouse()
    parts = await openParts(database.url)
  })
  afterAll(async () => {
    await parts.servers.close()
    await database.drop()
  })

  it.each([1, 2, 3])('is who owns its id now, whatever moves, leaves and returns, in any order (%i)', async (seed) => {
    projectId += 1
    const random = numbersFrom(seed)
    const ids = Array.from({ length: 300 }, (_, n) => `id-${n}`)
    const one = () => ids[random(ids.length)] as string
    const world = new World()
    world.seq = projectId * 1_000
    const some = () => Array.from({ length: 1 + random(150) }, one)
    const next = (): OutboxBatch => {
      const kind = random(10)
      if (kind < 4) return world.capture(some(), random(2) === 0)
      if (kind < 6) return world.captureUnaware(some())
      if (kind < 8) return world.merge(one(), one())
      return kind === 8 ? world.split(one()) : world.remove(one())
    }
    for (let round = 0; round < 8; round++) {
      const batches = Array.from({ length: 6 }, next)
      // Some come late, after others were settled.
      const late = batches.filter(() => random(4) === 0)
      const inTime = batches.filter((batch) => !late.includes(batch))
      await applyBatches(parts, inTime, NOON)
      await settleOverrides(parts.servers, 1)
      for (const batch of late) await applyBatches(parts, [batch], NOON)
      // And some come again.
      const again = batches[random(batches.length)] as OutboxBatch
      await applyBatches(parts, [{ ...again, claim: { shipment: again.id, attempt: 2, sentAt: NOON } }], NOON)
      expect(await actorsFound()).toEqual(world.actors(world.captured))
    }
    expect(world.captured.length).toBeGreaterThan(1_000)
    await settleOverrides(parts.servers, 1)
    expect(await actorsFound()).toEqual(world.actors(world.captured))
  })

  it.each([1, 2])(
    'stays the same while owners are written into events, whatever comes in between (%i)',
    async (seed) => {
      projectId += 1
      const random = numbersFrom(seed)
      const ids = Array.from({ length: 60 }, (_, n) => `id-${n}`)
      const one = () => ids[random(ids.length)] as string
      const world = new World()
      world.seq = projectId * 1_000
      const some = () => Array.from({ length: 1 + random(40) }, one)
      const next = (): OutboxBatch => {
        const kind = random(12)
        if (kind < 4) return world.capture(some(), random(2) === 0)
        if (kind < 7) return world.captureUnaware(some())
        if (kind < 10) return world.merge(one(), one())
        return kind === 10 ? world.split(one()) : world.remove(one())
      }
      let gone = 0
      for (let round = 0; round < 5; round++) {
        const batches = Array.from({ length: 12 }, next)
        const late = batches.filter(() => random(3) === 0)
        const inTime = batches.filter((batch) => !late.includes(batch))
        await applyBatches(parts, inTime, NOON)
        await settleOverrides(parts.servers, 1)
        const before = await countOverrides()
        const meddle = async () => {
          const kind = random(6)
          if (kind === 0) await settleOverrides(parts.servers, 1)
          const batch = kind < 3 ? late.shift() : undefined
          if (batch) await applyBatches(parts, [batch], NOON)
        }
        await foldOverrides(meddled(meddle), 1)
        gone += Math.max(0, before - (await countOverrides()))
        for (const batch of late) await applyBatches(parts, [batch], NOON)
        expect(await actorsFound()).toEqual(world.actors(world.captured))
      }
      expect(gone).toBeGreaterThan(10)
      await settleOverrides(parts.servers, 1)
      await foldOverrides(parts.servers, 1)
      expect(await countOverrides()).toBe(0)
      expect(await actorsFound()).toEqual(world.actors(world.captured))
    },
  )

  it('stays the same where writing owners into events was cut off at any change', async () => {
    projectId += 1
    const world = new World()
    world.seq = projectId * 1_000
    let left = 0
    const cut = async (statement: string) => {
      if (statement === 'rows') return
      left -= 1
      if (left < 0) throw new Error('cut off')
    }
    for (let changes = 0; ; changes++) {
      const [one, other] = [`a-${changes}`, `b-${changes}`]
      await applyBatches(parts, [world.capture([one, other], true), world.merge(one, other)], NOON)
      await settleOverrides(parts.servers, 1)
      left = changes
      const isDone = await foldOverrides(meddled(cut), 1).catch((error: Error) => {
        expect(error.message).toBe('cut off')
        return false
      })
      expect(await actorsFound()).toEqual(world.actors(world.captured))
      if (!isDone) continue
      // The events, the note of the fold and the overrides.
      expect(changes).toBe(3)
      break
    }
    expect(await countOverrides()).toBe(0)
  })

  describe('written into events', () => foldChecks(() => parts))

  it('is not looked up where the owner has not changed', async () => {
    projectId += 1
    const world = new World()
    world.seq = projectId * 1_000
    const ids = Array.from({ length: 50 }, (_, n) => `id-${n}`)
    await applyBatches(parts, [world.capture(ids, true), world.capture(ids, true)], NOON)
    expect(await countOverrides()).toBe(50)
    expect(await settleOverrides(parts.servers, 1)).toBe(true)
    expect(await countOverrides()).toBe(0)
    await applyBatches(parts, [world.merge('id-1', 'id-2'), world.capture(ids, true)], NOON)
    await settleOverrides(parts.servers, 1)
    // The other one of the two has its events by the same person.
    expect(await countOverrides()).toBe(1)
    expect(await actorsFound()).toEqual(world.actors(world.captured))
  })

  it('is forgotten with the person, and found when the id returns', async () => {
    projectId += 1
    const world = new World()
    world.seq = projectId * 1_000
    await applyBatches(parts, [world.capture(['ann', 'bob'], false), world.merge('ann', 'bob')], NOON)
    await applyBatches(parts, [world.remove('ann')], NOON)
    await settleOverrides(parts.servers, 1)
    await erase(
      parts,
      world.deleted.map((request, place) => ({ ...request, id: projectId * 10 + place, projectId })),
    )
    expect(await countOverrides()).toBe(0)
    await applyBatches(parts, [world.capture(['ann', 'bob'], true)], NOON)
    expect(await actorsFound()).toEqual(world.actors(['ann', 'bob']))
  })
})
