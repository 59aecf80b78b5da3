/** What an EventStore must answer to funnels, retention and lifecycles: every number here was counted by hand. */
import { expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../lib/time/time.ts'
import type {
  EventSelector,
  FunnelQuestion,
  LifecycleQuestion,
  RetentionQuestion,
} from '../../../model/insights/insight-question.ts'
import { applyEvents, makeBatch, makeEvent, makePerson, NOON, type Opened } from '../batch-builders.ts'

const START = NOON - 12 * HOUR
const days = (count: number) => Array.from({ length: count + 1 }, (_, day) => START + day * DAY)
const named = (event: string | null): EventSelector => ({ event, filter: null })

/** Consecutive events of one actor: minutes from the start, and the name. */
type Story = [minute: number, event: string, properties?: Record<string, unknown>][]

async function tell(here: Opened, stories: Record<string, Story>, seq = 1): Promise<void> {
  const events = Object.entries(stories).flatMap(([distinctId, story]) =>
    story.map(([minute, event, properties = {}]) => ({
      distinctId,
      event,
      properties,
      timestamp: START + minute * MINUTE,
    })),
  )
  await applyEvents(here, events, seq)
}

const belong = ({ store, projectId }: Opened, seq: number, owners: Record<string, number | null>) =>
  store.apply(
    [
      makeBatch(seq, {
        distinctIds: Object.entries(owners).map(([distinctId, personId]) => ({ projectId, distinctId, personId })),
      }),
    ],
    NOON,
  )

export function funnels(opened: () => Opened): void {
  const question = (projectId: number, given: Partial<FunnelQuestion> = {}): FunnelQuestion => ({
    projectId,
    steps: ['view', 'cart', 'buy'].map(named),
    from: START,
    to: START + DAY,
    windowMs: HOUR,
    breakdown: null,
    ...given,
  })
  const counts = async ({ store, projectId }: Opened, given: Partial<FunnelQuestion> = {}) =>
    (await store.funnel(question(projectId, given))).map(({ breakdown, steps }) => [
      breakdown?.kind === 'value' ? breakdown.text : (breakdown?.kind ?? 'whole'),
      ...steps.map(({ count }) => count),
    ])

  it('counts how far people get in the order of the steps, whatever happens in between', async () => {
    const here = opened()
    await tell(here, {
      all: [
        [0, 'view'],
        [5, 'other'],
        [10, 'cart'],
        [30, 'buy'],
      ],
      two: [
        [0, 'view'],
        [20, 'cart'],
        [20, 'cart'],
      ],
      one: [
        [0, 'view'],
        [5, 'buy'],
      ],
      wrong: [
        [0, 'buy'],
        [1, 'cart'],
        [2, 'view'],
      ],
      none: [
        [0, 'cart'],
        [1, 'buy'],
      ],
    })
    const [answer] = await here.store.funnel(question(here.projectId))
    expect(answer).toEqual({
      breakdown: null,
      steps: [
        { count: 4, averageMs: null, medianMs: null },
        { count: 2, averageMs: 15 * MINUTE, medianMs: 15 * MINUTE },
        { count: 1, averageMs: 20 * MINUTE, medianMs: 20 * MINUTE },
      ],
    })
  })

  it('counts zero without actors', async () => {
    const here = opened()
    const none = { count: 0, averageMs: null, medianMs: null }
    expect(await here.store.funnel(question(here.projectId))).toEqual([{ breakdown: null, steps: [none, none, none] }])
    expect(await counts(here, { breakdown: { of: 'event', key: 'x', limit: 5 } })).toEqual([])
  })

  it('respects the window from the first step on, its end included', async () => {
    const here = opened()
    await tell(here, {
      within: [
        [0, 'view'],
        [30, 'cart'],
        [60, 'buy'],
      ],
      late: [
        [0, 'view'],
        [30, 'cart'],
        [60.001, 'buy'],
      ],
      again: [
        [0, 'view'],
        [100, 'view'],
        [110, 'cart'],
        [120, 'buy'],
      ],
      later: [
        [0, 'view'],
        [59, 'cart'],
        [61, 'view'],
        [70, 'cart'],
        [80, 'buy'],
      ],
    })
    expect(await counts(here)).toEqual([['whole', 4, 4, 3]])
  })

  it('counts the attempt that got furthest, of several the earliest', async () => {
    const here = opened()
    await tell(here, {
      ann: [
        [0, 'view'],
        [40, 'cart'],
        [100, 'view'],
        [110, 'cart'],
      ],
    })
    const [answer] = await here.store.funnel(question(here.projectId))
    expect(answer?.steps[1]?.averageMs).toBe(40 * MINUTE)
  })

  it('uses one event for one step only, and events of one moment in order of arrival', async () => {
    const here = opened()
    await tell(here, {
      once: [[0, 'view']],
      twice: [
        [0, 'view'],
        [0, 'view'],
      ],
    })
    expect(await counts(here, { steps: [named('view'), named('view')] })).toEqual([['whole', 2, 1]])
    expect(await counts(here, { steps: [named('view'), named(null)] })).toEqual([['whole', 2, 1]])
  })

  it('treats a person’s ids as one, by current owner, and only events of the range', async () => {
    const here = opened()
    await belong(here, 1, { phone: 1, laptop: 1, tablet: 2 })
    await tell(
      here,
      {
        phone: [[0, 'view']],
        laptop: [[10, 'cart']],
        tablet: [
          [20, 'buy'],
          [-10, 'view'],
        ],
      },
      2,
    )
    expect(await counts(here)).toEqual([['whole', 1, 1, 0]])
    await belong(here, 3, { tablet: 1 })
    expect(await counts(here)).toEqual([['whole', 1, 1, 1]])
    await belong(here, 4, { laptop: 7 })
    expect(await counts(here)).toEqual([['whole', 1, 0, 0]])
  })

  it('filters each step by itself', async () => {
    const here = opened()
    await tell(here, {
      rich: [
        [0, 'view'],
        [1, 'cart', { price: 90 }],
      ],
      poor: [
        [0, 'view'],
        [1, 'cart', { price: 9 }],
      ],
    })
    const cart: EventSelector = { event: 'cart', filter: { key: 'price', operator: 'gt', value: 50 } }
    expect(await counts(here, { steps: [named('view'), cart] })).toEqual([['whole', 2, 1]])
  })

  it('breaks down by an actor’s first value', async () => {
    const here = opened()
    await tell(here, {
      a: [
        [0, 'view', { from: 'mail' }],
        [1, 'cart', { from: 'ad' }],
      ],
      b: [
        [0, 'view'],
        [1, 'cart', { from: 'mail' }],
        [2, 'buy'],
      ],
      c: [[0, 'view', { from: 'ad' }]],
      d: [
        [0, 'view', { from: 'web' }],
        [1, 'cart'],
      ],
      e: [[0, 'view']],
    })
    const by = (limit: number) => counts(here, { breakdown: { of: 'event', key: 'from', limit } })
    expect(await by(5)).toEqual([
      ['mail', 2, 2, 1],
      ['ad', 1, 0, 0],
      ['web', 1, 1, 0],
      ['none', 1, 0, 0],
    ])
    expect(await by(1)).toEqual([
      ['mail', 2, 2, 1],
      ['none', 1, 0, 0],
      ['other', 2, 1, 0],
    ])
  })
}

export function retentions(opened: () => Opened): void {
  const ask = ({ store, projectId }: Opened, given: Partial<RetentionQuestion> = {}) =>
    store.retention({
      projectId,
      target: named('opened'),
      returning: named('opened'),
      firstTime: false,
      edges: days(4),
      ...given,
    })
  const DAY_MINUTES = 24 * 60
  const on = (...dayNumbers: number[]): Story => dayNumbers.map((day) => [day * DAY_MINUTES + 5, 'opened'])

  it('counts who returned in each later interval', async () => {
    const here = opened()
    await tell(here, { a: on(0, 1, 3), b: on(0, 0, 2), c: on(1, 2) })
    expect(await ask(here)).toEqual([[2, 1, 1, 1], [2, 1, 1], [2, 0], [1]])
  })

  it('starts each actor once where the first time counts, which may be earlier', async () => {
    const here = opened()
    await tell(here, { a: on(0, 1, 3), b: on(-9, 0, 2), c: on(1, 2) })
    expect(await ask(here, { firstTime: true })).toEqual([[1, 1, 0, 1], [1, 1, 0], [0, 0], [0]])
  })

  it('supports another event for the return, and uses current properties of people', async () => {
    const here = opened()
    await belong(here, 1, { old: 1, new: 1 })
    await tell(here, { old: on(0), new: [[DAY_MINUTES, 'bought']], other: on(0, 1) }, 2)
    const returning = named('bought')
    expect(await ask(here, { returning, edges: days(2) })).toEqual([[2, 1], [1]])
    await belong(here, 3, { new: 2 })
    expect(await ask(here, { returning, edges: days(2) })).toEqual([[2, 0], [1]])
  })

  it('is all zeros without actors', async () => {
    expect(await ask(opened())).toEqual([[0, 0, 0, 0], [0, 0, 0], [0, 0], [0]])
  })
}

export function lifecycles(opened: () => Opened): void {
  const ask = ({ store, projectId }: Opened, given: Partial<LifecycleQuestion> = {}) =>
    store.lifecycle({ projectId, selector: named('opened'), edges: days(4), ...given })
  const at = (day: number) => START + day * DAY + HOUR

  it('distinguishes new, returning, resurrecting and dormant', async () => {
    const here = opened()
    const { store, projectId } = here
    const made = (personId: number, day: number) => makePerson(projectId, { personId, createdAt: at(day) })
    const seen: Record<string, number[]> = { a: [0, 1, 3], b: [1, 2], c: [2], stray: [2, 3] }
    const events = Object.entries(seen).flatMap(([distinctId, list]) =>
      list.map((day) => makeEvent(projectId, { distinctId, timestamp: at(day) })),
    )
    await store.apply([makeBatch(1, { events, persons: [made(1, 0), made(2, 1), made(3, -50)] })], NOON)
    await belong(here, 2, { a: 1, b: 2, c: 3 })
    expect(await ask(here)).toEqual({
      fresh: [1, 1, 0],
      returning: [1, 1, 1],
      resurrecting: [0, 1, 1],
      dormant: [0, 1, 2],
    })
  })

  it('starts a person with an event from before it was created, an unowned id with its first event of any kind', async () => {
    const here = opened()
    const { store, projectId } = here
    const events = [
      makeEvent(projectId, { distinctId: 'a', timestamp: at(1) }),
      makeEvent(projectId, { distinctId: 'stray', timestamp: at(-3), event: 'else' }),
      makeEvent(projectId, { distinctId: 'stray', timestamp: at(1) }),
    ]
    await store.apply([makeBatch(1, { events, persons: [makePerson(projectId, { createdAt: at(2) })] })], NOON)
    await belong(here, 2, { a: 1 })
    expect(await ask(here, { edges: days(2) })).toEqual({
      fresh: [1],
      returning: [0],
      resurrecting: [1],
      dormant: [0],
    })
  })

  it('is all zeros without actors', async () => {
    const none = [0, 0, 0]
    expect(await ask(opened())).toEqual({ fresh: none, returning: none, resurrecting: none, dormant: none })
  })
}
