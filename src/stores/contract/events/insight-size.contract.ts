/**
 * What an EventStore must answer to insights however many rows there are. Engines change their algorithms at certain
 * numbers of rows (DuckDB at 64, 2,048 and 122,880), which may change their answers, so the same questions are tested
 * around and beyond these numbers. The people repeat a few stories; the expected numbers are multiplied from what is
 * counted by hand for each story.
 */
import { expect, it } from 'vitest'
import { uuidV7 } from '../../../lib/ids.ts'
import { DAY, HOUR, MINUTE } from '../../../lib/time/time.ts'
import type { EventSelector } from '../../../model/insights/insight-question.ts'
import { makeBatch, makeEvent, makePerson, NOON, type Opened } from '../batch-builders.ts'
import { expectSame } from '../same-answer.ts'

const SIZES = [63, 64, 65, 2_047, 2_048, 2_049, 122_881]
const START = NOON - 12 * HOUR
const DAYS = [START - DAY, START, START + DAY, START + 2 * DAY]
const LIMIT = 2

/** What one person does: days from the start, and the event. */
interface Story {
  events: [day: number, event: string][]
  /** Of the property `plan`, on events and on the person. */
  plan: string | undefined
  price: number | undefined
  /** Whether the distinct id belongs to a person, created on the first day. */
  isKnown: boolean
  /** Steps of view, cart, buy within an hour, and whether the person returned on the second day. */
  steps: number
  returns: boolean
}

const VIEW_ONLY: Story = { events: [[0, 'view']], plan: undefined, price: 2, isKnown: false, steps: 1, returns: false }

const STORIES: Story[] = [
  {
    events: [
      [0, 'view'],
      [0, 'buy'],
      [1, 'view'],
    ],
    plan: 'free',
    price: 4,
    isKnown: true,
    steps: 1,
    returns: true,
  },
  { ...VIEW_ONLY },
  {
    events: [
      [0, 'view'],
      [0, 'cart'],
      [0, 'buy'],
    ],
    plan: 'paid',
    price: undefined,
    isKnown: true,
    steps: 3,
    returns: false,
  },
  {
    events: [
      [0, 'view'],
      [0, 'cart'],
      [1, 'buy'],
    ],
    plan: 'free',
    price: 1,
    isKnown: false,
    steps: 2,
    returns: false,
  },
  {
    events: [
      [0, 'view'],
      [0, 'buy'],
    ],
    plan: 'trial',
    price: 8,
    isKnown: true,
    steps: 1,
    returns: false,
  },
  { ...VIEW_ONLY, plan: 'old' },
]

/** Beyond the second threshold most people only view, so that there are not many more events than people. */
const storyOf = (n: number): Story => (n < 2_100 ? STORIES[n % STORIES.length] : STORIES[n % 8 === 0 ? 0 : 1]) as Story

async function add({ store, projectId }: Opened, from: number, to: number): Promise<void> {
  const everybody = Array.from({ length: to - from }, (_, place) => ({ n: from + place, story: storyOf(from + place) }))
  const known = everybody.filter(({ story }) => story.isKnown)
  const events = everybody.flatMap(({ n, story }) =>
    story.events.map(([day, event], place) =>
      makeEvent(projectId, {
        event,
        distinctId: `id-${n}`,
        timestamp: START + day * DAY + place * MINUTE,
        sessionId: place === 0 ? uuidV7(START) : null,
        properties: { plan: story.plan, price: story.price },
      }),
    ),
  )
  const persons = known.map(({ n, story }) =>
    makePerson(projectId, { personId: n + 1, createdAt: START + HOUR, properties: { plan: story.plan } }),
  )
  const distinctIds = known.map(({ n }) => ({ projectId, distinctId: `id-${n}`, personId: n + 1 }))
  await store.apply([makeBatch(to, { events, persons, distinctIds })], NOON)
}

const named = (event: string | null): EventSelector => ({ event, filter: null })

/** How many of the first `size` people match. */
function countOf(size: number, test: (story: Story) => boolean): number {
  let count = 0
  for (let n = 0; n < size; n++) if (test(storyOf(n))) count += 1
  return count
}

const sumOf = (size: number, value: (story: Story) => number): number => {
  let sum = 0
  for (let n = 0; n < size; n++) sum += value(storyOf(n))
  return sum
}

/** The people counted under each value: the plans with the most, then those without one, then the others. */
function plansOf(size: number, has: (story: Story) => number): [string, number][] {
  const plans = ['free', 'paid', 'trial', 'old']
  const counted = plans.map((plan): [string, number] => [plan, sumOf(size, (s) => (s.plan === plan ? has(s) : 0))])
  const ranked = counted.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const none = sumOf(size, (story) => (story.plan === undefined ? has(story) : 0))
  const other = ranked.slice(LIMIT).reduce((sum, [, count]) => sum + count, 0)
  return [...ranked.slice(0, LIMIT), ['none', none], ['other', other]]
}

const nameOf = (breakdown: { kind: string; text?: string } | null) => breakdown?.text ?? breakdown?.kind

async function checkFunnels({ store, projectId }: Opened, size: number): Promise<void> {
  const question = {
    projectId,
    steps: ['view', 'cart', 'buy'].map(named),
    from: START,
    to: START + 2 * DAY,
    windowMs: HOUR,
    breakdown: null,
  }
  const reached = (step: number) => countOf(size, (story) => story.steps > step)
  const [whole] = await store.funnel(question)
  const minute = { averageMs: MINUTE, medianMs: MINUTE }
  expect(whole?.steps, `funnel of ${size}`).toEqual([
    { count: size, averageMs: null, medianMs: null },
    { count: reached(1), ...minute },
    { count: reached(2), ...minute },
  ])
  const by = { of: 'event' as const, key: 'plan', limit: LIMIT }
  const slots = await store.funnel({ ...question, breakdown: by })
  expect(
    slots.map(({ breakdown, steps }) => [nameOf(breakdown), steps[0]?.count]),
    `funnel of ${size} by plan`,
  ).toEqual(plansOf(size, () => 1))
  const last = slots.reduce((sum, { steps }) => sum + (steps[2]?.count ?? 0), 0)
  expect(last, `last step of ${size} by plan`).toBe(reached(2))
}

async function checkTrends({ store, projectId }: Opened, size: number): Promise<void> {
  const question = { projectId, selector: named(null), edges: DAYS, breakdown: null }
  const line = async (measure: Parameters<typeof store.trend>[0]['measure']) =>
    (await store.trend({ ...question, measure }))[0]?.values
  const on = (day: number) => (story: Story) => story.events.filter(([at]) => at === day).length
  const [first, second] = [on(0), on(1)]
  const what = `trend of ${size}`
  expect(await line({ kind: 'events' }), what).toEqual([0, sumOf(size, first), sumOf(size, second)])
  const here = countOf(size, (story) => second(story) > 0)
  expect(await line({ kind: 'actors' }), what).toEqual([0, size, here])
  expect(await line({ kind: 'first_actors' }), what).toEqual([0, size, 0])
  expect(await line({ kind: 'active_actors', spans: 2 }), what).toEqual([size, size])
  expect(await line({ kind: 'sessions' }), what).toEqual([0, size, 0])
  const priced = (story: Story) => (story.price ?? 0) * first(story)
  expect((await line({ kind: 'sum', property: 'price' }))?.[1], what).toBe(sumOf(size, priced))
  const prices = (story: Story) => (story.price === undefined ? 0 : first(story))
  expectSame(
    (await line({ kind: 'avg', property: 'price' }))?.[1],
    sumOf(size, priced) / sumOf(size, prices),
    what,
    'rounded',
  )
  for (const of of ['event', 'person'] as const) {
    const lines = await store.trend({
      ...question,
      measure: { kind: 'actors' },
      breakdown: { of, key: 'plan', limit: LIMIT },
    })
    const seen = lines.map(({ breakdown, values }) => [nameOf(breakdown), values[1]])
    const kept = (story: Story) => of === 'event' || story.isKnown
    const missing = countOf(size, (story) => story.plan !== undefined && !kept(story))
    const expected = plansOf(size, (story) => (story.plan === undefined || kept(story) ? 1 : 0))
    const all = expected.map(([plan, count]) => [plan, plan === 'none' ? count + missing : count])
    expect(seen, `${what} by the ${of}’s plan`).toEqual(all)
  }
}

async function checkComings({ store, projectId }: Opened, size: number): Promise<void> {
  const back = countOf(size, (story) => story.returns)
  const viewed = { target: named('view'), returning: named('view'), edges: DAYS.slice(1) }
  for (const firstTime of [false, true]) {
    const later = firstTime ? 0 : back
    expect(await store.retention({ projectId, ...viewed, firstTime }), `retention of ${size}`).toEqual([
      [size, back],
      [later],
    ])
  }
  expect(await store.lifecycle({ projectId, selector: named('view'), edges: DAYS }), `lifecycle of ${size}`).toEqual({
    fresh: [size, 0],
    returning: [0, back],
    resurrecting: [0, 0],
    dormant: [0, size - back],
  })
}

export function insightsOfAnySize(opened: () => Opened): void {
  it(`counts the same with ${SIZES.join(', ')} people`, async () => {
    const here = opened()
    let had = 0
    for (const size of SIZES) {
      await add(here, had, size)
      had = size
      await checkFunnels(here, size)
      await checkTrends(here, size)
      await checkComings(here, size)
    }
  })
}
