/** What an EventStore must answer to trends: every number here was counted by hand. */
import { expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import { DAY, HOUR } from '../../../lib/time/time.ts'
import type { BreakdownValue, Measure, TrendQuestion } from '../../../model/insights/insight-question.ts'
import type { PropertyFilter } from '../../../model/persons/person.ts'
import { applyEvents, makeBatch, makePerson, NOON, type Opened } from '../batch-builders.ts'

/** Midnight, and the three days from there. */
const START = NOON - 12 * HOUR
const THREE_DAYS = [START, START + DAY, START + 2 * DAY, START + 3 * DAY]
/** Longer than any store keeps in a row. */
const LONG = 'lang é"\\👩 '.repeat(3_000)

const at = (day: number, hours = 12) => START + day * DAY + hours * HOUR

const question = (projectId: number, given: Partial<TrendQuestion> = {}): TrendQuestion => ({
  projectId,
  selector: { event: null, filter: null },
  measure: { kind: 'events' },
  edges: THREE_DAYS,
  breakdown: null,
  ...given,
})

async function line({ store, projectId }: Opened, given: Partial<TrendQuestion> = {}): Promise<number[]> {
  const lines = await store.trend(question(projectId, given))
  expect(lines).toHaveLength(1)
  return lines[0]?.values ?? []
}

const named = (breakdown: BreakdownValue | null) =>
  breakdown?.kind === 'value' ? breakdown.text : (breakdown?.kind ?? 'whole')

async function lines({ store, projectId }: Opened, given: Partial<TrendQuestion>): Promise<[string, number[]][]> {
  const found = await store.trend(question(projectId, given))
  return found.map(({ breakdown, values }) => [named(breakdown), values])
}

const only = (event: string | null, filter: PropertyFilter | null = null) => ({ selector: { event, filter } })

function counting(opened: () => Opened): void {
  it('counts events by their interval, including the first edge and excluding the last', async () => {
    const here = opened()
    const times = [START - 0.001, START, at(0), START + DAY - 0.001, START + DAY, at(2), START + 3 * DAY]
    await applyEvents(
      here,
      times.map((timestamp) => ({ timestamp })),
    )
    expect(await line(here)).toEqual([3, 1, 1])
  })

  it('counts zero without events or without a project', async () => {
    const here = opened()
    expect(await line(here)).toEqual([0, 0, 0])
    expect(await line(here, { measure: { kind: 'avg', property: 'x' } })).toEqual([0, 0, 0])
    await applyEvents(here, [{ timestamp: at(1) }])
    expect(await line({ ...here, projectId: here.projectId + 500_000 })).toEqual([0, 0, 0])
  })

  it('accepts intervals of any length, such as months and days with a clock change', async () => {
    const here = opened()
    const edges = [0, 23, 47, 71, 96, 120, 300].map((hours) => START + hours * HOUR)
    const offsets = [0, 22.9, 23, 46.9, 47, 70.9, 71, 95.9, 96, 119.9, 120, 299.9]
    await applyEvents(
      here,
      offsets.map((hours) => ({ timestamp: START + hours * HOUR })),
    )
    expect(await line(here, { edges })).toEqual([2, 2, 2, 2, 2, 2])
  })

  it('counts events of one name only, whatever characters the name has', async () => {
    const here = opened()
    const name = `it's "odd" \\ $1 ünï`
    await applyEvents(here, [{ timestamp: at(0), event: name }, { timestamp: at(0) }])
    expect(await line(here, only(name))).toEqual([1, 0, 0])
    expect(await line(here, only('nothing'))).toEqual([0, 0, 0])
  })

  it('counts distinct sessions, and no event without one', async () => {
    const here = opened()
    const [a, b] = [uuidV7(at(0)), uuidV7(at(0))]
    const sessions = [a, a, b, null]
    await applyEvents(here, [
      ...sessions.map((sessionId) => ({ timestamp: at(0), sessionId })),
      { timestamp: at(1), sessionId: a },
    ])
    expect(await line(here, { measure: { kind: 'sessions' } })).toEqual([2, 1, 0])
  })

  it('measures the numbers of a property, also numbers in text, and ignores other values', async () => {
    const here = opened()
    const values = [1, '2', ' 3.5 ', true, null, 'x', [9], { n: 9 }, undefined]
    await applyEvents(here, [
      ...values.map((price) => ({ timestamp: at(0), properties: price === undefined ? {} : { price } })),
      { timestamp: at(1), properties: { price: 10, LONG } },
      { timestamp: at(1), properties: { price: -4 } },
    ])
    const measured = (kind: 'sum' | 'avg' | 'min' | 'max' | 'median' | 'p75' | 'p90') =>
      line(here, { measure: { kind, property: 'price' } })
    expect(await measured('sum')).toEqual([6.5, 6, 0])
    expect((await measured('avg'))[0]).toBe(2.16666666667)
    expect(await measured('min')).toEqual([1, -4, 0])
    expect(await measured('max')).toEqual([3.5, 10, 0])
    expect(await measured('median')).toEqual([2, 3, 0])
    expect((await measured('p75'))[0]).toBeCloseTo(2.75, 12)
    expect((await measured('p90'))[1]).toBeCloseTo(8.6, 12)
  })
}

const ACTORS: Measure = { kind: 'actors' }

function people(opened: () => Opened): void {
  const owns = (projectId: number, personId: number | null, ...ids: string[]) =>
    ids.map((distinctId) => ({ projectId, distinctId, personId }))

  it('counts people, not ids, and an unowned id as itself', async () => {
    const here = opened()
    const { store, projectId } = here
    const distinctIds = [...owns(projectId, 1, 'a', 'b'), ...owns(projectId, 2, 'c')]
    await store.apply([makeBatch(1, { distinctIds })], NOON)
    const seen: [number, string][] = [
      [0, 'a'],
      [0, 'b'],
      [0, 'c'],
      [0, 'p1'],
      [0, 'p1'],
      [1, 'b'],
      [1, '2'],
    ]
    await applyEvents(
      here,
      seen.map(([day, distinctId]) => ({ timestamp: at(day), distinctId })),
      2,
    )
    expect(await line(here, { measure: ACTORS })).toEqual([3, 2, 0])
    expect(await line(here, { measure: ACTORS, edges: [START, START + 3 * DAY] })).toEqual([4])
  })

  it('uses the current owner of an id after a merge and a split, in any order of arrival', async () => {
    const here = opened()
    const { store, projectId } = here
    await applyEvents(
      here,
      ['a', 'b', 'c'].map((distinctId) => ({ timestamp: at(0), distinctId })),
      1,
    )
    const apart = [owns(projectId, 1, 'a'), owns(projectId, 2, 'b'), owns(projectId, 3, 'c')].flat()
    await store.apply([makeBatch(2, { distinctIds: apart })], NOON)
    expect(await line(here, { measure: ACTORS })).toEqual([3, 0, 0])
    await store.apply([makeBatch(5, { distinctIds: owns(projectId, 1, 'b', 'c') })], NOON)
    expect(await line(here, { measure: ACTORS })).toEqual([1, 0, 0])
    await store.apply([makeBatch(4, { distinctIds: owns(projectId, 9, 'c') })], NOON)
    expect(await line(here, { measure: ACTORS })).toEqual([1, 0, 0])
    await store.apply([makeBatch(6, { distinctIds: owns(projectId, 7, 'b') })], NOON)
    expect(await line(here, { measure: ACTORS })).toEqual([2, 0, 0])
    await store.apply([makeBatch(7, { distinctIds: owns(projectId, null, 'c') })], NOON)
    expect(await line(here, { measure: ACTORS })).toEqual([3, 0, 0])
  })

  it('counts each actor once, in its first interval, or over several intervals back', async () => {
    const here = opened()
    const edges = [...THREE_DAYS, START + 4 * DAY]
    const seen: [number, string][] = [
      [0, 'a'],
      [1, 'a'],
      [1, 'b'],
      [3, 'a'],
      [3, 'c'],
    ]
    await applyEvents(
      here,
      seen.map(([day, distinctId]) => ({ timestamp: at(day), distinctId })),
    )
    expect(await line(here, { edges, measure: { kind: 'first_actors' } })).toEqual([1, 1, 0, 1])
    expect(await line(here, { edges, measure: { kind: 'active_actors', spans: 2 } })).toEqual([2, 2, 2])
    expect(await line(here, { edges, measure: { kind: 'active_actors', spans: 3 } })).toEqual([2, 3])
  })

  it('filters by the current properties of the person; without a person there are none', async () => {
    const here = opened()
    const { store, projectId } = here
    const persons = [
      makePerson(projectId, { personId: 1, properties: { plan: 'paid' } }),
      makePerson(projectId, { personId: 2, properties: { plan: 'paid', LONG } }),
      makePerson(projectId, { personId: 3, properties: { plan: 'free' } }),
      makePerson(projectId, { personId: 4, properties: { plan: 'paid' }, deleted: true }),
    ]
    const distinctIds = [1, 2, 3, 4].flatMap((id) => owns(projectId, id, `id-${id}`))
    await store.apply([makeBatch(1, { persons, distinctIds })], NOON)
    await applyEvents(
      here,
      ['id-1', 'id-1', 'id-2', 'id-3', 'id-4', 'nobody'].map((distinctId) => ({ timestamp: at(0), distinctId })),
      2,
    )
    const plan = (operator: 'exact' | 'is_not'): PropertyFilter => ({
      type: 'person',
      key: 'plan',
      operator,
      value: 'paid',
    })
    expect(await line(here, only(null, plan('exact')))).toEqual([3, 0, 0])
    expect(await line(here, { ...only(null, plan('exact')), measure: ACTORS })).toEqual([2, 0, 0])
    expect(await line(here, only(null, plan('is_not')))).toEqual([3, 0, 0])
    const changed = makePerson(projectId, { personId: 3, properties: { plan: 'paid' } })
    await store.apply([makeBatch(3, { persons: [changed] })], NOON)
    expect(await line(here, only(null, plan('exact')))).toEqual([4, 0, 0])
  })
}

function filtering(opened: () => Opened): void {
  it('combines conditions on events and people as the filter says, in long properties too', async () => {
    const here = opened()
    const { store, projectId } = here
    const persons = [makePerson(projectId, { personId: 1, properties: { vip: true } })]
    await store.apply([makeBatch(1, { persons, distinctIds: [{ projectId, distinctId: 'ann', personId: 1 }] })], NOON)
    const given: [string, number, object][] = [
      ['ann', 5, {}],
      ['ann', 1, { LONG }],
      ['bob', 5, { LONG }],
      ['bob', 1, {}],
    ]
    await applyEvents(
      here,
      given.map(([distinctId, n, more]) => ({ timestamp: at(0), distinctId, properties: { n, ...more } })),
      2,
    )
    const large: PropertyFilter = { key: 'n', operator: 'gt', value: 2 }
    const vip: PropertyFilter = { type: 'person', key: 'vip', operator: 'exact', value: 'true' }
    const joined = (join: 'AND' | 'OR') => line(here, only('opened', { join, of: [large, vip] }))
    expect(await joined('AND')).toEqual([1, 0, 0])
    expect(await joined('OR')).toEqual([3, 0, 0])
    expect(await line(here, only(null, large))).toEqual([2, 0, 0])
  })

  it('refuses a pattern that the engine cannot compile', async () => {
    const { store, projectId } = opened()
    const selector = { event: null, filter: { key: 'x', operator: 'regex', value: '(' } as const }
    await expect(store.trend(question(projectId, { selector }))).rejects.toMatchObject({ kind: 'invalid' })
  })
}

function breakingDown(opened: () => Opened): void {
  const by = (limit: number) => ({ breakdown: { of: 'event' as const, key: 'browser', limit } })

  it('lists the most frequent values, then none, then all others as one', async () => {
    const here = opened()
    const seen: [number, unknown][] = [
      [0, 'b'],
      [0, 'b'],
      [2, 'b'],
      [0, 'a'],
      [1, 'a'],
      [1, 'a'],
      [0, 7],
      [1, true],
      [1, ''],
      [1, null],
      [2, undefined],
    ]
    await applyEvents(
      here,
      seen.map(([day, browser]) => ({ timestamp: at(day), properties: browser === undefined ? {} : { browser } })),
    )
    expect(await lines(here, by(3))).toEqual([
      ['a', [1, 2, 0]],
      ['b', [2, 0, 1]],
      ['7', [1, 0, 0]],
      ['none', [0, 2, 1]],
      ['other', [0, 1, 0]],
    ])
    expect(await lines(here, { ...by(1), edges: [START, START + DAY] })).toEqual([
      ['b', [2]],
      ['other', [2]],
    ])
  })

  it.each([3_000, 11_000])('lists the most frequent of %i values', async (values) => {
    const here = opened()
    const events = Array.from({ length: values + 5 }, (_, n) => ({
      timestamp: at(n % 3),
      properties: { browser: `é ${n % values}` },
    }))
    await applyEvents(here, events)
    const found = await lines(here, by(7))
    // Five come twice; of the others the first ones, as texts are ordered.
    expect(found.map(([name]) => name)).toEqual(['é 0', 'é 1', 'é 2', 'é 3', 'é 4', 'é 10', 'é 100', 'other'])
    const days = [0, 1, 2].map((day) => events.filter(({ timestamp }) => timestamp === at(day)).length)
    expect(days.map((_, day) => found.reduce((sum, [, counts]) => sum + (counts[day] ?? 0), 0))).toEqual(days)
    expect(found.slice(0, 7).map(([, counts]) => counts.reduce((sum, count) => sum + count, 0))).toEqual([
      2, 2, 2, 2, 2, 1, 1,
    ])
  })

  it('counts an actor with two of the other values once among these', async () => {
    const here = opened()
    const seen = [
      ['ann', 'x'],
      ['bob', 'x'],
      ['ann', 'y'],
      ['ann', 'z'],
      ['bob', 'z'],
    ]
    await applyEvents(
      here,
      seen.map(([distinctId = '', browser]) => ({ timestamp: at(0), distinctId, properties: { browser } })),
    )
    expect(await lines(here, { ...by(1), measure: ACTORS })).toEqual([
      ['x', [2, 0, 0]],
      ['other', [2, 0, 0]],
    ])
    expect(await lines(here, { ...by(1), measure: { kind: 'first_actors' } })).toEqual([
      ['x', [2, 0, 0]],
      ['other', [2, 0, 0]],
    ])
  })

  it('finds values in long properties, and values that a client cannot guess', async () => {
    const here = opened()
    const browser = `"';-- $$_posthog_breakdown_other_$$`
    await applyEvents(here, [
      { timestamp: at(0), properties: { browser, LONG } },
      { timestamp: at(1), properties: { browser } },
    ])
    expect(await lines(here, by(5))).toEqual([[browser, [1, 1, 0]]])
  })

  it('breaks down by the current properties of the person', async () => {
    const here = opened()
    const { store, projectId } = here
    const persons = [1, 2].map((personId) =>
      makePerson(projectId, { personId, properties: { plan: 'paid', ...(personId === 2 ? { LONG } : {}) } }),
    )
    const distinctIds = [1, 2].map((personId) => ({ projectId, distinctId: `id-${personId}`, personId }))
    await store.apply([makeBatch(1, { persons, distinctIds })], NOON)
    await applyEvents(
      here,
      ['id-1', 'id-2', 'nobody'].map((distinctId) => ({ timestamp: at(0), distinctId, properties: { plan: 'x' } })),
      2,
    )
    expect(await lines(here, { breakdown: { of: 'person', key: 'plan', limit: 5 } })).toEqual([
      ['paid', [2, 0, 0]],
      ['none', [1, 0, 0]],
    ])
  })
}

function earliest(opened: () => Opened): void {
  it('knows when the first event happened', async () => {
    const here = opened()
    expect(await here.store.earliestEventAt(here.projectId)).toBeNull()
    await applyEvents(here, [{ timestamp: at(2) }, { timestamp: at(0) }])
    expect(await here.store.earliestEventAt(here.projectId)).toBe(at(0))
  })
}

export function trends(opened: () => Opened): void {
  counting(opened)
  people(opened)
  filtering(opened)
  breakingDown(opened)
  earliest(opened)
}
