/** What a driver is given to run one release of a client with, and what it gives back. */
import type { ClientPackage } from './client-packages.ts'
import type { Sent } from './sent-events.ts'

/** How long a step may take: what has not come back by then is taken never to. */
export const STEP_LIMIT_MS = 180_000
/** How long a driver waits for what it expects, so that it can still tell what is missing. */
export const PATIENCE = { interval: 300, timeout: STEP_LIMIT_MS - 5_000 }

export interface Drive {
  client: ClientPackage
  /** The address to send to. */
  host: string
  token: string
  /** A personal API key. */
  key: string
  project: number
  /** What has been sent so far. */
  sent(): Promise<Sent>
  /** Repeats the work, if any, until every event that was asked for has left the client. */
  untilSent(events: Record<string, number>, work?: () => unknown): Promise<void>
  /**
   * Does one thing with the client and names it in the table. What fails, or does not come back, is a problem of this
   * step; the others go on.
   */
  step(name: string, work: () => unknown): Promise<void>
  /** Something that should not have happened, whatever was done. */
  problem(text: string): void
}

/** What has to be there afterwards. */
export interface Expected {
  /** Events that the driver itself has asked for, by name. */
  events: Record<string, number>
  /** Distinct ids that have become one person. */
  onePerson: string[]
}
