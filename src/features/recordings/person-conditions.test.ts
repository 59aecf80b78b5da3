/** Whatever is split between the two stores, a recording is listed exactly when the whole condition holds for it. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PropertyFilter } from '../../model/persons/person.ts'
import type { RecordingCondition } from '../../model/recordings/recording.ts'
import { type ListCondition, type ListConditions, splitConditions, withoutPersons } from './person-conditions.ts'

const LEAVES = 4

/** Leaf number n, of the recordings store: its value tells which it is. */
const ofRecording = (value: number): RecordingCondition => ({ measure: 'click_count', comparison: '=', value })
const ofPerson = (value: number): ListCondition => ({ person: { key: 'n', operator: 'exact', value } })

const leaf = fc.tuple(fc.boolean(), fc.nat(LEAVES - 1)).map(([isPerson, n]) => (isPerson ? ofPerson : ofRecording)(n))
const { tree } = fc.letrec<{ tree: ListConditions; node: ListCondition }>((tie) => ({
  tree: fc.record({
    join: fc.constantFrom('AND' as const, 'OR' as const),
    of: fc.array(tie('node'), { maxLength: 4 }),
  }),
  node: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('tree')),
}))

type Condition = ListCondition | PropertyFilter

/** Which leaves hold: of the recording, and of its person. */
interface World {
  recording: boolean[]
  person: boolean[]
}

function holds(condition: Condition, world: World): boolean {
  if ('join' in condition) {
    const results = condition.of.map((part) => holds(part, world))
    return condition.join === 'AND' ? results.every(Boolean) : results.some(Boolean)
  }
  if ('person' in condition) return holds(condition.person, world)
  if ('key' in condition) return world.person[condition.value as number] === true
  return 'measure' in condition && world.recording[condition.value] === true
}

const hasPerson = (condition: ListCondition): boolean =>
  'join' in condition ? condition.of.some(hasPerson) : 'person' in condition

const worlds: World[] = Array.from({ length: 4 ** LEAVES }, (_, n) => ({
  recording: Array.from({ length: LEAVES }, (_item, leafNumber) => ((n >> leafNumber) & 1) === 1),
  person: Array.from({ length: LEAVES }, (_item, leafNumber) => ((n >> (leafNumber + LEAVES)) & 1) === 1),
}))

it('splits any tree so that both parts together decide as the whole does', () => {
  fc.assert(
    fc.property(tree, (conditions) => {
      const split = splitConditions(conditions)
      expect(hasPerson(split.possible)).toBe(false)
      expect(split.tests.some(hasPerson)).toBe(false)
      expect(withoutPersons(conditions)).toEqual(hasPerson(conditions) ? null : conditions)
      if (!hasPerson(conditions)) return
      const wrong = worlds.filter((world) => {
        const isListed =
          holds(split.possible, world) &&
          split.decide(
            (test) => holds(split.tests[test] as RecordingCondition, world),
            (filter) => holds(split.filters[filter] as PropertyFilter, world),
          )
        return isListed !== holds(conditions, world)
      })
      expect(wrong).toEqual([])
    }),
    { numRuns: 500 },
  )
})

it('leaves nothing to ask of the recordings store where everything has to hold', () => {
  const person = ofPerson(0)
  const split = splitConditions({ join: 'AND', of: [ofRecording(1), { join: 'AND', of: [person, ofRecording(2)] }] })
  expect(split.tests).toEqual([])
  expect(split.filters).toHaveLength(1)
  expect(split.possible).toEqual({ join: 'AND', of: [ofRecording(1), { join: 'AND', of: [ofRecording(2)] }] })
})
