/**
 * How far each actor gets in a funnel, as SQL. The events of an actor are one sorted list, in which a place is a number from
 * 1; so an event that matches two steps has one place, and cannot be both of one attempt. Each first step begins an attempt;
 * its next step is the earliest at a later place, as long as the window lasts. Taking the earliest each time gets furthest.
 *
 * Lists are only ever gone through as a whole: a look-up by place in a function over a list would repeat the list for each
 * of its entries. So the next step of all attempts is found by sorting them among the events of that step, and adding up
 * from one such event to the next.
 */
import { int, microsOf } from '../values/literal.ts'
import { hasBit } from './matching-events.ts'

const NO = 'toInt64(0)'

/** An actor's events. */
const LISTS = 'times, found'

/** SQL of the places and the times of all events of a step. */
const pointsOf = (step: number): string =>
  `arrayFilter((one, bits) -> ${hasBit('bits', step)},
    arrayMap((one, moment) -> (toInt64(one), moment), arrayEnumerate(times), times), found)`

/** SQL of a list after 0, and of how far it is from each entry of that to the next one, from the last one to `end`. */
const fromZero = (list: string): string => `arrayPushFront(${list}, ${NO})`
const distances = (list: string, end: string): string =>
  `arrayPopFront(arrayDifference(arrayPushBack(${fromZero(list)}, ${end})))`

/** SQL of the elements of a tuple from one to another. */
const elements = (tuple: string, first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, place) => `tupleElement(${tuple}, ${first + place})`)

/** SQL of what is known of the actor once its attempts at a step are: see `attemptsSql`. */
function progressOf(step: number): string[] {
  if (step === 0) return ['toInt64(1) AS reached', 'emptyArrayInt64() AS best']
  const times = elements('attempts[1]', 2, step + 2)
  return [
    'known_reached + notEmpty(attempts) AS reached',
    `if(notEmpty(attempts), [${times.join(', ')}], known_best) AS best`,
  ]
}

/**
 * SQL of actors with their attempts that made the step before → those that make this one too. An attempt is a tuple: the
 * place it is at, and the time of each step. They are in the order of their places, and of their first steps, and stay so:
 * what is found of them by sorting is theirs in that order. Nothing that takes long has a name in the SELECT that uses it:
 * the engine would write it out wherever it is used.
 */
function stepSql(before: string, step: number, { windowMs, steps, kept }: Asked): string {
  // Doubled, so that an attempt comes after the event that it is at.
  const positions = `arrayMap(one -> (one.1 * 2 + 1, ${NO}, ${NO}), attempts)`
  // After the last such event the next place is 0: none.
  const [places, moments] = [1, 2].map((element) => `arrayMap(one -> one.${element}, points)`) as [string, string]
  const events = `arrayMap((one, further, later) -> (one * 2, further, later),
    ${fromZero(places)}, ${distances(places, NO)}, ${distances(moments, `${moments}[-1]`)})`
  const merged = `SELECT ${[LISTS, ...kept, ...progressOf(step - 1)].join(', ')}, attempts AS earlier,
      arraySort(one -> one.1, arrayConcat(${positions}, ${events})) AS merged
    FROM (${before})`
  const found = `arrayFilter((one, at) -> bitAnd(at.1, 1) = 1, arrayMap((further, later) -> (further, later),
    arrayCumSum(one -> one.2, merged), arrayCumSum(one -> one.3, merged)), merged)`
  const next = `arrayMap((one, next) -> (next.1, ${elements('one', 2, step + 1).join(', ')}, next.2), earlier, ${found})`
  const inWindow = `tupleElement(one, ${step + 2}) - one.2 <= ${int(microsOf(windowMs))}`
  const known = ['reached AS known_reached', 'best AS known_best', ...kept]
  return `SELECT ${[...known, ...(step + 1 < steps ? [LISTS, `${pointsOf(step + 1)} AS points`] : [])].join(', ')},
      arrayFilter(one -> one.1 > 0 AND ${inWindow}, ${next}) AS attempts
    FROM (${merged})`
}

interface Asked {
  /** How many there are. */
  steps: number
  windowMs: number
  /** Columns of actors that are wanted too. */
  kept: string[]
}

/**
 * SQL of the kept columns, `reached`, the number of steps made, and `best`, the times of the earliest of the attempts that
 * made so many; from actors with their sorted `times` and the steps that each event matches, in `found`. Actors without
 * events count as if they had the first step only.
 */
export function attemptsSql(actors: string, asked: Asked): string {
  const { steps, kept } = asked
  let sql = `SELECT ${[LISTS, ...kept].join(', ')}, ${pointsOf(1)} AS points, ${pointsOf(0)} AS attempts FROM (${actors})`
  for (let step = 1; step < steps; step++) sql = stepSql(sql, step, asked)
  return `SELECT ${[...kept, ...progressOf(steps - 1)].join(', ')} FROM (${sql})`
}
