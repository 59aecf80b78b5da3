/**
 * An event store whose reads see every transaction committed before they were asked: each call first waits until the
 * outbox has been applied. Only the methods named here do not wait, so that one nobody thought of is slow, not stale.
 */
import type { EventStore } from '../../model/events/event.ts'

const IMMEDIATE: ReadonlySet<string> = new Set([
  // What applies the outbox, and its bookkeeping.
  'apply',
  'forgetBatches',
  'stamp',
  'setStamp',
  'highestSeq',
  // They concern what has been deleted already, or stored.
  'forgetErased',
  'compact',
  'foldOwners',
  'wasRestarted',
  'noteRestart',
  'keepsShipments',
  'bytesElsewhere',
  'ping',
  'close',
] satisfies (keyof EventStore)[])

type Method = (...args: unknown[]) => Promise<unknown>

/** `events` is a plain object of methods, `caughtUp` resolves once the event store has applied what waits now. */
export function waitForOutbox(events: EventStore, caughtUp: () => Promise<void>): EventStore {
  const after =
    (method: Method): Method =>
    async (...args) => {
      await caughtUp()
      return method(...args)
    }
  const methods = Object.entries(events as unknown as Record<string, Method>)
  return Object.fromEntries(
    methods.map(([name, method]) => [name, IMMEDIATE.has(name) ? method : after(method)]),
  ) as unknown as EventStore
}
