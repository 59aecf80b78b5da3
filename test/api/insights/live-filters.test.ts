/** Events that are filtered as they arrive are those that the list finds afterwards, whatever is asked of whatever values. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import type { LiveFilter, LivePart } from '../../../src/model/events/live-events.ts'
import type { PropertyFilter, PropertyOperator } from '../../../src/model/persons/person.ts'
import { readPropertyFilter } from '../../../src/rules/filters/property-filter.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeEvents } from '../../support/make.ts'

const EVENTS = 3_000
const FILTERS = 75
/** They are asked at once, each of some of the events: a question takes ClickHouse a second, whatever it is. */
const AT_ONCE = 25
const seed = Number(process.env.ORACLE_SEED ?? 1)

// biome-ignore format: a table
const TEXTS = [
  '', ' ', '0', '1', '-1', '1.0', '1.50', '.5', '5.', '+7', '1e3', '1E+3', '1e400', ' 1 000 ', '0x10', '1_000', '12abc', 'NaN',
  'Infinity', 'true', 'false', 'null', '[1,2]', '{"a":1}', 'Zürich', 'ZÜRICH', 'straße', 'STRASSE', 'ΣΊΣΥΦΟΣ', 'σίσυφος', '🦔',
  'a\nb', '"quoted"', 'back\\slash', '%', '_', 'é', 'e\u0301', '\u00a042', '42\u2003', '４２', 'x'.repeat(250), `${' '.repeat(199)}1`,
  '2024-05-10', ' 2024-05-10 ', '2024-05-10T08:30:00Z', '2024-05-10 08:30', '2024-05-10T10:30:00.25+02:00', '2024-02-30',
  '2024-05-10T24:00', '2024-5-1', '1715329800', '1715329800.5', '1715329800000', '171532980', '17153298000', 'v1', '1.2', '1.2.3',
  'V1.2.3-beta.1', '1.2.3.4', '1.2.3.4.5', '1.02.3', '2.0.0+build', '10.0', '1-beta', ' 1.2.3\t', '1.2.3\u00a0',
]
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  1.5,
  42,
  1e3,
  1e21,
  1.5e300,
  1e-7,
  0.1,
  1715329800,
  1715329800000,
  2 ** 53 - 1,
  -(2 ** 53 - 1),
]
const OTHERS = [true, false, null, [], [1, 'a'], ['1e+5'], [1e21], {}, { a: 1, b: [null] }, { a: 1e21 }]

const word = fc.constantFrom(...TEXTS)
const value = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...OTHERS) },
  fc.integer({ min: -50, max: 50 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: fc.constantFrom('a', 'B', '1', '.', ' ', '-', 'ü'), maxLength: 5 }),
)
const key = fc.constantFrom('p', 'q')
/** `of`: which of the filters that are asked at once it is for. */
const properties = fc.record({ p: value, q: value, of: fc.nat({ max: AT_ONCE - 1 }) }, { requiredKeys: ['of'] })

const OPERATORS: PropertyOperator[] = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'icontains_multi',
  'gt',
  'gte',
  'lt',
  'lte',
  'is_set',
  'is_not_set',
  'is_date_exact',
  'is_date_before',
  'is_date_after',
  'semver_eq',
  'semver_neq',
  'semver_gt',
  'semver_gte',
  'semver_lt',
  'semver_lte',
  'semver_tilde',
  'semver_caret',
  'semver_wildcard',
]
const scalar = fc.oneof(word, fc.constantFrom(...NUMBERS), fc.boolean())
const condition = fc.record({
  key,
  operator: fc.constantFrom(...OPERATORS),
  value: fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 3 })),
})
const conditions = fc.array(condition, { minLength: 1, maxLength: 3 })
const group = fc.record({ type: fc.constantFrom('AND', 'OR'), values: conditions })
const asked = fc.oneof(
  { weight: 4, arbitrary: condition.map((one) => [one]) },
  conditions,
  group,
  fc.record({ type: fc.constantFrom('AND', 'OR'), values: fc.array(group, { minLength: 2, maxLength: 2 }) }),
)

let app: TestApp
beforeAll(async () => {
  app = await makeApp()
})
afterAll(() => app.end())

/** Null: it is refused, such as a word where a number is needed. */
function read(given: unknown): PropertyFilter | null {
  try {
    return readPropertyFilter(given, app.clock.now(), 'live event')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return null
  }
}

/** Random filters, put together to questions. */
function makeQuestions(): PropertyFilter[] {
  const filters = fc.sample(asked, { seed, numRuns: 20 * FILTERS }).flatMap((given) => read(given) ?? [])
  expect(filters.length).toBeGreaterThan(FILTERS)
  return Array.from({ length: FILTERS / AT_ONCE }, (_, group) => ({
    join: 'OR',
    of: filters.slice(group * AT_ONCE, (group + 1) * AT_ONCE).map((filter, of) => ({
      join: 'AND',
      of: [{ key: 'of', operator: 'exact', value: of }, filter],
    })),
  }))
}

it(`they are the same (ORACLE_SEED=${seed})`, async () => {
  const questions = makeQuestions()
  const rows = fc.sample(properties, { seed, numRuns: EVENTS })
  const follow = async (filter: LiveFilter) => {
    const names: string[] = []
    const listener = ({ events }: LivePart) => void names.push(...events.map(({ event }) => event))
    return { names, leave: await app.stores.liveEvents.follow(1, filter, listener) }
  }
  const live = await Promise.all(questions.map((question) => follow({ properties: question })))
  const all = await follow({})
  for (let from = 0; from < EVENTS; from += 500) {
    const some = rows.slice(from, from + 500)
    await makeEvents(
      app,
      some.map((row, i) => ({ event: String(from + i), timestamp: from + i, properties: row })),
    )
  }
  await expect.poll(() => all.names).toHaveLength(EVENTS)
  for (const { leave } of [...live, all]) leave()
  for (const [place, question] of questions.entries()) {
    const { events } = await app.stores.events.listEvents(1, { properties: question }, { limit: EVENTS, isWalk: true })
    const [listed, early] = [new Set(events.map(({ event }) => event)), new Set(live[place]?.names)]
    const differ = [...early, ...listed].filter((name) => early.has(name) !== listed.has(name)).map(Number)
    const filters = 'join' in question ? question.of : []
    const shown = differ
      .slice(0, 3)
      .map((row) => [listed.has(String(row)) ? 'listed' : 'live', rows[row], filters[rows[row]?.of ?? 0]])
    expect(JSON.stringify(shown)).toBe('[]')
    expect(early.size).toBeGreaterThan(EVENTS / 20)
  }
})
