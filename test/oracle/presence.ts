/** Retention and lifecycles by going through the intervals in which each actor was present. */
import type {
  EventSelector,
  LifecycleAnswer,
  LifecycleQuestion,
  RetentionQuestion,
} from '../../src/model/insights/insight-question.ts'
import { intervalAt } from './interval.ts'
import { isMeant } from './property.ts'
import { actorOf, type World } from './world.ts'

type Presence = Map<string, Set<number>>

/** Actor → intervals in which it has such events. */
function presenceOf(world: World, selector: EventSelector, edges: number[]): Presence {
  const presence: Presence = new Map()
  for (const event of world.events) {
    const interval = intervalAt(edges, event.at)
    if (interval === null || !isMeant(world, event, selector)) continue
    const actor = actorOf(world, event)
    presence.set(actor, (presence.get(actor) ?? new Set()).add(interval))
  }
  return presence
}

/** Actor → the instant of its first such event of all time. */
function firstTimes(world: World, selector: EventSelector): Map<string, number> {
  const first = new Map<string, number>()
  for (const event of world.events) {
    const actor = actorOf(world, event)
    if (!first.has(actor) && isMeant(world, event, selector)) first.set(actor, event.at)
  }
  return first
}

function beginnings(world: World, { target, edges, firstTime }: RetentionQuestion): Presence {
  if (!firstTime) return presenceOf(world, target, edges)
  const begun: Presence = new Map()
  for (const [actor, at] of firstTimes(world, target)) {
    const interval = intervalAt(edges, at)
    if (interval !== null) begun.set(actor, new Set([interval]))
  }
  return begun
}

export function retentionOf(world: World, question: RetentionQuestion): number[][] {
  const intervals = question.edges.length - 1
  const back = presenceOf(world, question.returning, question.edges)
  const counts = Array.from({ length: intervals }, (_, begun) => new Array<number>(intervals - begun).fill(0))
  for (const [actor, begun] of beginnings(world, question)) {
    for (const start of begun) {
      const row = counts[start] as number[]
      for (let later = 0; later < row.length; later++) {
        if (later === 0 || back.get(actor)?.has(start + later)) row[later] = (row[later] as number) + 1
      }
    }
  }
  return counts
}

/** When each actor began: a person when it was created, an id without a person with its first event of any kind. */
function beginningOf(world: World, selector: EventSelector, edges: number[]): Map<string, number> {
  const began = new Map<string, number>()
  for (const event of world.events) {
    const actor = actorOf(world, event)
    const person = world.owners.get(event.distinctId)
    const isHere = intervalAt(edges, event.at) !== null && isMeant(world, event, selector)
    const instants = [began.get(actor), person?.createdAt, isHere || !person ? event.at : undefined]
    began.set(actor, Math.min(...instants.filter((at) => at !== undefined)))
  }
  return began
}

/** The state of an actor in an interval; null when it was neither there nor in the one before. */
function statusIn(interval: number, there: Set<number>, born: number | null): keyof LifecycleAnswer | null {
  const [before, now] = [there.has(interval - 1), there.has(interval)]
  if (!now) return before ? 'dormant' : null
  if (born === interval) return 'fresh'
  return before ? 'returning' : 'resurrecting'
}

export function lifecycleOf(world: World, { selector, edges }: LifecycleQuestion): LifecycleAnswer {
  const none = () => new Array<number>(edges.length - 2).fill(0)
  const answer: LifecycleAnswer = { fresh: none(), returning: none(), resurrecting: none(), dormant: none() }
  const began = beginningOf(world, selector, edges)
  for (const [actor, there] of presenceOf(world, selector, edges)) {
    const born = intervalAt(edges, began.get(actor) ?? 0)
    for (let interval = 1; interval < edges.length - 1; interval++) {
      const status = statusIn(interval, there, born)
      if (status) answer[status][interval - 1] = (answer[status][interval - 1] as number) + 1
    }
  }
  return answer
}
