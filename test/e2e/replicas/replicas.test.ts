/**
 * Events on two shards of two replicas each, with ZooKeeper: whichever of them answers, is killed and comes back. Only
 * `npm run soak -- --replicas` runs it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isStoreAway } from '../../../src/lib/errors.ts'
import { uuidV7 } from '../../../src/lib/ids.ts'
import type { EventStore } from '../../../src/model/events/event.ts'
import type { OutboxBatch } from '../../../src/model/events/outbox.ts'
import { createStore, openClickhouseEvents } from '../../../src/stores/clickhouse/events.ts'
import { openParts } from '../../../src/stores/clickhouse/open-parts.ts'
import { addColumns, valueColumn } from '../../../src/stores/clickhouse/properties/property-columns.ts'
import { EVER, makeBatch, makeEvent, NOON } from '../../../src/stores/contract/batch-builders.ts'
import { countEvents } from '../../../src/stores/contract/count-events.ts'
import {
  DAYS,
  noReplicas,
  PlainProject,
  type Replicated,
  startReplicated,
} from '../../support/clickhouse/replicated.ts'
import { ask, clickhouseUrl, startClickhouse } from '../../support/clickhouse/server.ts'

const MINUTES = 3 * 60_000

let world: Replicated
/** One that asks each node first. */
let stores: EventStore[] = []
let lastProject = 0

const newProject = () => new PlainProject(++lastProject)

/** As a row of the outbox that is sent for the first time, or again. */
const claimed = (batch: OutboxBatch, isFirst: boolean, shipment = uuidV7(NOON)): OutboxBatch => ({
  ...batch,
  claim: { shipment, attempt: isFirst ? 1 : 2, sentAt: isFirst ? null : NOON },
})

async function seen(store: EventStore, projectId: number) {
  const question = { projectId, selector: { event: null, filter: null }, edges: DAYS, breakdown: null }
  const [actors] = await store.trend({ ...question, measure: { kind: 'actors' } })
  return { events: await countEvents(store, projectId), actors: actors?.values }
}

async function expectSeen(project: PlainProject): Promise<void> {
  const expected = { events: project.events.length, actors: project.actorsByDay() }
  const found = await Promise.all(stores.map((store) => seen(store, project.projectId)))
  expect(found).toEqual(stores.map(() => expected))
}

const TABLES = ['events', 'moments', 'persons', 'distinct_ids']

async function expectSameOnReplicas(): Promise<void> {
  const pairs = async () => {
    const found = await Promise.all(TABLES.map((table) => world.rows(table)))
    return found.map(([a, b, c, d]) => [a === b, c === d])
  }
  await expect.poll(pairs, { timeout: MINUTES }).toEqual(TABLES.map(() => [true, true]))
}

/** Until it is done: what is away comes back. */
async function applied(store: EventStore, batch: OutboxBatch): Promise<void> {
  await expect
    .poll(() => store.apply([batch], NOON + 3_600_000).then(() => true, String), { timeout: MINUTES })
    .toBe(true)
}

describe.skipIf(noReplicas)('events on replicas', { timeout: MINUTES }, () => {
  beforeAll(async () => {
    world = await startReplicated()
  }, MINUTES)
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await world.servers.close()
  }, MINUTES)

  it('are in replicated tables, which several starts at once make on all nodes', async () => {
    stores = await Promise.all([0, 1, 2, 3].map((first) => openClickhouseEvents(world.url(first))))
    const sql = (what: string) => `SELECT ${what} FROM system.tables WHERE database = currentDatabase()
      AND name LIKE '%_local'`
    const all = await world.ask(sql('count()'))
    expect(new Set(all).size).toBe(1)
    expect(Number(all[0])).toBeGreaterThan(10)
    expect(await world.ask(sql(`countIf(engine LIKE 'Replicated%')`))).toEqual(all)
    const replicas = await world.ask('SELECT min(active_replicas), max(total_replicas) FROM system.replicas')
    expect(replicas).toEqual(Array(4).fill('2\t2'))
  })

  it('are read at once by whichever node answers, as a plain computation has them', async () => {
    const project = newProject()
    for (let turn = 0; turn < 20; turn++) {
      await stores[turn % 4]?.apply([project.batch(200)], NOON)
      await expectSeen(project)
    }
    await expectSameOnReplicas()
  })

  it('are read from the replica that has them, while the other one cannot fetch', async () => {
    const project = newProject()
    for (const [, second] of world.shards)
      await ask(second, world.servers, `SYSTEM STOP FETCHES ${world.database}.events_local`)
    for (let turn = 0; turn < 5; turn++) {
      await stores[0]?.apply([project.batch(200)], NOON)
      await expectSeen(project)
    }
    const [a, b] = await world.rows('events')
    expect(a).not.toBe(b)
    for (const [, second] of world.shards)
      await ask(second, world.servers, `SYSTEM START FETCHES ${world.database}.events_local`)
    await expectSameOnReplicas()
  })

  it('come and are read while a replica is away, which catches up', async () => {
    const project = newProject()
    await stores[0]?.apply([project.batch(200)], NOON)
    const [[first], [other]] = world.shards as [Replicated['shards'][0], Replicated['shards'][0]]
    for (const node of [first, other]) {
      await node.kill()
      for (let turn = 0; turn < 5; turn++) {
        await stores[1]?.apply([claimed(project.batch(200), true)], NOON)
        await expectSeen(project)
      }
      const late = await openClickhouseEvents(world.url(1))
      expect(await seen(late, project.projectId)).toEqual({
        events: project.events.length,
        actors: project.actorsByDay(),
      })
      expect(await late.wasRestarted()).toBeTypeOf('boolean')
      await late.close()
      await node.start()
      await expectSeen(project)
      await expectSameOnReplicas()
    }
    expect(await stores[0]?.wasRestarted()).toBe(true)
    await stores[0]?.noteRestart()
    expect(await stores[0]?.wasRestarted()).toBe(false)
  })

  it('that only a replica had when it was killed are there once when it is back, though they were sent again', async () => {
    const project = newProject()
    const [[first, second]] = world.shards as [Replicated['shards'][0]]
    const tables = ['events', 'moments'].map((table) => `${world.database}.${table}_local`)
    // All replicas of this shard but the first: rows are stored there, and stay there.
    for (const table of tables) await ask(second, world.servers, `SYSTEM STOP FETCHES ${table}`)
    let shipment = uuidV7(NOON)
    // Of the nodes this one is asked, which stores rows of its shard itself.
    while (Number.parseInt(shipment.slice(-8), 16) % 4 !== 0) shipment = uuidV7(NOON)
    const batches = Array.from({ length: 4 }, () => project.batch(100))
    for (const batch of batches) await stores[0]?.apply([claimed(batch, true, shipment)], NOON)
    await first.kill()
    for (const table of tables) await ask(second, world.servers, `SYSTEM START FETCHES ${table}`)
    expect(await countEvents(stores[1] as EventStore, project.projectId)).toBeLessThan(400)
    for (const batch of batches) await applied(stores[1] as EventStore, claimed(batch, false, shipment))
    await first.start()
    await expectSameOnReplicas()
    await expectSeen(project)
    const [[count, different] = []] = (
      await world.ask(`SELECT count(), uniqExact(uuid) FROM events WHERE project_id = ${project.projectId}`)
    ).map((answer) => answer.split('\t'))
    expect([count, different]).toEqual(['400', '400'])
  })

  it('that no replica has any more are stored again', async () => {
    const project = newProject()
    const batch = project.batch(300)
    await stores[0]?.apply([claimed(batch, true)], NOON)
    for (const table of ['events', 'moments']) {
      for (const [node] of world.shards) {
        await ask(
          node,
          world.servers,
          `ALTER TABLE ${world.database}.${table}_local DELETE WHERE project_id = ${lastProject}`,
        )
      }
      const left = `SELECT count() FROM ${table}_local WHERE project_id = ${lastProject}`
      await expect.poll(() => world.ask(left), { timeout: MINUTES }).toEqual(['0', '0', '0', '0'])
    }
    await applied(stores[0] as EventStore, claimed(batch, false))
    await expectSeen(project)
  })

  it('cannot be read nor stored while a shard is away, and are all there once afterwards', async () => {
    const project = newProject()
    await stores[0]?.apply([project.batch(200)], NOON)
    const [[first, second]] = world.shards as [Replicated['shards'][0]]
    await Promise.all([first.kill(), second.kill()])
    const batch = project.batch(200)
    const store = stores[2] as EventStore
    await expect(countEvents(store, project.projectId)).rejects.toSatisfy(isStoreAway)
    await expect(store.apply([batch], NOON)).rejects.toSatisfy(isStoreAway)
    await expect(store.wasRestarted()).rejects.toSatisfy(isStoreAway)
    await Promise.all([first.start(), second.start()])
    await applied(store, batch)
    await expectSeen(project)
    await expectSameOnReplicas()
  })

  it('are erased from every replica, and counted once, whoever is away meanwhile', async () => {
    const project = newProject()
    const { projectId } = project
    const store = stores[3] as EventStore
    for (let turn = 0; turn < 3; turn++) await store.apply([project.batch(500)], NOON)
    const left = (ids: string[]) => {
      const gone = new Set(ids)
      return project.events.filter(({ id }) => !gone.has(id)).length
    }
    const ids = Array.from({ length: 100 }, (_, i) => `id-${i}`)
    const request = (id: number, distinctIds: string[]) => ({
      id,
      projectId,
      personId: 900,
      distinctIds,
      cutoffSeq: 99,
    })
    const eventsOfShards = async () => {
      const found = await world.ask(`SELECT count() FROM events_local WHERE project_id = ${projectId}`)
      const [a, b, c, d] = found.map(Number) as [number, number, number, number]
      expect([a, c]).toEqual([b, d])
      return a + c
    }
    const one = ids.slice(0, 50)
    const all = project.events.length
    expect(await store.erase([request(901, one)])).toEqual([{ id: 901, events: all - left(one), sessions: 0 }])
    expect(await eventsOfShards()).toBe(left(one))

    const [, [, away]] = world.shards as [Replicated['shards'][0], Replicated['shards'][0]]
    await away.kill()
    const two = request(902, ids)
    for (let turn = 0; turn < 3; turn++) await expect(store.erase([two])).rejects.toThrow()
    expect(await countEvents(store, projectId)).toBe(left(one))
    await away.start()
    // The mutations of the run wait for it while it is killed again.
    const erasing = store.erase([two]).catch(() => null)
    await away.kill()
    await erasing
    await away.start()
    const counts = [{ id: 902, events: left(one) - left(ids), sessions: 0 }]
    await expect.poll(() => store.erase([two]).catch(String), { timeout: MINUTES, interval: 500 }).toEqual(counts)
    expect(await eventsOfShards()).toBe(left(ids))
    expect(await store.erase([two])).toEqual(counts)
    expect(await store.timeline({ projectId, distinctIds: ids, events: null, ...EVER })).toEqual([])
  })

  it('get columns of common properties on every replica, and in answers of each', async () => {
    const projectId = ++lastProject
    const parts = await openParts(world.url(2))
    const store = createStore(parts)
    const events = (values: string[]) =>
      values.map((plan, i) => makeEvent(projectId, { distinctId: `id-${i}`, timestamp: NOON, properties: { plan } }))
    await store.apply([makeBatch(1, { events: events(['a', 'b', 'a', 'c']) })], NOON)
    await addColumns(parts.servers, 'events', [{ key: 'plan', hasNumber: false, width: 1 }])
    parts.columns.forget()
    await store.apply([makeBatch(2, { events: events(['a', 'b', 'd', 'd']) })], NOON)
    await store.close()
    const named = `SELECT count() FROM system.columns WHERE database = currentDatabase() AND name = '${valueColumn('plan')}'
      AND table IN ('events', 'events_local')`
    expect(await world.ask(named)).toEqual(['2', '2', '2', '2'])
    for (const first of [0, 1, 2, 3]) {
      const again = await openClickhouseEvents(world.url(first))
      const breakdown = { of: 'event', key: 'plan', limit: 10 } as const
      const question = { projectId, selector: { event: null, filter: null }, edges: [NOON, NOON + 1], breakdown }
      const lines = await again.trend({ ...question, measure: { kind: 'events' } })
      const counted = lines.map((line) => [line.breakdown?.kind === 'value' && line.breakdown.text, line.values[0]])
      expect(Object.fromEntries(counted)).toEqual({ a: 3, b: 2, c: 1, d: 2 })
      await again.close()
    }
    const valued = `SELECT min(${valueColumn('plan')} = vals[1]) FROM events_local WHERE project_id = ${projectId}`
    expect(await world.ask(valued)).toEqual(['1', '1', '1', '1'])

    const [[away]] = world.shards as [Replicated['shards'][0]]
    const other = await openParts(world.url(2))
    await away.kill()
    const more = [{ key: 'size', hasNumber: true, width: 1 }]
    await expect(addColumns(other.servers, 'events', more)).rejects.toSatisfy(isStoreAway)
    await away.start()
    await expect
      .poll(() => addColumns(other.servers, 'events', more).then(() => true, String), { timeout: MINUTES })
      .toBe(true)
    expect(await world.ask(named.replace(valueColumn('plan'), valueColumn('size')))).toEqual(['2', '2', '2', '2'])
    await other.servers.close()
  })

  it('are refused without ZooKeeper, with a sentence', async () => {
    const servers = await startClickhouse({ shards: 1, replicas: 2, hasZookeeper: false })
    try {
      const url = clickhouseUrl(servers, await servers.createDatabase())
      await expect(openClickhouseEvents(url)).rejects.toThrow(
        /^The cluster test has replicas: every server of it needs ZooKeeper or Keeper, and the macros shard and replica/,
      )
    } finally {
      await servers.close()
    }
  })

  it('are refused where not all nodes are named', async () => {
    const { servers, database } = world
    const url = clickhouseUrl({ ...servers, nodes: servers.nodes.slice(0, 3) }, database)
    await expect(openClickhouseEvents(url)).rejects.toThrow('The cluster test has 4 nodes')
  })
})
