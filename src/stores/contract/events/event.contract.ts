/** What every EventStore must do with batches, people, timelines, projects and its installation. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import {
  ANY_EVENT,
  applyEvents,
  applySession,
  EVER,
  makeBatch,
  makeEvent,
  makePerson,
  NOON,
  type Opened,
  sessionsOf,
  timesOf,
  valuesOf,
} from '../batch-builders.ts'
import { countEvents } from '../count-events.ts'

export function applying(opened: () => Opened): void {
  it('stores a batch once, however often it is applied, alone or among others or twice in one call', async () => {
    const here = opened()
    const event = () => makeEvent(here.projectId)
    const batch = makeBatch(1, { events: [event(), event(), event()] })
    const other = makeBatch(2, { events: [event()] })
    await here.store.apply([batch], NOON)
    await here.store.apply([batch], NOON)
    await here.store.apply([batch, other, other, batch], NOON)
    await Promise.all([here.store.apply([other], NOON), here.store.apply([other, batch], NOON)])
    expect(await countEvents(here.store, here.projectId)).toBe(4)
  })

  it('accepts an empty list of batches, and empty batches', async () => {
    const { store, projectId } = opened()
    await store.apply([], NOON)
    const empty = makeBatch(1)
    await store.apply([empty], NOON)
    await store.apply([empty], NOON)
    expect(await countEvents(store, projectId)).toBe(0)
  })

  it('stores nothing of a call that fails, and goes on afterwards', async () => {
    const { store, projectId } = opened()
    const good = makeBatch(1, { events: [makeEvent(projectId)], persons: [makePerson(projectId)] })
    const bad = makeBatch(2, { events: [makeEvent(projectId), makeEvent(projectId, { uuid: 'no uuid' })] })
    await expect(store.apply([good, bad], NOON)).rejects.toMatchObject({ kind: 'unprocessable' })
    expect(await countEvents(store, projectId)).toBe(0)
    await store.apply([good], NOON)
    expect(await countEvents(store, projectId)).toBe(1)
  })

  it('refuses an invalid batch as unprocessable, and applies no part of a batch that it has', async () => {
    const { store, projectId } = opened()
    const broken = { ...makeBatch(1), text: '{"heads":[[1' }
    await expect(store.apply([broken], NOON)).rejects.toMatchObject({ kind: 'unprocessable' })
    const whole = makeBatch(1, { events: [makeEvent(projectId)] })
    const part = { ...makeBatch(1, { events: [makeEvent(projectId)] }), partOf: whole.id }
    await store.apply([whole], NOON)
    await store.apply([part], NOON)
    expect(await countEvents(store, projectId)).toBe(1)
    const other = { ...part, partOf: makeBatch(1).id }
    await store.apply([other], NOON)
    await store.apply([other], NOON)
    expect(await countEvents(store, projectId)).toBe(2)
  })

  it('still knows batches that were applied at the very instant up to which it forgets', async () => {
    const { store, projectId } = opened()
    const batch = makeBatch(1, { events: [makeEvent(projectId)] })
    await store.apply([batch], NOON)
    await store.forgetBatches(NOON)
    await store.apply([batch], NOON)
    expect(await countEvents(store, projectId)).toBe(1)
    await store.forgetBatches(NOON + 1)
    expect(await countEvents(store, projectId)).toBe(1)
  })

  it('knows its installation and the highest seq it ever applied, forgotten batches and removed projects included', async () => {
    const { store, projectId } = opened()
    const id = randomUUID()
    await store.setStamp({ id: randomUUID(), reached: 0 })
    await store.setStamp({ id, reached: 0 })
    const before = (await store.stamp())?.reached ?? 0
    const batches = [before + 5, before + 3].map((seq) => makeBatch(seq, { events: [makeEvent(projectId)] }))
    await store.apply(batches, NOON)
    expect(await store.stamp()).toEqual({ id, reached: before + 5 })
    expect(await store.highestSeq()).toBeGreaterThanOrEqual(before + 5)
    await store.removeProject(projectId)
    await store.forgetBatches(NOON + 1)
    expect(await store.stamp()).toEqual({ id, reached: before + 5 })
    await store.setStamp({ id, reached: before + 100 })
    expect(await store.stamp()).toEqual({ id, reached: before + 100 })
  })

  it('accepts overlapping calls and loses none', async () => {
    const here = opened()
    const batches = Array.from({ length: 30 }, (_, i) =>
      makeBatch(i + 1, {
        events: [makeEvent(here.projectId, { timestamp: i }), makeEvent(here.projectId, { timestamp: i })],
      }),
    )
    await Promise.all(batches.map((batch) => here.store.apply([batch], NOON)))
    expect(await timesOf(here, 'ann')).toEqual(batches.flatMap((_, i) => [i, i]))
  })

  it('lets reads run during writes and never shows them part of a batch', async () => {
    const here = opened()
    const seen: number[] = []
    const writing = (async () => {
      for (let i = 0; i < 15; i++)
        await applyEvents(
          here,
          Array.from({ length: 100 }, () => ({})),
          i,
        )
    })()
    let done = false
    writing.finally(() => {
      done = true
    })
    while (!done) seen.push((await timesOf(here, 'ann')).length, await countEvents(here.store, here.projectId))
    await writing
    expect(seen.filter((count) => count % 100 !== 0)).toEqual([])
    expect(await countEvents(here.store, here.projectId)).toBe(1_500)
  })
}

export function projecting(opened: () => Opened): void {
  const ann = (projectId: number, personId: number | null) => ({ projectId, distinctId: 'ann', personId })

  it('returns the person of an id, with everything in the projection', async () => {
    const { store, projectId } = opened()
    const properties = {
      email: 'a@b.c',
      nested: { list: [1, null, { __proto__x: 1 }] },
      'it\'s "quoted" %_\\': 'é👩‍👩‍👧\n',
    }
    const person = makePerson(projectId, { personId: 7, properties, createdAt: NOON + 0.123 })
    await store.apply([makeBatch(1, { persons: [person], distinctIds: [ann(projectId, 7)] })], NOON)
    expect(await store.personOf(projectId, 'ann')).toEqual(person)
    expect(await store.personOf(projectId, 'Ann')).toBeNull()
    expect(await store.personOf(projectId + 1, 'ann')).toBeNull()
  })

  it.each([
    ['in order', [1, 2, 3]],
    ['in reverse', [3, 2, 1]],
    ['shuffled', [2, 3, 1]],
  ])('keeps what has the highest seq when batches come %s', async (_, order) => {
    const { store, projectId } = opened()
    for (const seq of order) {
      const persons = [1, 2, 3].map((personId) => makePerson(projectId, { personId, properties: { seq } }))
      await store.apply([makeBatch(seq, { persons, distinctIds: [ann(projectId, seq)] })], NOON)
    }
    expect(await store.personOf(projectId, 'ann')).toMatchObject({ personId: 3, properties: { seq: 3 } })
  })

  it('keeps the row with the highest seq when all come in one call, and the last one of a batch', async () => {
    const { store, projectId } = opened()
    const says = (word: number) => makePerson(projectId, { properties: { word } })
    const batches = [
      makeBatch(3, { persons: [says(31), says(32)], distinctIds: [ann(projectId, 9), ann(projectId, 1)] }),
      makeBatch(2, { persons: [says(2)], distinctIds: [ann(projectId, null)] }),
    ]
    await store.apply(batches, NOON)
    expect(await store.personOf(projectId, 'ann')).toMatchObject({ personId: 1, properties: { word: 32 } })
  })

  it('has no person for a deleted person and an unowned id until a higher seq comes', async () => {
    const { store, projectId } = opened()
    const apply = (seq: number, deleted: boolean, personId: number | null) =>
      store.apply(
        [makeBatch(seq, { persons: [makePerson(projectId, { deleted })], distinctIds: [ann(projectId, personId)] })],
        NOON,
      )
    await apply(5, true, 1)
    expect(await store.personOf(projectId, 'ann')).toBeNull()
    await apply(4, false, 1)
    expect(await store.personOf(projectId, 'ann')).toBeNull()
    await apply(6, false, null)
    expect(await store.personOf(projectId, 'ann')).toBeNull()
    await apply(7, false, 1)
    expect(await store.personOf(projectId, 'ann')).toMatchObject({ personId: 1, deleted: false })
  })

  it('stores long properties completely, and the newest of them', async () => {
    const { store, projectId } = opened()
    for (const seq of [1, 3, 2]) {
      const properties = { seq, long: `${seq}é"\\👩`.repeat(100_000) }
      const distinctIds = [ann(projectId, 1)]
      await store.apply([makeBatch(seq, { persons: [makePerson(projectId, { properties })], distinctIds })], NOON)
    }
    const person = await store.personOf(projectId, 'ann')
    expect(person?.properties.seq).toBe(3)
    expect(person?.properties.long === '3é"\\👩'.repeat(100_000)).toBe(true)
  })

  it('has no person for an id whose person it never received', async () => {
    const { store, projectId } = opened()
    await store.apply([makeBatch(1, { distinctIds: [ann(projectId, 404)] })], NOON)
    expect(await store.personOf(projectId, 'ann')).toBeNull()
  })
}

export function timelines(opened: () => Opened): void {
  it('returns the moments of these ids only, oldest first, to the microsecond', async () => {
    const here = opened()
    const times = [NOON + 0.001, NOON + 0.002, NOON - 86_400_000.5, 253_402_300_799_999, -62_135_596_800_000]
    await applyEvents(here, [
      ...times.map((timestamp) => ({ timestamp })),
      { distinctId: 'Ann' },
      { distinctId: 'ann ' },
    ])
    expect(await timesOf(here, 'ann')).toEqual(times.toSorted((a, b) => a - b))
  })

  it('returns the uuid of the event with each moment', async () => {
    const here = opened()
    const uuids = [uuidV7(NOON), 'ffffffff-ffff-4fff-bfff-ffffffffffff', '00000000-0000-0000-0000-000000000001']
    await applyEvents(
      here,
      uuids.map((uuid, timestamp) => ({ uuid, timestamp })),
    )
    const query = { projectId: here.projectId, distinctIds: ['ann'], events: null, ...EVER }
    expect((await here.store.timeline(query)).map(({ uuid }) => uuid)).toEqual(uuids)
  })

  it('orders events of one instant by seq, then by the place in the batch', async () => {
    const here = opened()
    const later = await applyEvents(here, [{}, {}], 2)
    const earlier = await applyEvents(here, [{}, {}], 1)
    const moments = await here.store.timeline({
      projectId: here.projectId,
      distinctIds: ['ann'],
      events: null,
      ...EVER,
    })
    expect(moments.map(({ uuid }) => uuid)).toEqual([...earlier, ...later].map(({ uuid }) => uuid))
  })

  it('filters by range, ends included, and by the given names', async () => {
    const here = opened()
    await applyEvents(
      here,
      [1, 2, 3, 4].flatMap((timestamp) => [{ timestamp }, { timestamp, event: "b'--" }]),
    )
    const query = { projectId: here.projectId, distinctIds: ['ann'], events: null, ...EVER }
    const times = async (given: object) => (await here.store.timeline({ ...query, ...given })).map((m) => m.timestamp)
    expect(await times({ from: 2, to: 3 })).toEqual([2, 2, 3, 3])
    expect(await times({ from: 3, to: 2 })).toEqual([])
    expect(await times({ events: ["b'--", 'none'] })).toEqual([1, 2, 3, 4])
    expect(await times({ events: ['B'] })).toEqual([])
    expect(await times({ events: [] })).toEqual([])
  })

  it.each([1, 3, 60, 2_000])('combines %i ids', async (count) => {
    const here = opened()
    const distinctIds = Array.from({ length: count }, (_, i) => `id-${i}`)
    await applyEvents(
      here,
      distinctIds.map((distinctId, timestamp) => ({ distinctId, timestamp })),
    )
    await applyEvents(here, [{ distinctId: 'other' }], 2)
    expect(await timesOf(here, ...distinctIds, 'nobody', 'id-0')).toEqual(distinctIds.map((_, i) => i))
  })

  it('finds the first event of several ids, and null when there is none', async () => {
    const here = opened()
    await applyEvents(here, [{ timestamp: 5.5 }, { timestamp: 9 }, { distinctId: 'bob', timestamp: 3 }])
    const first = (...ids: string[]) => here.store.firstEventAt(here.projectId, ids)
    expect(await first('ann')).toBe(5.5)
    expect(await first('ann', 'bob')).toBe(3)
    expect(await first('nobody')).toBeNull()
    expect(await first()).toBeNull()
    expect(await timesOf(here)).toEqual([])
  })

  it.each([
    '',
    "'; DROP TABLE events; --",
    '"',
    '$1',
    '%',
    '日本語',
    '👩‍👩‍👧',
    'ﬁ',
    'a\nb\tc',
    '\\',
    'x'.repeat(5_000),
  ])('keeps apart and finds again the id and the event name %j', async (odd) => {
    const here = opened()
    await applyEvents(here, [
      { distinctId: odd, event: odd, timestamp: 1 },
      { distinctId: `${odd}.`, event: `${odd}.` },
    ])
    const query = { projectId: here.projectId, distinctIds: [odd], events: [odd], ...EVER }
    expect(await here.store.timeline(query)).toMatchObject([{ timestamp: 1 }])
  })

  it('accepts properties of a megabyte, many of them, and a thousand properties', async () => {
    const here = opened()
    const long = 'é"\\👩'.repeat(200_000)
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`p${i}`, { i }]))
    await applyEvents(here, [
      { properties: many },
      ...[1, 2, 3].map(() => ({ properties: { long, $current_url: long } })),
    ])
    expect(await countEvents(here.store, here.projectId)).toBe(4)
  })
}

export function projects(opened: () => Opened): void {
  async function fill(here: Opened): Promise<string> {
    const { store, projectId } = here
    const people = { persons: [makePerson(projectId)], distinctIds: [{ projectId, distinctId: 'ann', personId: 1 }] }
    await store.apply([makeBatch(1, people)], NOON)
    return applySession(here, [{ properties: { utm_source: `source-${projectId}` } }])
  }

  /** Everything that the store returns of a project. */
  async function faces(here: Opened, sessionId: string): Promise<unknown[]> {
    const { store, projectId } = here
    return [
      await countEvents(store, projectId),
      (await timesOf(here, 'ann')).length,
      (await store.firstEventAt(projectId, ['ann'])) !== null,
      await valuesOf(here, '$entry_utm_source'),
      (await store.sessionEvents(projectId, sessionId, [ANY_EVENT])).length,
      await sessionsOf(store.sessionsWith(projectId, { event: '$pageview', filter: null }, -Infinity, Infinity)),
      (await store.personOf(projectId, 'ann'))?.personId ?? null,
    ]
  }

  it('keeps projects apart, and removes one without touching the other', async () => {
    const here = opened()
    const there = opened()
    const [mine, theirs] = [await fill(here), await fill(there)]
    const full = (project: Opened, id: string) => [1, 1, true, [`source-${project.projectId}: 1`], 1, [id], 1]
    const empty = [0, 0, false, [], 0, [], null]
    expect(await faces(here, mine)).toEqual(full(here, mine))
    expect((await here.store.sessionEvents(here.projectId, theirs, [ANY_EVENT])).length).toBe(0)

    await here.store.removeProject(here.projectId)
    await here.store.removeProject(here.projectId)
    expect(await faces(here, mine)).toEqual(empty)
    expect(await faces(there, theirs)).toEqual(full(there, theirs))
    await fill(here)
    expect(await countEvents(here.store, here.projectId)).toBe(1)
  })
}
