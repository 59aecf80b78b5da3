/** Whatever is split between the two stores, a recording is listed exactly when the whole condition holds for it. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { UuidSet } from '../../lib/lists/uuid-set.ts'
import type { PropertyFilter } from '../../model/persons/person.ts'
import type { RecordingCondition } from '../../model/recordings/recording.ts'
import {
  amongSessions,
  type ListCondition,
  type ListConditions,
  ofRecordingsAlone,
  splitConditions,
} from './list-conditions.ts'

const LEAVES = 3
const MASKS = [...Array(2 ** LEAVES).keys()]
const has = (mask: number, leafNumber: number): boolean => ((mask >> leafNumber) & 1) === 1

/** Session number n has the events of those leaves whose bits n has. */
const sessionOf = (mask: number): string => `00000000-0000-7000-8000-00000000000${mask}`
const SESSIONS = [...Array(LEAVES).keys()].map((leafNumber) => {
  const ids = MASKS.filter((mask) => has(mask, leafNumber)).map(sessionOf)
  return new UuidSet(Buffer.from(ids.join('').replaceAll('-', ''), 'hex'))
})

/** Leaf number n, of the recordings store: its value tells which it is. */
const ofRecording = (value: number): RecordingCondition => ({ measure: 'click_count', comparison: '=', value })
const ofPerson = (value: number): ListCondition => ({ person: { key: 'n', operator: 'exact', value } })
const ofEvents = (value: number): ListCondition => ({ sessions: SESSIONS[value] as UuidSet })

const leaf = fc
  .tuple(fc.constantFrom(ofRecording, ofPerson, ofEvents), fc.nat(LEAVES - 1))
  .map(([make, n]): ListCondition => make(n))
const { tree } = fc.letrec<{ tree: ListConditions; node: ListCondition }>((tie) => ({
  tree: fc.record({
    join: fc.constantFrom('AND' as const, 'OR' as const),
    of: fc.array(tie('node'), { maxLength: 4 }),
  }),
  node: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('tree')),
}))

type Condition = ListCondition | PropertyFilter

/** Which leaves hold, a bit for each: of the recording, of its person, and by the events of its session. */
interface World {
  recording: number
  person: number
  events: number
}

function holds(condition: Condition, world: World): boolean {
  if ('join' in condition) {
    const results = condition.of.map((part) => holds(part, world))
    return condition.join === 'AND' ? results.every(Boolean) : results.some(Boolean)
  }
  if ('person' in condition) return holds(condition.person, world)
  if ('sessions' in condition) return has(world.events, SESSIONS.indexOf(condition.sessions))
  if ('key' in condition) return has(world.person, condition.value as number)
  return 'measure' in condition && has(world.recording, condition.value)
}

const needsEventStore = (condition: ListCondition): boolean =>
  'join' in condition ? condition.of.some(needsEventStore) : 'person' in condition || 'sessions' in condition

const worlds: World[] = MASKS.flatMap((recording) =>
  MASKS.flatMap((person) => MASKS.map((events) => ({ recording, person, events }))),
)

it('splits any tree so that both parts together decide as the whole does', () => {
  fc.assert(
    fc.property(tree, (conditions) => {
      const split = splitConditions(conditions)
      expect(needsEventStore(split.possible)).toBe(false)
      expect(split.tests.some(needsEventStore)).toBe(false)
      expect(ofRecordingsAlone(conditions)).toEqual(needsEventStore(conditions) ? null : conditions)
      if (!needsEventStore(conditions)) return
      const wrong = worlds.filter((world) => {
        const isListed =
          holds(split.possible, world) &&
          split.decide({
            sessionId: sessionOf(world.events),
            holds: (test) => holds(split.tests[test] as RecordingCondition, world),
            fits: (filter) => holds(split.filters[filter] as PropertyFilter, world),
          })
        return isListed !== holds(conditions, world)
      })
      expect(wrong).toEqual([])
    }),
    { numRuns: 500 },
  )
})

it('leaves nothing to ask of the recordings store where everything has to hold', () => {
  const inner: ListConditions = { join: 'AND', of: [ofPerson(0), ofRecording(2), ofEvents(1)] }
  const split = splitConditions({ join: 'AND', of: [ofRecording(1), inner] })
  expect(split.tests).toEqual([])
  expect(split.filters).toHaveLength(1)
  expect(split.possible).toEqual({ join: 'AND', of: [ofRecording(1), { join: 'AND', of: [ofRecording(2)] }] })
})

it('leaves few sessions to the recordings store', () => {
  const idsOf = (count: number) =>
    [...Array(count).keys()].map((n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`)
  const among = (ids: string[]) => amongSessions(Buffer.from(ids.join('').replaceAll('-', ''), 'hex'))
  expect(among([])).toEqual({ sessionIds: [] })
  expect(among(idsOf(500))).toEqual({ sessionIds: idsOf(500) })
  const many = among(idsOf(501))
  expect(needsEventStore(many)).toBe(true)
  expect(splitConditions({ join: 'AND', of: [many] }).possible).toEqual({ join: 'AND', of: [] })
})

it('leaves nothing to ask about persons where only events matter', () => {
  const split = splitConditions({ join: 'OR', of: [ofRecording(1), ofEvents(0), ofEvents(1)] })
  expect(split.filters).toEqual([])
  expect(split.tests).toEqual([ofRecording(1)])
  expect(split.possible).toEqual({ join: 'AND', of: [] })
})
