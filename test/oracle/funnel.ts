/** Funnels by trying every attempt of every actor. */
import type { BreakdownValue, FunnelAnswer, FunnelQuestion } from '../../src/model/insights/insight-question.ts'
import { percentile, sum } from './interval.ts'
import { breakdownOf, compareTexts, isMeant } from './property.ts'
import { actorOf, type World, type WorldEvent } from './world.ts'

/** An event and which steps it can be. */
interface StepEvent {
  event: WorldEvent
  steps: Set<number>
}

function stepEvents(world: World, { steps, from, to }: FunnelQuestion): Map<string, StepEvent[]> {
  const byActor = new Map<string, StepEvent[]>()
  for (const event of world.events) {
    if (event.at < from || event.at >= to) continue
    const places = steps.flatMap((selector, place) => (isMeant(world, event, selector) ? [place] : []))
    if (places.length === 0) continue
    const actor = actorOf(world, event)
    const events = byActor.get(actor) ?? []
    events.push({ event, steps: new Set(places) })
    byActor.set(actor, events)
  }
  return byActor
}

/** When each step was made, beginning with this event. */
function attempt(events: StepEvent[], first: number, { steps, windowMs }: FunnelQuestion): number[] {
  const begun = events[first]?.event.at ?? 0
  const times = [begun]
  for (let place = first + 1; place < events.length && times.length < steps.length; place++) {
    const next = events[place]
    if (!next || next.event.at > begun + windowMs) break
    if (next.steps.has(times.length)) times.push(next.event.at)
  }
  return times
}

/** The attempt that got furthest, of several the earliest; null when there is none. */
function bestAttempt(events: StepEvent[], question: FunnelQuestion): number[] | null {
  let best: number[] | null = null
  for (const [place, { steps }] of events.entries()) {
    if (!steps.has(0)) continue
    const times = attempt(events, place, question)
    if (!best || times.length > best.length) best = times
  }
  return best
}

interface Journey {
  times: number[]
  value: string | null
}

function answerOf(breakdown: BreakdownValue | null, journeys: Journey[], steps: number): FunnelAnswer {
  const places = Array.from({ length: steps }, (_, place) => place)
  return {
    breakdown,
    steps: places.map((place) => {
      const came = journeys.filter(({ times }) => times.length > place)
      const taken = came.map(({ times }) => (times[place] ?? 0) - (times[place - 1] ?? 0))
      const isTimed = place > 0 && taken.length > 0
      return {
        count: came.length,
        averageMs: isTimed ? sum(taken) / taken.length : null,
        medianMs: isTimed ? percentile(taken, 0.5) : null,
      }
    }),
  }
}

export function funnelOf(world: World, question: FunnelQuestion): FunnelAnswer[] {
  const { breakdown, steps } = question
  const journeys: Journey[] = []
  for (const events of stepEvents(world, question).values()) {
    const times = bestAttempt(events, question)
    if (!times) continue
    const values = breakdown ? events.map(({ event }) => breakdownOf(world, event, breakdown)) : []
    journeys.push({ times, value: values.find((value) => value !== null) ?? null })
  }
  if (!breakdown) return [answerOf(null, journeys, steps.length)]
  const named = new Map<string | null, Journey[]>()
  for (const journey of journeys) named.set(journey.value, [...(named.get(journey.value) ?? []), journey])
  const ranked = [...named]
    .filter((entry): entry is [string, Journey[]] => entry[0] !== null)
    .sort(([a, some], [b, others]) => others.length - some.length || compareTexts(a, b))
  const top = ranked.slice(0, breakdown.limit)
  const others = ranked.slice(breakdown.limit).flatMap(([, some]) => some)
  const rest: [BreakdownValue, Journey[]][] = [
    [{ kind: 'none' }, named.get(null) ?? []],
    [{ kind: 'other' }, others],
  ]
  return [
    ...top.map(([text, some]) => answerOf({ kind: 'value', text }, some, steps.length)),
    ...rest.filter(([, some]) => some.length > 0).map(([kind, some]) => answerOf(kind, some, steps.length)),
  ]
}
