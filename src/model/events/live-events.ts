/** Events as they are committed, by whichever process has taken them. */
import type { EventFilter } from './event.ts'
import type { StoredEvent } from './stored-event.ts'

export interface LiveEvent extends Omit<StoredEvent, 'seq' | 'properties'> {
  /** JSON. */
  properties: string
}

/** Conditions of `properties` are about the event's own ones. */
export type LiveFilter = Pick<EventFilter, 'event' | 'distinctIds' | 'properties'>

/** Events that were committed together. Everybody who follows one gets the same object. */
export interface LivePart {
  events: LiveEvent[]
  /** False when some before them were not looked at, because they came faster than that. */
  isComplete: boolean
}

export interface LiveEvents {
  /**
   * Calls `listener` with the events of the project that are committed once this has resolved and that match the filter,
   * each once, those of one transaction in their order; until the function that it returns is called. A transaction that
   * ends as this begins may be among them. While nobody follows it costs nothing. `invalid` when the filter has a pattern:
   * only event stores can match those.
   */
  follow(projectId: number, filter: LiveFilter, listener: (part: LivePart) => void): Promise<() => void>
}
