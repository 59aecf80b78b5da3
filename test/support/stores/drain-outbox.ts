/** The outbox of a test is emptied into an event store that may fail. */
import { expect } from 'vitest'
import type { Clock } from '../../../src/lib/time/clock.ts'
import type { EventStore } from '../../../src/model/events/event.ts'
import type { OpenSql } from '../../../src/stores/open.ts'
import { claimedRows } from '../../../src/stores/outbox/outbox-rows.ts'
import { Relay, type RelayParts } from '../../../src/stores/outbox/relay.ts'

const MOST_FAILURES = 500
const going = new AbortController().signal

export interface Draining extends Partial<Pick<RelayParts, 'rows' | 'parked'>> {
  clock: Clock
  /** After each pass. */
  passed: (hasFailed: boolean) => Promise<void> | void
}

/** Until nothing waits; returns how many passes failed. Nothing is to be parked unless it is said what to do then. */
export async function drainOutbox(sql: OpenSql, events: EventStore, draining: Draining): Promise<number> {
  const { clock, passed, rows = claimedRows(sql.stores, events, clock) } = draining
  const { parked = (_, error) => expect.unreachable(error) } = draining
  const change: RelayParts['change'] = (work) => sql.stores.transaction((tx) => work(tx.outbox))
  const relay = new Relay({ rows, change, events, clock, gone: () => {}, parked })
  let failed = 0
  while ((await sql.stores.outbox.pending()).length > 0) {
    if (failed > MOST_FAILURES) throw new Error('It does not end.')
    const hasFailed = await relay.run(going).then(
      ({ refusal }) => refusal !== null,
      () => true,
    )
    if (hasFailed) failed += 1
    await passed(hasFailed)
  }
  return failed
}
