/**
 * A generated project as plain data: events in the order in which they count, people, and who owns each distinct id in
 * the end. Both sides of a comparison start from it: make-world.ts also makes the batches for a store, the other files
 * here compute answers from it by going through lists.
 */

export type Json = Record<string, unknown>

export interface WorldEvent {
  uuid: string
  event: string
  distinctId: string
  at: number
  sessionId: string | null
  properties: Json
}

export interface WorldPerson {
  id: number
  createdAt: number
  properties: Json
}

export interface World {
  /** By time; those of one instant in the order in which they were stored. */
  events: WorldEvent[]
  /** Distinct id → its person; ids without a person are missing. */
  owners: Map<string, WorldPerson>
}

/** The actor of an event: a person, or the distinct id itself. */
export const actorOf = (world: World, event: WorldEvent): string => {
  const person = world.owners.get(event.distinctId)
  return person ? `person ${person.id}` : `id ${event.distinctId}`
}
